import Dispatch
import Moonlight
import Streams
import SystemCalls

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension Program {
    /// Runs the program until it ends, and restores the terminal.
    ///
    /// On the main thread, as in `main.swift`, it runs the main actor's work meanwhile. Asynchronous code uses the form with
    /// `await`.
    ///
    /// If the input or the output is not a terminal, the program prints only its last frame: see <doc:Terminals-and-widths>.
    ///
    /// - Parameters:
    ///   - terminal: The terminal.
    ///   - catchingSignals: The reaction to a signal that asks the process to end: true to end only the program, with
    ///     ``ProgramEnding/signal(_:)``; false to restore the terminal and end the process. `SIGQUIT` always ends the process.
    /// - Returns: The reason of the end. `exit(ending.exitCode)` reports it to a shell.
    /// - Throws: A ``ProgramError`` if the program cannot run, or the error that its view has thrown.
    @available(*, noasync, message: "use the asynchronous form, with await: this one blocks its thread")
    @discardableResult
    public func run(on terminal: Terminal = .standard, catchingSignals: Bool = false) throws -> ProgramEnding {
        let result = Outcome()
        #if canImport(Darwin)
            let turning = MainThread.Turning()
        #else
            let turning = try MainThread.Turning()
        #endif
        if MainThread.isCurrent {
            try start(on: terminal) {
                result.set($0)
                turning.end()
            }
            MainThread.turn(until: turning)
        } else {
            let isOver = DispatchSemaphore(value: 0)
            try start(on: terminal) {
                result.set($0)
                isOver.signal()
            }
            isOver.wait()
        }
        return try Self.followSignal(of: result.value, isCaught: catchingSignals)
    }

    /// Runs the program until it ends, and restores the terminal. If the calling task is cancelled, the program ends.
    ///
    /// - Parameters:
    ///   - terminal: The terminal.
    ///   - catchingSignals: The reaction to a signal that asks the process to end: true to end only the program, with
    ///     ``ProgramEnding/signal(_:)``; false to restore the terminal and end the process. `SIGQUIT` always ends the process.
    /// - Returns: The reason of the end.
    /// - Throws: A ``ProgramError`` if the program cannot run, the error that its view has thrown, or a `CancellationError`.
    @discardableResult
    public func run(on terminal: Terminal = .standard, catchingSignals: Bool = false) async throws -> ProgramEnding {
        // Started on the caller's actor, so that closures of the feedback belong to it.
        let result = Outcome()
        let program = try start(on: terminal) { result.set($0) }
        await withTaskCancellationHandler {
            // Also in a cancelled task: the terminal still has to be restored.
            await result.wait()
        } onCancel: {
            // The number protects the next program on this terminal.
            terminal.requests.add(.end(.finished), for: program)
        }
        try Task.checkCancellation()
        return try Self.followSignal(of: result.value, isCaught: catchingSignals)
    }

    /// Returns the end of a run, or ends the process by the signal that ended it.
    private static func followSignal(
        of result: Result<ProgramEnding, any Error>, isCaught: Bool
    ) throws -> ProgramEnding {
        let ending = try result.get()
        if case .signal(let number) = ending, !isCaught || number == SIGQUIT { SignalAction.die(of: number) }
        return ending
    }

    /// Starts the program on a dedicated thread or queue.
    ///
    /// - Parameter completion: Called there when the program has ended and the terminal is restored.
    /// - Returns: The number of the program on the terminal.
    @discardableResult
    private func start(
        on terminal: Terminal, _ completion: @escaping @Sendable (Result<ProgramEnding, any Error>) -> Void
    ) throws -> Int {
        try settings.check()
        try terminal.take()
        let size = terminal.size
        let (loop, notes) = start()
        switch terminal.kind {
        case .descriptors(let input, let output):
            let signals: SignalMail
            do throws(SystemError) { signals = try DescriptorDriver.mail() } catch {
                terminal.giveBack()
                throw ProgramError.terminal(error)
            }
            let number = terminal.requests.open { signals.wakeUp() }
            let core = ProgramCore(loop, notes, settings, size: size) { signals.wakeUp() }
            let session = Session(
                core, settings, terminal.capabilities, size: size, isTerminal: input.isTerminal && output.isTerminal)
            let driver = UncheckedTransfer(DescriptorDriver(session, signals, input: input, output: output, terminal.requests))
            // Sound: from here on, only the thread uses the driver and its program.
            startThread {
                let result = Result<ProgramEnding, any Error> {
                    let ending = try driver.value.run()
                    if let failure = driver.value.session.failure { throw failure }
                    return ending
                }
                terminal.giveBack()
                completion(result)
            }
            return number
        case .connection(let connection):
            let requests = terminal.requests
            let core = ProgramCore(loop, notes, settings, size: size) { requests.wake() }
            let session = Session(core, settings, terminal.capabilities, size: size, isTerminal: true)
            let driver = ConnectionDriver(session, connection, requests)
            let number = requests.open { driver.wake() }
            let held = UncheckedTransfer(session)
            driver.start { ending in
                terminal.giveBack()
                completion(held.value.failure.map(Result.failure) ?? .success(ending))
            }
            return number
        }
    }
}

/// The result of a run, set once.
private final class Outcome: Sendable {
    private struct State {
        var value: Result<ProgramEnding, any Error>?
        var waiting: CheckedContinuation<Void, Never>?
    }
    private let state = Lock(State())

    var value: Result<ProgramEnding, any Error> {
        state.withLock { $0.value } ?? .success(.finished)
    }

    func set(_ value: Result<ProgramEnding, any Error>) {
        let waiting = state.withLock { state in
            state.value = value
            return state.waiting.take()
        }
        waiting?.resume()
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isSet = state.withLock { state in
                if state.value == nil { state.waiting = continuation }
                return state.value != nil
            }
            if isSet { continuation.resume() }
        }
    }
}

/// The reason of a program's end.
public enum ProgramEnding: Hashable, Sendable {
    /// The user ended the program by a key.
    case quit
    /// The state ended the program, or its loop has ended.
    case finished
    /// A signal asked the process to end.
    case signal(Int32)
    /// The terminal was closed.
    case hangup

    /// The exit code for a shell: 0, or 128 plus the number of the signal.
    public var exitCode: Int32 {
        switch self {
        case .quit, .finished: 0
        case .signal(let number): 128 + number
        case .hangup: 128 + SIGHUP
        }
    }
}

/// An error that prevents a program from running.
public enum ProgramError: Error, Hashable, CustomStringConvertible {
    /// A table has these keys more than once.
    case duplicateKeys([Key])
    /// The terminal shows another program of this process.
    case inUse
    /// The terminal cannot be used.
    case terminal(SystemError)

    /// The problem and its cause.
    public var description: String {
        switch self {
        case .duplicateKeys(let keys):
            "a table of keys has more than one line for \(Set(keys.map(\.name)).sorted().joined(separator: ", "))"
        case .inUse: "the terminal shows another program of this process"
        case .terminal(let error): "the terminal cannot be used: \(error)"
        }
    }
}
