import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Runs a program on a terminal by its descriptors, on a dedicated thread.
///
/// The thread sleeps until a key, a signal, a new state or a request wakes it. An idle program causes no wake-ups.
final class DescriptorDriver {
    let session: any TerminalSession
    let signals: SignalMail
    let input: Descriptor
    let output: Descriptor
    let requests: TerminalRequests
    /// A non-blocking descriptor of the output, if possible.
    let screen: Descriptor
    private(set) var mode: RawMode?
    /// The modes that ``Restoration`` resets.
    private var armed: TerminalModes = []
    /// The stage of a program without a terminal; nil with a terminal.
    private var stage: Stage?
    private let quiet = Quiet()
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    /// The time at which an incomplete key is decided.
    private var endOfPause: ContinuousClock.Instant?

    /// The number of bytes that are more than a few keys of a user.
    private static let burst = 32
    /// The longest time to read keys before a frame is drawn.
    private static let longestReading = Duration.milliseconds(8)
    /// The longest wait for the terminal to accept the final bytes, in milliseconds.
    static let patience: Int32 = 1000

    /// The stages of a program without a terminal.
    private enum Stage {
        /// Waits until nothing of the first state is in flight.
        case starting
        /// Reads keys to the end of the input.
        case reading
        /// Waits until nothing of the keys is in flight.
        case ending
    }

    /// A flag that is set when nothing is in flight.
    private final class Quiet: Sendable { let isReached = Atomic(false) }

    /// Catches the signals of a program: those that it always handles, and those that it leaves to other handlers and subscribers.
    static func mail() throws(SystemError) -> SignalMail {
        try SignalMail([SIGWINCH, SIGCONT], yielding: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP])
    }

    init(
        _ session: any TerminalSession, _ signals: SignalMail, input: Descriptor, output: Descriptor, _ requests: TerminalRequests
    ) {
        self.session = session
        self.signals = signals
        self.input = input
        self.output = output
        self.requests = requests
        screen = output.reopenedForWriting() ?? output
        if !input.isTerminal || !output.isTerminal { stage = .starting }
    }

    /// Runs the program to its end, and restores the terminal.
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
        // Lines that were printed while the program ended.
        handleRequests()
        session.close()
        takeAnswers(since: start)
        leave()
        finish()
        return ending
    }

    private func finish() {
        requests.close()
        signals.close()
        Restoration.stop()
        if screen != output { screen.close() }
    }

    /// Reads outstanding replies of the terminal, which must not reach the next program.
    private func takeAnswers(since start: ContinuousClock.Instant) {
        while !session.hasAnswered, ContinuousClock.now - start < .milliseconds(250), session.ending != .hangup {
            guard input.wait(for: POLLIN, 50) else { return }
            guard case .bytes(let count) = input.read(into: &buffer) else { return }
            session.receive(buffer[..<count])
        }
    }

    func arm() {
        armed = session.modes
        if let mode { Restoration.arm(mode, output: screen, session.restoration) }
    }

    // MARK: A turn

    private func turn() {
        if quiet.isReached.exchange(false, ordering: .acquiring) { goOnWithoutTerminal() }
        handleRequests()
        if session.wantsSuspension {
            session.wantsSuspension = false
            // In a pipe, the byte of Ctrl-Z is no request.
            if stage == nil { suspend { kill(0, SIGTSTP) } }
        }
        // A frame is made only when the terminal has accepted the previous bytes.
        flush()
        let putOff = session.turn(at: .now)
        flush()
        guard session.ending == nil, session.fallAsleep(isPutOff: putOff != nil) else { return }
        var wait = putOff
        if let endOfPause {
            let rest = endOfPause - .now
            wait = min(rest, wait ?? rest)
        }
        var polled = [
            pollfd(fd: signals.descriptor.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stage == nil || stage == .reading ? input.number : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: session.output.isEmpty ? -1 : screen.number, events: Int16(POLLOUT), revents: 0),
        ]
        let count = poll(&polled, 3, wait.map(Self.milliseconds) ?? -1)
        session.awake()
        if count > 0, polled[0].revents != 0 { takeSignals() }
        if count > 0, polled[1].revents != 0 { readKeys() }
        if let end = endOfPause, ContinuousClock.now >= end {
            endOfPause = nil
            session.endOfPause()
        }
    }

    /// Milliseconds, rounded up.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, rest) = duration.components
        return max(0, Int32(clamping: seconds * 1000 + (rest + 999_999_999_999_999) / 1_000_000_000_000_000))
    }

    /// Writes the bytes that the terminal accepts at once. No frame is made while some are left.
    func flush() {
        let bytes = session.output
        guard !bytes.isEmpty, !Restoration.isUndone else { return }
        // The bytes may set modes, after a reply of the terminal or with the first title.
        if session.modes != armed { arm() }
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
            // At its end, a terminal was closed, and a pipe was read as a whole.
            case .end:
                if stage == nil { return session.end(.hangup) }
                // Nothing follows that could continue the last key.
                session.endOfPause()
                endOfPause = nil
                stage = .ending
                return awaitQuiet()
            }
            // Keys that arrive together share a frame.
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
        // Keys are not read from a terminal if only the output is a pipe. A negative descriptor is ignored by the system's wait.
        stage = stage == .starting && !input.isTerminal && input.number >= 0 ? .reading : nil
        if stage == nil { session.end(.finished) }
    }

    private func takeSignals() {
        for signal in signals.take() {
            switch signal {
            case SignalMail.wake: break
            case SIGWINCH: session.resize(to: output.windowSize)
            case SIGTSTP: suspend { kill(getpid(), SIGTSTP) }
            // After a stop that could not be caught, the shell has set its own mode.
            case SIGCONT: comeBack()
            default: session.end(.signal(signal))
            }
        }
    }
}

// Suspension, and other programs on the terminal.
extension DescriptorDriver {
    /// Stops the process until it is continued, with the terminal restored meanwhile.
    ///
    /// - Parameter stop: Sends the stop signal: to the process group, as the terminal does for Ctrl-Z, or to this process alone.
    func suspend(_ stop: () -> Int32) {
        hide()
        signals.release(SIGTSTP)
        _ = stop()
        // The signal may reach another thread first, and stop this one later. SIGCONT arrives when the process is continued. The
        // system does not stop an orphaned process; the wait then ends at its limit.
        _ = signals.descriptor.wait(for: POLLIN, 100)
        signals.catchAgain(SIGTSTP)
        show()
        for signal in signals.take() where ![SignalMail.wake, SIGCONT, SIGWINCH, SIGTSTP].contains(signal) {
            session.end(.signal(signal))
        }
    }

    /// Sets up the terminal again after a stop that could not be caught.
    func comeBack() {
        guard stage == nil else { return }
        session.suspend()
        // The rest of a frame is dropped. The terminal counts some modes, so that each beginning needs an end.
        session.output = session.modes.end
        show()
    }

    private func hide() {
        // Without a terminal there is nothing to hide, and the last frame is printed at the end only.
        guard stage == nil else { return }
        // Lines above an inline program are sent once only.
        screen.writeAll(session.output, waiting: Self.patience)
        session.suspend()
        leave()
        Restoration.disarm()
    }

    /// Writes the last output, and restores the terminal's mode.
    private func leave() {
        mode?.dropInput()
        screen.writeAll(session.output, waiting: Self.patience)
        session.output = []
        mode?.leave()
    }

    private func show() {
        guard stage == nil else { return }
        try? mode?.enter()
        session.resume(size: output.windowSize)
        arm()
    }

    func handleRequests() {
        for request in requests.take() {
            switch request {
            case .print(let lines): session.print(lines)
            case .send(let bytes): session.send(bytes)
            case .end(let ending): session.end(ending)
            case .lend(let command, let answer): answer(lend(to: command))
            }
        }
    }

    /// Runs another program on the terminal, and waits for its end.
    private func lend(to process: ChildProcess) -> Result<ChildProcess.Exit, SystemError> {
        guard session.ending == nil else { return .failure(.noTerminal(for: process)) }
        hide()
        defer { show() }
        // Keys are meant for the other program: Ctrl-C interrupts only that one, Ctrl-Z suspends both.
        signals.release(SIGTSTP)
        defer { signals.catchAgain(SIGTSTP) }
        do throws(SystemError) {
            let child = try RunningProcess.start(process, on: .terminal)
            while true {
                if let exit = child.poll() { return .success(exit) }
                guard signals.descriptor.wait(for: POLLIN, 20) else { continue }
                for signal in signals.take() where signal == SIGTERM || signal == SIGHUP {
                    child.signal(signal)
                    session.end(.signal(signal))
                }
            }
        } catch {
            return .failure(error)
        }
    }
}
