import Streams
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The terminal on which a program is shown: the one in front of the user, or one at the other end of a connection.
///
/// ```swift
/// try program.run()                      // on the terminal that the process was started in
///
/// let terminal = Terminal(size: size, environment: ["TERM": term]) { bytes in connection.write(bytes) }
/// connection.onData { terminal.receive($0) }
/// connection.onClose { terminal.hangUp() }
/// try await program.run(on: terminal)    // one of many in the same process, as in an SSH server
/// ```
/// A terminal shows one program at a time.
public final class Terminal: Sendable {
    /// The terminal that the process was started in: its standard input and output.
    public static let standard = Terminal(input: STDIN_FILENO, output: STDOUT_FILENO)

    enum Kind: Sendable {
        case descriptors(input: Descriptor, output: Descriptor)
        case connection(Connection)
    }

    let kind: Kind
    let capabilities: TerminalCapabilities
    private let isTaken = Atomic(false)
    /// What the program that is shown is asked to do meanwhile.
    let errands = Errands()

    /// A terminal by its descriptors.
    ///
    /// - Parameters:
    ///   - input: Where the keys come from; it stays open.
    ///   - output: Where the frames go; it stays open.
    public init(input: Int32, output: Int32) {
        kind = .descriptors(input: Descriptor(number: input), output: Descriptor(number: output))
        capabilities = TerminalCapabilities { name in getenv(name).map { String(cString: $0) } }
    }

    /// A terminal at the other end of a connection.
    ///
    /// - Parameters:
    ///   - size: The size of its window.
    ///   - environment: Its environment, of which `TERM` matters most.
    ///   - write: Sends bytes to the terminal, in order, on a queue of the terminal's own. While it blocks, no frame is made.
    public init(size: Size, environment: [String: String], write: @escaping @Sendable ([UInt8]) -> Void) {
        kind = .connection(Connection(size: size, write))
        capabilities = TerminalCapabilities { environment[$0] }
    }

    /// Indicates whether a program can be shown: keys come from a terminal, and it can be drawn on.
    public var canShow: Bool {
        guard !capabilities.isDumb else { return false }
        if case .descriptors(let input, let output) = kind { return input.isTerminal && output.isTerminal }
        return true
    }

    /// The size of the window.
    public var size: Size {
        switch kind {
        case .descriptors(_, let output): output.windowSize
        case .connection(let connection): connection.size
        }
    }

    // MARK: The other end of a connection

    /// Passes on what the user has typed, at the other end of a connection. Safe from any thread; in the order of the calls.
    public func receive(_ bytes: [UInt8]) { connection.deliver(.bytes(bytes)) }

    /// Says that the window at the other end has another size.
    public func resize(to size: Size) { connection.deliver(.size(size)) }

    /// Says that the connection is closed. The program ends with ``ProgramEnding/hangup``.
    public func hangUp() { connection.deliver(.end) }

    private var connection: Connection {
        guard case .connection(let connection) = kind else {
            preconditionFailure("this terminal reads its input itself; only one that was created with a size is passed bytes")
        }
        return connection
    }

    // MARK: One program at a time

    /// Takes it for a program.
    func take() throws(ProgramError) {
        guard !isTaken.exchange(true, ordering: .acquiring) else { throw .inUse }
    }

    func giveBack() { isTaken.store(false, ordering: .releasing) }

    // MARK: While a program is shown

    /// Lends the terminal to another program, such as an editor, and waits for its end. Then the program that was shown is drawn again.
    ///
    /// ```swift
    /// .run { send in
    ///     _ = try? await Terminal.standard.run("vi", [path])
    ///     send(.edited(try? load(path)))
    /// }
    /// ```
    /// - Parameters:
    ///   - program: Its name, which is looked up in `PATH`, or its path.
    ///   - arguments: Its arguments.
    /// - Returns: How it ended.
    /// - Throws: The reason if it cannot be started, or if no program is shown on this terminal, as `ENOTTY`.
    public func run(_ program: String, _ arguments: [String] = []) async throws(SystemError) -> ChildProcess.Exit {
        let process = ChildProcess(program, arguments)
        let result: Result<ChildProcess.Exit, SystemError> = await withCheckedContinuation { continuation in
            if !errands.add(.lend(process) { continuation.resume(returning: $0) }) {
                continuation.resume(returning: .failure(.noTerminal(for: process)))
            }
        }
        return try result.get()
    }

    /// Prints lines above a program that has no screen of its own. They stay when the program has ended.
    public func print(_ lines: StyledText...) { errands.add(.print(lines)) }

    /// Puts text onto the clipboard of the user's terminal, wherever that is, if it allows that (OSC 52).
    ///
    /// - Returns: False if the text is too long for that, or no program is shown.
    @discardableResult
    public func copy(_ text: String) -> Bool {
        guard let bytes = TerminalSequence.clipboard(text) else { return false }
        return errands.add(.send(bytes))
    }

    /// Ends the program that is shown.
    public func end() { errands.add(.end(.finished)) }
}
