import Streams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the program on a terminal is asked to do from elsewhere.
enum Errand: Sendable {
    /// Prints lines above the program.
    case print([StyledText])
    /// Sends bytes that are no part of a frame.
    case send([UInt8])
    /// Lends the terminal to another program, and answers with how that ended.
    case lend(ChildProcess, @Sendable (Result<ChildProcess.Exit, SystemError>) -> Void)
    /// Ends the program.
    case end(ProgramEnding)
}

/// The errands that are waiting, which any thread may add to.
final class Errands: Sendable {
    private struct State {
        var waiting: [Errand] = []
        var wake: (@Sendable () -> Void)?
    }
    private let state = Lock(State())

    /// Whether a program is there that does them.
    var isOpen: Bool { state.withLock { $0.wake != nil } }

    /// Adds an errand.
    ///
    /// - Returns: False if there is no program.
    @discardableResult
    func add(_ errand: Errand) -> Bool {
        let wake = state.withLock { state in
            if state.wake != nil { state.waiting.append(errand) }
            return state.wake
        }
        wake?()
        return wake != nil
    }

    func take() -> [Errand] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    func open(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0 = State(wake: wake) } }

    /// Refuses further errands. Those that have not been done are answered.
    func close() {
        let left = state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
        for case .lend(let process, let answer) in left { answer(.failure(.noTerminal(for: process))) }
    }
}

extension SystemError {
    /// There is no terminal that could be lent to a process.
    static func noTerminal(for process: ChildProcess) -> SystemError {
        SystemError(code: ENOTTY, attempt: "run \(process.program) on a terminal on which no program is shown")
    }
}
