/// A button that sends an event when it is pressed: by Enter or Space while it has the focus, or by a click.
///
/// ```swift
/// Button("Save", press: .save)
/// ```
public struct Button<Event: Sendable>: Widget {
    private let label: String
    private let event: Event

    /// Creates a button.
    ///
    /// - Parameters:
    ///   - label: The text.
    ///   - event: The event of a press.
    public init(_ label: String, press event: Event) {
        self.label = label
        self.event = event
    }

    /// The text in brackets.
    func preferredSize(in room: Size) -> NaturalSize { NaturalSize(columns: label.columns + 4, rows: 1) }

    /// Draws the text in brackets.
    func paint(on surface: inout Surface<Event>) {
        surface.write("[ \(label) ]", style: surface.isFocused ? .inverse : .plain)
        surface.onInput { [event] input in input.isPress ? [event] : nil }
    }
}

/// A checkbox with a label.
///
/// ```swift
/// Toggle("wrap lines", isOn: state.wraps, flip: .flipWrapping)
/// ```
/// Its state is a Boolean value, which its event flips.
public struct Toggle<Event: Sendable>: Widget {
    private let label: String
    private let isOn: Bool
    private let event: Event

    /// Creates a toggle.
    ///
    /// - Parameters:
    ///   - label: The label.
    ///   - isOn: The value.
    ///   - event: The event of a press.
    public init(_ label: String, isOn: Bool, flip event: Event) {
        self.label = label
        self.isOn = isOn
        self.event = event
    }

    /// The box and the label.
    func preferredSize(in room: Size) -> NaturalSize { NaturalSize(columns: label.columns + 4, rows: 1) }

    /// Draws the box and the label.
    func paint(on surface: inout Surface<Event>) {
        surface.write("[\(isOn ? "x" : " ")] \(label)", style: surface.isFocused ? .inverse : .plain)
        surface.onInput { [event] input in input.isPress ? [event] : nil }
    }
}

extension InputEvent {
    /// Indicates whether the input presses a button.
    var isPress: Bool {
        switch self {
        case .key(.enter), .key(" "): return true
        case .mouse(let mouse): return mouse.action == .press(1)
        default: return false
        }
    }
}
