import MoonPresentation

/// A random trace of an inline program: it commits numbered lines and shows frames while its window is resized.
public struct InlineTrace {
    /// A step of the trace.
    public enum Step {
        /// The window is resized.
        case resize(Size)
        /// The program writes bytes.
        case write([UInt8])
    }

    /// The steps, in order.
    public let steps: [Step]
    /// The number of committed lines, from `line 0.` on.
    public let lines: Int
    /// The number of lines on the screen before the program begins, from `above 0.` on.
    public let above: Int

    /// Creates a trace.
    ///
    /// - Parameters:
    ///   - seed: The seed of the random numbers.
    ///   - resizes: The number of resizes.
    ///   - showsCursor: True for frames with a cursor.
    ///   - reflow: True for a terminal that rewraps its lines.
    public init(seed: Int, resizes: Int = 40, showsCursor: Bool, reflow: Bool = true) {
        var numbers = Numbers(seed: seed)
        var size = Size(columns: 80, rows: 24)
        var writer = InlineWriter(capabilities: TerminalCapabilities(reflow: reflow))
        above = 5 + numbers.next(30)
        var steps = [Step.resize(size), .write((0..<above).flatMap { Array("above \($0).\r\n".utf8) }), .write(writer.enter())]
        var line = 0
        for step in 0...resizes {
            if step > 0 {
                size = Size(columns: 20 + numbers.next(80), rows: 8 + numbers.next(24))
                steps.append(.resize(size))
            }
            for _ in 0...numbers.next(3) {
                var canvas = Canvas(size: Size(columns: size.columns, rows: 1 + numbers.next(6)))
                for row in 0..<canvas.size.rows {
                    canvas.write(
                        "frame " + String(repeating: "x", count: numbers.next(size.columns + 4)), at: Point(column: 0, row: row))
                }
                if showsCursor {
                    canvas.cursor = Point(column: numbers.next(min(20, size.columns)), row: numbers.next(canvas.size.rows))
                }
                var committed: [StyledText] = []
                for _ in 0..<numbers.next(3) {
                    committed.append(StyledText("line \(line).", numbers.next(2) == 0 ? .bold : .plain))
                    line += 1
                }
                steps.append(.write(writer.bytes(for: canvas, committing: committed, terminal: size)))
            }
        }
        steps.append(.write(writer.leave()))
        self.steps = steps
        lines = line
    }
}
