/// A sign that something is going on.
///
/// ```swift
/// Spinner(step: state.ticks, label: "loading")
/// ```
/// Its state is a number; its reducer adds 1 to it, for instance for each value of a timer while something is going on.
public struct Spinner<Event: Sendable>: View {
    private let step: Int
    private let label: String
    private let frames: [Character]

    /// Creates a spinner.
    ///
    /// - Parameters:
    ///   - step: How often it has turned.
    ///   - label: What is going on.
    ///   - frames: The pictures, one after the other.
    public init(step: Int, label: String = "", frames: String = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏") {
        self.step = step
        self.label = label
        self.frames = frames.isEmpty ? [" "] : Array(frames)
    }

    /// The picture and the label, in one row.
    public func naturalSize(in room: Size) -> NaturalSize { NaturalSize(columns: text.columns, rows: 1) }

    /// Draws the picture and the label.
    public func draw(on surface: inout Surface<Event>) { surface.write(text) }

    private var text: String {
        let remainder = step % frames.count
        let frame = frames[remainder < 0 ? remainder + frames.count : remainder]
        return label.isEmpty ? String(frame) : "\(frame) \(label)"
    }
}
