import MoonlightTestSupport
import Testing

@testable import MoonPresentation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One at a time: the handlers of signals are the process's.
@Suite("Signals: subscriptions, and the handlers that restore a terminal", .serialized)
struct SignalTests {
    #if canImport(Darwin)
        static let numbers: [Int32] = [30, 31]
    #else
        static let numbers: [Int32] = [10, 64]
    #endif

    @Test("Each subscriber of a signal receives it as a value; signal 64, the last one, too", arguments: numbers)
    func values(signal: Int32) async throws {
        var iterator = Signals.publisher(signal).values.makeAsyncIterator()
        async let first = iterator.next()
        // The subscription may begin later. Until then, the signal would end this process.
        try await until { raiseIfCaught(signal) }
        await expectEqual(first, signal)
    }

    @Test("A number that is no signal is ignored", arguments: [-1, 0, 65, Int32.max])
    func others(number: Int32) throws {
        let mail = try SignalMail([number])
        mail.wakeUp()
        expectEqual(mail.take(), [SignalMail.wake])
        mail.close()
    }

    /// A signal that only these tests use.
    private static let yielded: Int32 = SIGUSR2

    /// Sends a signal to this thread, and returns when it was handled. Threads of Dispatch block signals.
    private func deliver(_ signal: Int32) {
        var signals = sigset_t()
        var before = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, signal)
        pthread_sigmask(SIG_UNBLOCK, &signals, &before)
        raise(signal)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    @Test("A program does not receive a signal while it is subscribed to, whichever began first, and receives it afterwards")
    func subscribed() throws {
        let program = try SignalMail([], yielding: [Self.yielded])
        defer { program.close() }
        deliver(Self.yielded)
        expectEqual(program.take(), [Self.yielded])

        let subscription = try SignalMail([Self.yielded])
        let later = try SignalMail([], yielding: [Self.yielded])
        defer { later.close() }
        deliver(Self.yielded)
        expect(program.take() == [] && later.take() == [] && subscription.take() == [Self.yielded])

        subscription.close()
        deliver(Self.yielded)
        expect(program.take() == [Self.yielded] && later.take() == [Self.yielded])
    }

    @Test("A program leaves a signal alone that has a handler or is ignored")
    func handled() throws {
        defer { signal(Self.yielded, SIG_DFL) }
        let action = SignalHandlers()
        action.set({ _ in }, for: Self.yielded)
        let handler = SignalAction.handler(of: Self.yielded)
        let program = try SignalMail([], yielding: [Self.yielded])
        deliver(Self.yielded)
        expectEqual(program.take(), [])
        expectEqual(SignalAction.handler(of: Self.yielded), handler)

        // A subscription replaces the handler for its duration, and the program does not take part then or later.
        let subscription = try SignalMail([Self.yielded])
        let later = try SignalMail([], yielding: [Self.yielded])
        deliver(Self.yielded)
        expect(subscription.take() == [Self.yielded] && later.take() == [])
        subscription.close()
        expectEqual(SignalAction.handler(of: Self.yielded), handler)
        for mail in [program, later] { mail.close() }
        expectEqual(SignalAction.handler(of: Self.yielded), handler)

        signal(Self.yielded, SIG_IGN)
        try SignalMail([], yielding: [Self.yielded]).close()
        expect(SignalAction.isIgnored(Self.yielded))
    }

    @Test("A handler that is set while a program runs stays when it ends")
    func handledMeanwhile() throws {
        defer { signal(Self.yielded, SIG_DFL) }
        let program = try SignalMail([], yielding: [Self.yielded])
        let action = SignalHandlers()
        action.set({ _ in }, for: Self.yielded)
        let handler = SignalAction.handler(of: Self.yielded)
        program.close()
        expectEqual(SignalAction.handler(of: Self.yielded), handler)
    }

    #if os(Linux)
        /// A new terminal, and its other end.
        private func terminal() throws -> (keyboard: Descriptor, terminal: Descriptor) {
            let keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var unlocked: Int32 = 0
            var number: Int32 = 0
            // TIOCSPTLCK and TIOCGPTN, which Swift does not import.
            guard keyboard >= 0, ioctl(keyboard, 0x4004_5431, &unlocked) == 0, ioctl(keyboard, 0x8004_5430, &number) == 0 else {
                throw SystemError.last("make a terminal")
            }
            return (
                Descriptor(number: keyboard),
                Descriptor(number: open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC))
            )
        }

        @Test(
            "The handlers that restore a terminal are removed at the end of the program, except one that was replaced meanwhile")
        func handlers() throws {
            let (keyboard, terminal) = try terminal()
            defer {
                terminal.close()
                keyboard.close()
            }
            let signals = [SIGSEGV, SIGXFSZ, SIGXCPU]
            let before = signals.map(SignalAction.handler)

            Restoration.arm(try RawMode(terminal), output: terminal, [])
            let armed = signals.map(SignalAction.handler)
            for (former, now) in zip(before, armed) { expect(former != now) }
            let other = SignalHandlers()
            other.set({ _ in }, for: SIGXCPU)
            let replaced = SignalAction.handler(of: SIGXCPU)
            Restoration.stop()
            expectEqual(signals.map(SignalAction.handler), [before[0], before[1], replaced])

            Restoration.stop()
            expectEqual(signals.map(SignalAction.handler), [before[0], before[1], replaced])
            signal(SIGXCPU, SIG_DFL)
        }
    #endif
}
