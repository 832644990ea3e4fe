/// An input that reaches a program from its terminal.
public enum InputEvent: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// Text was pasted. Nothing in it acts: it is text, whatever keys it looks like.
    case paste(String)
    /// The mouse was used, if the program asked for it.
    case mouse(Mouse)
    /// The window got the focus, or lost it.
    case focus(Bool)
    /// The window has another size.
    case resize(Size)
}

/// A use of the mouse.
public struct Mouse: Hashable, Sendable {
    /// An action of the mouse.
    public enum Action: Hashable, Sendable {
        /// A button was pressed: 1 is the left one, 2 the middle, 3 the right.
        case press(Int)
        /// The button that was pressed was let go of.
        case release(Int)
        /// The mouse was moved with a button held, or with none, which is 0.
        case move(Int)
        /// The wheel was turned up by one notch.
        case wheelUp
        /// The wheel was turned down by one notch.
        case wheelDown
        /// The wheel was turned left by one notch.
        case wheelLeft
        /// The wheel was turned right by one notch.
        case wheelRight
    }

    /// The action.
    public var action: Action
    /// The cell that the mouse was over.
    public var point: Point
    /// The modifiers that were held.
    public var modifiers: Key.Modifiers

    /// Creates a use of the mouse.
    public init(_ action: Action, at point: Point, _ modifiers: Key.Modifiers = []) {
        self.action = action
        self.point = point
        self.modifiers = modifiers
    }
}
