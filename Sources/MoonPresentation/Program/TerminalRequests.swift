import Streams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A request to the program on a terminal from other code.
enum TerminalRequest: Sendable {
    /// Prints lines above the program.
    case print([StyledText])
    /// Sends bytes that are no part of a frame.
    case send([UInt8])
    /// Runs another program on the terminal, and reports its end.
    case lend(ChildProcess, @Sendable (Result<ChildProcess.Exit, SystemError>) -> Void)
    /// Ends the program.
    case end(ProgramEnding)
}

/// The queue of requests to the program on a terminal. Thread-safe.
final class TerminalRequests: Sendable {
    private struct State {
        var waiting: [TerminalRequest] = []
        var wake: (@Sendable () -> Void)?
        /// The number of the current program.
        var program = 0
    }
    private let state = Lock(State())

    /// Adds a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - program: The number of the program; nil for the current one.
    /// - Returns: False if that program is not shown.
    @discardableResult
    func add(_ request: TerminalRequest, for program: Int? = nil) -> Bool {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            guard program == nil || program == state.program, let wake = state.wake else { return nil }
            state.waiting.append(request)
            return wake
        }
        wake?()
        return wake != nil
    }

    /// Wakes the program's thread or queue.
    func wake() { state.withLock { $0.wake }?() }

    func take() -> [TerminalRequest] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Opens the queue for a new program.
    ///
    /// - Returns: The number of the program.
    @discardableResult
    func open(_ wake: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state = State(wake: wake, program: state.program + 1)
            return state.program
        }
    }

    /// Closes the queue. Pending requests for the terminal fail.
    func close() {
        // The function that wakes the program is released outside the lock.
        let former = state.withLock { state in
            defer { state = State(program: state.program) }
            return state
        }
        for case .lend(let process, let answer) in former.waiting { answer(.failure(.noTerminal(for: process))) }
    }
}

extension SystemError {
    /// An error for a program that needs a terminal on which none is shown.
    static func noTerminal(for process: ChildProcess) -> SystemError {
        SystemError(code: ENOTTY, attempt: "run \(process.program) on a terminal on which no program is shown")
    }
}
