/// An input that reaches a program from its terminal.
public enum InputEvent: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// Text was pasted. It is never interpreted as keys.
    case paste(String)
    /// The mouse was used: see ``Program/mouse(movements:)``.
    case mouse(Mouse)
    /// The window gained or lost the focus: see ``Program/reportsFocus()``.
    case focus(Bool)
    /// The window was resized.
    case resize(Size)
}

/// A use of the mouse.
public struct Mouse: Hashable, Sendable {
    /// An action of the mouse.
    public enum Action: Hashable, Sendable {
        /// A button was pressed: 1 is the left one, 2 the middle, 3 the right.
        case press(Int)
        /// The button was released.
        case release(Int)
        /// The mouse was moved with a button held, or with none, which is 0.
        case move(Int)
        /// The wheel was turned by one notch: the numbers are 1 for right and down, -1 for left and up, and 0 otherwise.
        case wheel(columns: Int, rows: Int)
    }

    /// The action.
    public var action: Action
    /// The cell under the mouse.
    public var point: Point
    /// The modifiers that were held.
    package var modifiers: Key.Modifiers

    /// Creates a use of the mouse.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - point: The cell that the mouse is over.
    ///   - shift: Indicates whether Shift is held.
    ///   - control: Indicates whether Control is held.
    ///   - alt: Indicates whether Alt is held.
    public init(_ action: Action, at point: Point, shift: Bool = false, control: Bool = false, alt: Bool = false) {
        var modifiers: Key.Modifiers = []
        if shift { modifiers.insert(.shift) }
        if control { modifiers.insert(.control) }
        if alt { modifiers.insert(.alt) }
        self.init(action, at: point, modifiers)
    }

    package init(_ action: Action, at point: Point, _ modifiers: Key.Modifiers) {
        self.action = action
        self.point = point
        self.modifiers = modifiers
    }

    /// Indicates whether Shift is held.
    public var shift: Bool { modifiers.contains(.shift) }
    /// Indicates whether Control is held.
    public var control: Bool { modifiers.contains(.control) }
    /// Indicates whether Alt is held.
    public var alt: Bool { modifiers.contains(.alt) }
}
