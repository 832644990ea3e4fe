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
        /// Counts the programs.
        var program = 0
    }
    private let state = Lock(State())

    /// Indicates whether a program is there that does them.
    var isOpen: Bool { state.withLock { $0.wake != nil } }

    /// Adds an errand.
    ///
    /// - Parameters:
    ///   - errand: The errand.
    ///   - program: The program that it is meant for; nil for the one that is there.
    /// - Returns: False if that program is not there.
    @discardableResult
    func add(_ errand: Errand, for program: Int? = nil) -> Bool {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            guard program == nil || program == state.program, let wake = state.wake else { return nil }
            state.waiting.append(errand)
            return wake
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

    /// Takes errands for a program from now on.
    ///
    /// - Returns: The number of the program.
    @discardableResult
    func open(_ wake: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state = State(wake: wake, program: state.program + 1)
            return state.program
        }
    }

    /// Refuses further errands. Those that have not been done are answered.
    func close() {
        let left = state.withLock { state in
            defer { state = State(program: state.program) }
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
