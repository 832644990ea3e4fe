#if os(Linux)
    import Dispatch
    import MoonlightTestSupport
    import Streams
    import Testing

    @testable import MoonPresentation

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    @Suite("Programs that are suspended")
    struct SuspensionTests {
        @Test("Lines that the terminal has not yet accepted are printed before the program is suspended")
        func unsentLines() throws {
            let (user, terminal) = try pair()
            let update: @Sendable (inout Int, Int) -> Void = { _, _ in }
            let program = Program(0, update: update) { _, screen in screen.add(Text("frame")) }.display(.inline(rows: 1))
            let size = Size(columns: 80, rows: 24)
            let (loop, notes) = program.start()
            let session = Session(
                ProgramCore(loop, notes, program.settings, size: size) {}, program.settings, TerminalCapabilities(), size: size,
                isTerminal: true)
            let signals = try SignalMail([])
            let driver = DescriptorDriver(session, signals, input: terminal, output: terminal, TerminalRequests())
            session.open()
            driver.flush()
            session.print((0..<1_000).map { "line \($0)" })
            expect(session.turn(at: .now) == nil)
            driver.flush()
            expect(!session.output.isEmpty)
            let text = Lock("")
            let queue = DispatchQueue(label: "user")
            queue.async {
                var buffer = [UInt8](repeating: 0, count: 1 << 12)
                while case .bytes(let count) = user.read(into: &buffer) {
                    text.withLock { $0 += String(decoding: buffer[..<count], as: UTF8.self) }
                }
            }
            driver.suspend { 0 }
            driver.screen.close()
            terminal.close()
            queue.sync {}
            user.close()
            signals.close()
            session.close()
            expect(text.withLock { text in (0..<1_000).allSatisfy { text.contains("line \($0)\r\n") } })
        }

        /// The two ends of a terminal in raw mode.
        private func pair() throws -> (user: Descriptor, terminal: Descriptor) {
            let user = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var isLocked: Int32 = 0
            var number: UInt32 = 0
            // TIOCSPTLCK and TIOCGPTN.
            try #require(ioctl(user, 0x4004_5431, &isLocked) == 0 && ioctl(user, 0x8004_5430, &number) == 0)
            let terminal = Descriptor(number: open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC))
            var mode = termios()
            try #require(tcgetattr(terminal.number, &mode) == 0)
            cfmakeraw(&mode)
            try #require(tcsetattr(terminal.number, TCSANOW, &mode) == 0)
            return (Descriptor(number: user), terminal)
        }
    }
#endif
