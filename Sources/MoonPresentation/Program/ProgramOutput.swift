/// What frames are turned into: pictures on the whole screen or below what was there, or lines of text.
enum ProgramOutput {
    case screen(FrameWriter)
    case inline(InlineWriter)
    case lines(LineWriter)

    /// - Parameters:
    ///   - display: What the program asks for.
    ///   - capabilities: What the terminal can do.
    ///   - isTerminal: Whether there is one.
    init(_ display: Display, _ capabilities: TerminalCapabilities, isTerminal: Bool) {
        if !isTerminal {
            self = .lines(LineWriter(.last))
        } else if capabilities.isDumb || display == .lines {
            self = .lines(LineWriter(.changes))
        } else if case .inline = display {
            self = .inline(InlineWriter(capabilities: capabilities))
        } else {
            self = .screen(FrameWriter(capabilities: capabilities))
        }
    }

    /// Whether sequences may be sent that are no text.
    var hasSequences: Bool { if case .lines = self { false } else { true } }

    /// Tells what the terminal turned out to be able to do.
    mutating func set(_ capabilities: TerminalCapabilities) {
        switch self {
        case .screen(var writer):
            writer.capabilities = capabilities
            self = .screen(writer)
        case .inline(var writer):
            writer.capabilities = capabilities
            self = .inline(writer)
        case .lines: break
        }
    }

    mutating func enter() -> [UInt8] {
        switch self {
        case .screen(var writer):
            defer { self = .screen(writer) }
            return writer.enter()
        case .inline(var writer):
            defer { self = .inline(writer) }
            return writer.enter()
        case .lines: return []
        }
    }

    /// What ends the program's picture.
    mutating func leave() -> [UInt8] {
        switch self {
        case .screen: return FrameWriter.leave.bytes
        case .inline(var writer):
            defer { self = .inline(writer) }
            return writer.leave()
        case .lines(var writer):
            defer { self = .lines(writer) }
            return writer.end()
        }
    }

    /// What ends it if there is no time for more.
    var emergency: [UInt8] {
        switch self {
        case .screen: FrameWriter.leave.bytes
        case .inline: InlineWriter.emergency.bytes
        case .lines: []
        }
    }

    mutating func invalidate() {
        switch self {
        case .screen(var writer):
            writer.invalidate()
            self = .screen(writer)
        case .inline(var writer):
            writer.invalidate()
            self = .inline(writer)
        case .lines: break
        }
    }

    /// The bytes that show a frame.
    ///
    /// - Parameters:
    ///   - canvas: The frame.
    ///   - lines: What is printed above it, if it is not on a screen of its own.
    ///   - size: The size of the terminal.
    mutating func bytes(for canvas: Canvas, printing lines: [StyledText], in size: Size) -> [UInt8] {
        switch self {
        case .screen(var writer):
            self = .lines(LineWriter(.last))  // So that the writer is not shared, and its cells are not copied.
            defer { self = .screen(writer) }
            return writer.bytes(for: canvas)
        case .inline(var writer):
            self = .lines(LineWriter(.last))
            defer { self = .inline(writer) }
            return writer.bytes(for: canvas, committing: lines, terminal: size)
        case .lines(var writer):
            defer { self = .lines(writer) }
            return writer.bytes(for: canvas, committing: lines)
        }
    }
}

extension StaticString {
    var bytes: [UInt8] { Array(UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)) }
}
