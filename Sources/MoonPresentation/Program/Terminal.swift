import Streams
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A terminal that shows a program: that of the process, or one at the other end of a connection.
///
/// ```swift
/// try program.run()                      // on the terminal of the process
///
/// let terminal = Terminal(size: size, environment: ["TERM": term]) { bytes in connection.write(bytes) }
/// connection.onData { terminal.receive($0) }
/// connection.onClose { terminal.hangUp() }
/// try await program.run(on: terminal)    // one of many, for example in an SSH server
/// ```
/// A terminal shows one program at a time.
public final class Terminal: Sendable {
    /// The terminal of the process: its standard input and output.
    public static let standard = Terminal(input: STDIN_FILENO, output: STDOUT_FILENO)

    enum Kind: Sendable {
        case descriptors(input: Descriptor, output: Descriptor)
        case connection(Connection)
    }

    let kind: Kind
    let capabilities: TerminalCapabilities
    private let isTaken = Atomic(false)
    /// The requests to the program that is shown.
    let requests = TerminalRequests()

    /// Creates a terminal of two descriptors, for example of `/dev/tty`.
    ///
    /// - Parameters:
    ///   - input: The descriptor of the keys, which stays open.
    ///   - output: The descriptor of the frames, which stays open.
    public init(input: Int32, output: Int32) {
        kind = .descriptors(input: Descriptor(number: input), output: Descriptor(number: output))
        capabilities = TerminalCapabilities { name in getenv(name).map { String(cString: $0) } }
    }

    /// Creates a terminal at the other end of a connection.
    ///
    /// - Parameters:
    ///   - size: The size of its window.
    ///   - environment: Its environment, of which `TERM` matters most.
    ///   - write: Sends bytes to the terminal. Called in order, on a queue of the terminal. No frame is made while it blocks.
    public init(size: Size, environment: [String: String], write: @escaping @Sendable ([UInt8]) -> Void) {
        kind = .connection(Connection(size: size, write))
        capabilities = TerminalCapabilities { environment[$0] }
    }

    /// Indicates whether a program can be shown: input and output are a terminal that understands control sequences.
    public var canShow: Bool {
        guard !capabilities.isDumb else { return false }
        if case .descriptors(let input, let output) = kind { return input.isTerminal && output.isTerminal }
        return true
    }

    /// The size of the window.
    package var size: Size {
        switch kind {
        case .descriptors(_, let output): output.windowSize
        case .connection(let connection): connection.size
        }
    }

    // MARK: The other end of a connection

    /// Passes input from the other end of the connection to the program. Thread-safe, and in the order of the calls.
    public func receive(_ bytes: [UInt8]) { connection.deliver(.bytes(bytes)) }

    /// Reports that the window at the other end was resized.
    public func resize(to size: Size) { connection.deliver(.size(size)) }

    /// Reports that the connection is closed. The program ends with ``ProgramEnding/hangup``.
    public func hangUp() { connection.deliver(.end) }

    private var connection: Connection {
        guard case .connection(let connection) = kind else {
            preconditionFailure(
                "this terminal reads from its descriptors: create it with init(size:environment:write:) to pass bytes")
        }
        return connection
    }

    // MARK: One program at a time

    /// Reserves the terminal for a program.
    func take() throws(ProgramError) {
        guard !isTaken.exchange(true, ordering: .acquiring) else { throw .inUse }
    }

    func giveBack() { isTaken.store(false, ordering: .releasing) }

    // MARK: While a program is shown

    /// Runs another program on the terminal, such as an editor, and waits for its end. Then the current program is shown again.
    ///
    /// ```swift
    /// .run { send in
    ///     _ = try? await Terminal.standard.run("vi", [path])
    ///     send(.edited(try? load(path)))
    /// }
    /// ```
    /// - Parameters:
    ///   - program: The name, which is looked up in `PATH`, or the path.
    ///   - arguments: The arguments.
    /// - Returns: The end of the program.
    /// - Throws: The error if it cannot be started, or `ENOTTY` if no program is shown on this terminal.
    public func run(_ program: String, _ arguments: [String] = []) async throws(SystemError) -> ChildProcess.Exit {
        let process = ChildProcess(program, arguments)
        let result: Result<ChildProcess.Exit, SystemError> = await withCheckedContinuation { continuation in
            if !requests.add(.lend(process) { continuation.resume(returning: $0) }) {
                continuation.resume(returning: .failure(.noTerminal(for: process)))
            }
        }
        return try result.get()
    }

    /// Prints lines above an inline program. They stay when the program ends.
    public func print(_ lines: StyledText...) { requests.add(.print(lines)) }

    /// Copies text to the clipboard of the user's terminal, if it allows that (OSC 52).
    ///
    /// - Returns: False if the text is too long, or no program is shown.
    @discardableResult
    public func copy(_ text: String) -> Bool {
        guard let bytes = TerminalSequence.clipboard(text) else { return false }
        return requests.add(.send(bytes))
    }

    /// Ends the program that is shown.
    package func end() { requests.add(.end(.finished)) }
}
