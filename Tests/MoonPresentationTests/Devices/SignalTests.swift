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
