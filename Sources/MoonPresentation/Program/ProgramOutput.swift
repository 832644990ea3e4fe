/// What frames are turned into: pictures on the whole screen or below what was there, or lines of text.
///
/// One of the three writers is there. It is changed in its place: an enumeration would move it out and in again.
struct ProgramOutput {
    private var screen: FrameWriter?
    private var inline: InlineWriter?
    private var lines: LineWriter?

    /// - Parameters:
    ///   - display: What the program asks for.
    ///   - capabilities: What the terminal can do.
    ///   - isTerminal: Whether there is one.
    init(_ display: Display, _ capabilities: TerminalCapabilities, isTerminal: Bool) {
        if !isTerminal {
            lines = LineWriter(.last)
        } else if capabilities.isDumb || display == .lines {
            lines = LineWriter(.changes)
        } else if case .inline = display {
            inline = InlineWriter(capabilities: capabilities)
        } else {
            screen = FrameWriter(capabilities: capabilities)
        }
    }

    /// Indicates whether sequences may be sent that are no text.
    var hasSequences: Bool { lines == nil }

    /// Tells what the terminal turned out to be able to do.
    mutating func set(_ capabilities: TerminalCapabilities) {
        screen?.capabilities = capabilities
        inline?.capabilities = capabilities
    }

    mutating func enter() -> [UInt8] { screen?.enter() ?? inline?.enter() ?? [] }

    /// What ends the program's picture.
    mutating func leave() -> [UInt8] { screen != nil ? FrameWriter.leave.bytes : inline?.leave() ?? lines?.end() ?? [] }

    /// What ends it if there is no time for more.
    var emergency: [UInt8] {
        screen != nil ? FrameWriter.leave.bytes : inline != nil ? InlineWriter.emergency.bytes : []
    }

    mutating func invalidate() {
        screen?.invalidate()
        inline?.invalidate()
    }

    /// The bytes that show a frame.
    ///
    /// - Parameters:
    ///   - canvas: The frame.
    ///   - committed: What is printed above it, if it is not on a screen of its own.
    ///   - size: The size of the terminal.
    mutating func bytes(for canvas: Canvas, printing committed: [StyledText], in size: Size) -> [UInt8] {
        screen?.bytes(for: canvas) ?? inline?.bytes(for: canvas, committing: committed, terminal: size)
            ?? lines?.bytes(for: canvas, committing: committed) ?? []
    }
}

extension StaticString {
    var bytes: [UInt8] { Array(UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)) }
}
