import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Runs a program on a terminal that the process has by its descriptors, on a thread that does nothing else.
///
/// The thread sleeps until a key, a signal, a new state or an errand wakes it. An idle program does nothing at all.
final class DescriptorDriver {
    let session: any TerminalSession
    let signals: SignalMail
    let input: Descriptor
    let output: Descriptor
    let errands: Errands
    /// The output once more, so that writing to it never blocks, if that is possible.
    let screen: Descriptor
    private(set) var mode: RawMode?
    /// How far a program has come that has no terminal to be shown on; nil if it has one.
    private var stage: Stage?
    private let quiet = Quiet()
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    /// When an unfinished key has waited long enough.
    private var endOfPause: ContinuousClock.Instant?

    /// How many bytes are more than a key or two that a user has pressed.
    private static let burst = 32
    /// How long to go on reading before a frame is due, if keys never stop coming.
    private static let longestReading = Duration.milliseconds(8)
    /// How long a terminal may take to accept what ends the program, in milliseconds.
    static let patience: Int32 = 1000

    /// What a program without a terminal does, one after the other.
    private enum Stage {
        /// It waits until nothing is in flight that its first state has asked for.
        case starting
        /// It reads keys to the end of the input.
        case reading
        /// It waits until nothing is in flight that the keys have asked for.
        case ending
    }

    /// Indicates whether nothing has been in flight since that was asked.
    private final class Quiet: Sendable { let isReached = Atomic(false) }

    static let caught = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT]

    init(_ session: any TerminalSession, _ signals: SignalMail, input: Descriptor, output: Descriptor, _ errands: Errands) {
        self.session = session
        self.signals = signals
        self.input = input
        self.output = output
        self.errands = errands
        screen = output.reopenedForWriting() ?? output
        if !input.isTerminal || !output.isTerminal { stage = .starting }
    }

    /// Runs the program to its end. Then the terminal is as it was before.
    func run() throws(ProgramError) -> ProgramEnding {
        do throws(SystemError) {
            if stage == nil {
                let mode = try RawMode(input)
                try mode.enter()
                self.mode = mode
            }
        } catch {
            session.close()
            finish()
            throw .terminal(error)
        }
        let start = ContinuousClock.now
        arm()
        session.open()
        flush()
        if stage != nil { awaitQuiet() }
        while session.ending == nil { turn() }
        let ending = session.ending ?? .finished
        session.close()
        takeAnswers(since: start)
        mode?.dropInput()
        screen.writeAll(session.output, waiting: Self.patience)
        session.output = []
        mode?.leave()
        finish()
        return ending
    }

    private func finish() {
        errands.close()
        signals.close()
        Restoration.stop()
        if screen != output { screen.close() }
    }

    /// Answers of the terminal that are still on their way must not reach whoever reads next.
    private func takeAnswers(since start: ContinuousClock.Instant) {
        while !session.hasAnswered, ContinuousClock.now - start < .milliseconds(250), session.ending != .hangup {
            guard input.wait(for: POLLIN, 50) else { return }
            guard case .bytes(let count) = input.read(into: &buffer) else { return }
            session.receive(buffer[..<count])
        }
    }

    func arm() {
        if let mode { Restoration.arm(mode, output: screen, session.restoration) }
    }

    // MARK: A turn

    private func turn() {
        if quiet.isReached.exchange(false, ordering: .acquiring) { goOnWithoutTerminal() }
        doErrands()
        if session.wantsSuspension {
            session.wantsSuspension = false
            suspend { kill(0, SIGTSTP) }
        }
        // A frame is made only when the terminal has taken what came before.
        flush()
        let putOff = session.turn(at: .now)
        flush()
        guard session.ending == nil, session.fallAsleep(isPutOff: putOff != nil) else { return }
        var wait = putOff
        if let endOfPause {
            let rest = endOfPause - .now
            wait = min(rest, wait ?? rest)
        }
        var requests = [
            pollfd(fd: signals.descriptor.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stage == nil || stage == .reading ? input.number : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: session.output.isEmpty ? -1 : screen.number, events: Int16(POLLOUT), revents: 0),
        ]
        let count = poll(&requests, 3, wait.map(Self.milliseconds) ?? -1)
        session.awake()
        if count > 0, requests[0].revents != 0 { takeSignals() }
        if count > 0, requests[1].revents != 0 { readKeys() }
        if let end = endOfPause, ContinuousClock.now >= end {
            endOfPause = nil
            session.endOfPause()
        }
    }

    /// Rounded up, so that a wait is not over too early.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, rest) = duration.components
        return max(0, Int32(clamping: seconds * 1000 + (rest + 999_999_999_999_999) / 1_000_000_000_000_000))
    }

    /// Sends as much as the terminal takes at once. The rest waits, and no frame is made meanwhile.
    func flush() {
        let bytes = session.output
        guard !bytes.isEmpty, !Restoration.isUndone else { return }
        do throws(SystemError) {
            let count = try screen.write(bytes[...])
            session.output = count == bytes.count ? [] : Array(bytes[count...])
        } catch {
            session.output = []
            session.end(.hangup)
        }
    }

    private func readKeys() {
        var start: ContinuousClock.Instant?
        while true {
            var isBurst = false
            switch input.read(into: &buffer) {
            case .bytes(let count):
                session.receive(buffer[..<count])
                isBurst = count >= Self.burst
            case .nothingNow: break
            // A terminal is gone; of a pipe, all has been read.
            case .end:
                if stage == nil { return session.end(.hangup) }
                stage = .ending
                return awaitQuiet()
            }
            // More of it is there at once, if many keys come together. They share a frame.
            guard isBurst, input.wait(for: POLLIN, 0), session.ending == nil else { break }
            let now = ContinuousClock.now
            guard now - (start ?? now) < Self.longestReading else { break }
            start = start ?? now
        }
        session.endOfBytes()
        endOfPause = nil
        if let pause = session.pause { endOfPause = .now + pause }
    }

    // MARK: Without a terminal

    private func awaitQuiet() {
        session.whenQuiet { [quiet, signals] in
            quiet.isReached.store(true, ordering: .releasing)
            signals.wakeUp()
        }
    }

    private func goOnWithoutTerminal() {
        // Keys of a terminal whose user sees nothing of the program are not meant for it.
        stage = stage == .starting && !input.isTerminal ? .reading : nil
        if stage == nil { session.end(.finished) }
    }

    private func takeSignals() {
        for signal in signals.take() {
            switch signal {
            case SignalMail.wake: break
            case SIGWINCH: session.resize(to: output.windowSize)
            case SIGTSTP: suspend { kill(getpid(), SIGTSTP) }
            // After a stop that could not be caught, when the shell has set the terminal to its liking.
            case SIGCONT: comeBack()
            default: session.end(.signal(signal))
            }
        }
    }
}
