import Dispatch
import Moonlight
import Streams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The reaction to a signal that asks the process to end while a program runs.
public enum SignalPolicy: Hashable, Sendable {
    /// The terminal is restored, and then the signal ends the process, as it would have done without the program.
    case raise
    /// The program ends, and tells the signal. `SIGQUIT`, which asks for a core dump, ends the process all the same.
    case end
}

extension Program {
    /// Runs the program, and returns when it has ended. The terminal is then as it was before, whatever has ended it.
    ///
    /// Called on the main thread, as in `main.swift`, it runs the main actor's work meanwhile. From asynchronous code, use the form with
    /// `await`.
    ///
    /// Without a terminal to be shown on, as if the input or the output is a pipe or a file, it prints its last frame:
    ///
    /// 1. It waits until nothing is in flight, so that what the first state asks for is there: effects, and reactions to the state.
    ///    Other streams of feedback are not waited for.
    /// 2. It reads keys from the input to its end, unless the input is a terminal: the user of `program | cat` does not see what a key
    ///    would do. A key that ends the program ends it at once.
    /// 3. It waits until nothing is in flight that the keys have asked for, and prints the frame.
    ///
    /// An effect or a reaction that never ends keeps such a program running until ``ends(when:)`` or a signal ends it. Whether there is a
    /// terminal tells ``Terminal/canShow`` before.
    ///
    /// - Parameters:
    ///   - terminal: Where to show it.
    ///   - policy: What happens on a signal.
    /// - Returns: Why it has ended. `exit(ending.exitCode)` tells it to a shell.
    /// - Throws: A ``ProgramError`` if it cannot run, or the error that its view has thrown.
    @available(*, noasync, message: "Await the asynchronous form: this one blocks its thread.")
    @discardableResult
    public func run(on terminal: Terminal = .standard, onSignal policy: SignalPolicy = .raise) throws -> ProgramEnding {
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
        return try policy.follow(result.value)
    }

    /// Runs the program, and returns when it has ended. The terminal is then as it was before, whatever has ended it.
    ///
    /// If the calling task is cancelled, the program ends. Without a terminal to be shown on, it prints its last frame, as the other form
    /// says.
    ///
    /// - Parameters:
    ///   - terminal: Where to show it.
    ///   - policy: What happens on a signal.
    /// - Returns: Why it has ended.
    /// - Throws: A ``ProgramError`` if it cannot run, the error that its view has thrown, or a `CancellationError`.
    @discardableResult
    public func run(on terminal: Terminal = .standard, onSignal policy: SignalPolicy = .raise) async throws -> ProgramEnding {
        // Started here, so that what feedback forms on an actor belongs to that actor.
        let result = Outcome()
        let stream = AsyncStream<Void> { continuation in
            result.whenSet { continuation.finish() }
        }
        let program = try start(on: terminal) { result.set($0) }
        await withTaskCancellationHandler {
            for await _ in stream {}
            // A cancelled task is not waiting any more, but the terminal has to be restored all the same.
            await result.wait()
        } onCancel: {
            // Not the program that may be next on this terminal.
            terminal.errands.add(.end(.finished), for: program)
        }
        try Task.checkCancellation()
        return try policy.follow(result.value)
    }

    /// Starts the program on a thread or a queue of its own.
    ///
    /// - Parameter completion: Called there when it has ended and the terminal is restored.
    /// - Returns: Its number among the programs on the terminal.
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
            do throws(SystemError) { signals = try SignalMail(DescriptorDriver.caught) } catch {
                terminal.giveBack()
                throw ProgramError.terminal(error)
            }
            let number = terminal.errands.open { signals.wakeUp() }
            let core = ProgramCore(loop, notes, settings, size: settings.display.size(in: size)) { signals.wakeUp() }
            let session = Session(
                core, settings, terminal.capabilities, size: size, isTerminal: input.isTerminal && output.isTerminal)
            let driver = UncheckedTransfer(DescriptorDriver(session, signals, input: input, output: output, terminal.errands))
            // Sound: nobody but the thread uses the driver, and the program that it has, from here on.
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
            let wake = Wake()
            let core = ProgramCore(loop, notes, settings, size: settings.display.size(in: size)) { wake() }
            let session = Session(core, settings, terminal.capabilities, size: size, isTerminal: true)
            let driver = ConnectionDriver(session, connection, terminal.errands)
            wake.set { driver.wake() }
            let number = terminal.errands.open { wake() }
            let held = UncheckedTransfer(session)
            driver.start { ending in
                wake.set(nil)
                terminal.giveBack()
                completion(held.value.failure.map(Result.failure) ?? .success(ending))
            }
            return number
        }
    }
}

extension SignalPolicy {
    fileprivate func follow(_ result: Result<ProgramEnding, any Error>) throws -> ProgramEnding {
        let ending = try result.get()
        if case .signal(let number) = ending, self == .raise || number == SIGQUIT { SignalAction.die(of: number) }
        return ending
    }
}

/// A closure that is known later than where it is called.
private final class Wake: Sendable {
    private let closure = Lock<(@Sendable () -> Void)?>(nil)

    func set(_ new: (@Sendable () -> Void)?) {
        let old = closure.withLock { closure in
            defer { closure = new }
            return closure
        }
        discard(old)
    }

    func callAsFunction() { closure.withLock { $0 }?() }
}

/// What a run has led to, set once.
private final class Outcome: Sendable {
    private struct State {
        var value: Result<ProgramEnding, any Error>?
        var tell: [@Sendable () -> Void] = []
    }
    private let state = Lock(State())

    var value: Result<ProgramEnding, any Error> {
        state.withLock { $0.value } ?? .success(.finished)
    }

    func set(_ value: Result<ProgramEnding, any Error>) {
        let tell = state.withLock { state in
            state.value = value
            defer { state.tell = [] }
            return state.tell
        }
        for tell in tell { tell() }
    }

    func whenSet(_ tell: @escaping @Sendable () -> Void) {
        let isSet = state.withLock { state in
            if state.value == nil { state.tell.append(tell) }
            return state.value != nil
        }
        if isSet { tell() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in whenSet { continuation.resume() } }
    }
}
