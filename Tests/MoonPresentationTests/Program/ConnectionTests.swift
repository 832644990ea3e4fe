import MoonPresentation
import MoonlightTestSupport
import Streams
import Testing

@Suite("Programs on terminals at the other end of a connection")
struct ConnectionTests {
    private func type(_ text: String, _ terminal: Terminal) { terminal.receive(Array(text.utf8)) }

    @Test("A program on a connection gets keys, sends frames, and ends every mode that it has begun")
    func whole() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        async let ending = Notes.program.mouse().reportsFocus().run(on: terminal)
        await screen.see("> one")
        type("\u{1B}[B", terminal)
        await screen.see(">")
        type("\u{1B}[?1u\u{1B}[?62c", terminal)
        await screen.see("\u{1B}[>5u")
        type("q", terminal)
        try await expectEqual(ending, .quit)
        for (on, off) in [
            ("[?1049h", "[?1049l"), ("[?2004h", "[?2004l"), ("[?1002;1006h", "[?1002;1006l"), ("[?1004h", "[?1004l"),
            ("[>5u", "[<u"), ("[22;2t", "[23;2t"), ("[?7l", "[?7h"), ("[?25l", "[?25h"),
        ] {
            let begin = try #require(screen.text.range(of: on), "\(on)")
            let end = try #require(screen.text.range(of: off), "\(off)")
            expect(begin.upperBound <= end.lowerBound)
        }
        expect(screen.text.hasSuffix("\u{1B}[?1049l"))
    }

    @Test("The first frame is shown before the terminal answers, and its answers are not taken for keys")
    func answers() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        async let ending = Notes.program.run(on: terminal)
        await screen.see("browse")
        let (frame, questions) = (try #require(screen.text.range(of: "> one")), try #require(screen.text.range(of: "[?u")))
        expect(frame.upperBound < questions.lowerBound)
        type("\u{1B}[?2026;2$y\u{1B}[?2027;1$y\u{1B}[?1;2cq", terminal)
        try await expectEqual(ending, .quit)
        expect(screen.text.contains("[>4;1m") && screen.text.contains("[>4m"))
    }

    @Test("Keys that arrive together lead to one frame")
    func together() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        async let ending = Notes.program.run(on: terminal)
        await screen.see("[c")
        screen.clear()
        type("i" + String(repeating: "x", count: 500) + "\r", terminal)
        await screen.see("xxx")
        expectEqual(screen.writes, 1)
        type("\u{11}", terminal)
        try await expectEqual(ending, .quit)
    }

    @Test("Keys that arrive together with the one whose state ends the program do nothing")
    func keysAfterEnd() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        async let ending = Notes.program.ends { $0.selected == 1 }.display(.lines).run(on: terminal)
        await screen.see("> one")
        type("jjq", terminal)
        try await expectEqual(ending, .finished)
        expect(screen.text.contains("> two") && !screen.text.contains("> three"))
    }

    @Test("An Escape followed by a pause is a key")
    func escape() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        async let ending = Notes.program.run(on: terminal)
        type("ia", terminal)
        await screen.see("type: a")
        screen.clear()
        type("\u{1B}", terminal)
        await screen.see("browse")
        type("q", terminal)
        try await expectEqual(ending, .quit)
    }

    @Test("A terminal that hangs up ends the program, and nothing more is written to it")
    func hangUp() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        async let ending = Notes.program.run(on: terminal)
        await screen.see("[c")
        screen.clear()
        terminal.hangUp()
        try await expectEqual(ending, .hangup)
        expectEqual(screen.text, "")
    }

    @Test("A program on a connection that was closed before ends at once")
    func early() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        terminal.hangUp()
        try await expectEqual(Notes.program.run(on: terminal), .hangup)
    }

    @Test("A connection that was closed before ends the program, whatever has arrived before")
    func lateHangUp() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        for _ in 0..<1_001 { type("j", terminal) }
        terminal.hangUp()
        let ending = Recorder<ProgramEnding>()
        let hasEnded = await endsInTask {
            if let end = try? await Notes.program.run(on: terminal) { ending.append(end) }
        }
        expect(hasEnded)
        expectEqual(ending.all, [.hangup])
    }

    @Test("Keys that are typed before the program begins are not lost")
    func typedAhead() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        type("jj", terminal)
        type("q", terminal)
        try await expectEqual(Notes.program.run(on: terminal), .quit)
        expect(screen.text.contains("[?1049l"))
    }

    @Test("After a resize, a complete frame is sent")
    func resize() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        async let ending = Notes.program.run(on: terminal)
        await screen.see("browse")
        screen.clear()
        terminal.resize(to: Size(columns: 30, rows: 8))
        await screen.see("browse")
        expectEqual(terminal.size, Size(columns: 30, rows: 8))
        type("q", terminal)
        try await expectEqual(ending, .quit)
    }

    @Test("Many programs run at once, each on a separate terminal")
    func many() async throws {
        try await withThrowingTaskGroup(of: ProgramEnding.self) { group in
            for number in 0..<Budget.size(50, quick: 20) {
                group.addTask {
                    let screen = TerminalScreen()
                    let terminal = screen.terminal()
                    async let ending = Notes.program.run(on: terminal)
                    await screen.see("browse")
                    terminal.receive(Array("i\(number)".utf8))
                    await screen.see("type: \(number)")
                    terminal.receive([17])
                    return try await ending
                }
            }
            for try await ending in group { expectEqual(ending, .quit) }
        }
    }

    @Test("A terminal shows one program at a time, and another one afterwards")
    func inUse() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        async let ending = Notes.program.run(on: terminal)
        await screen.see("browse")
        await #expect(throws: ProgramError.inUse) { try await Notes.program.run(on: terminal) }
        type("q", terminal)
        try await expectEqual(ending, .quit)
        screen.clear()
        async let second = Notes.program.run(on: terminal)
        await screen.see("browse")
        type("q", terminal)
        try await expectEqual(second, .quit)
    }

    @Test("Cancelling the task ends the program")
    func cancel() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        let task = Task { try await Notes.program.run(on: terminal) }
        await screen.see("browse")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        expect(screen.text.hasSuffix("[?1049l"))
    }

    @Test("The error of a view is thrown when the terminal is restored")
    func failure() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        type("!", terminal)
        await #expect(throws: Notes.Failure.self) { try await Notes.program.run(on: terminal) }
        expect(screen.text.hasSuffix("[?1049l"))
    }

    @Test("Events of feedback make frames without any key")
    func feedback() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        let subject = PassthroughSubject<Notes.Event, Never>()
        async let ending = Notes.program.feedback { _, _ in [subject.eraseToAnyPublisher()] }.run(on: terminal)
        await screen.see("browse")
        screen.clear()
        subject.send(.write)
        await screen.see("type")
        terminal.end()
        try await expectEqual(ending, .finished)
    }

    @Test("A flood of states makes few frames, and the last one is shown")
    func flood() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        let subject = PassthroughSubject<Notes.Event, Never>()
        async let ending = Notes.program.feedback { _, _ in [subject.eraseToAnyPublisher()] }.run(on: terminal)
        await screen.see("[c")
        screen.clear()
        let count = Budget.size(10_000, quick: 2_000)
        for _ in 0..<count { subject.send(.typed("x")) }
        subject.send(.write)
        await screen.see("type")
        expect(screen.writes < count / 10)
        terminal.end()
        try await expectEqual(ending, .finished)
    }

    @Test("A program of lines writes text without any sequence")
    func lines() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        async let ending = Notes.program.display(.lines).run(on: terminal)
        await screen.see("> one")
        screen.clear()
        type("j", terminal)
        await screen.see("> two")
        type("q", terminal)
        try await expectEqual(ending, .quit)
        expect(!screen.text.contains("\u{1B}"))
        // At the other end, nothing turns a line feed into the beginning of a line.
        expectEqual(screen.text, "> two\r\n")
    }

    @Test("An inline program prints lines above itself, and does not use the alternate screen")
    func inline() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal(Size(columns: 20, rows: 10))
        async let ending = Notes.program.mouse(movements: true).display(.inline(rows: 4)).run(on: terminal)
        await screen.see("browse")
        terminal.print("a line", "another")
        await screen.see("another")
        type("q", terminal)
        try await expectEqual(ending, .quit)
        expect(!screen.text.contains("?1049") && !screen.text.contains("?1002") && !screen.text.contains("?1003"))
    }

    @Test("Text for the clipboard is sent to the terminal, if it is shown and short enough")
    func clipboard() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        expect(!terminal.copy("early"))
        async let ending = Notes.program.run(on: terminal)
        await screen.see("browse")
        expect(terminal.copy("hi"))
        await screen.see("\u{1B}]52;c;aGk=")
        expect(!terminal.copy(String(repeating: "x", count: 100_000)))
        terminal.end()
        try await expectEqual(ending, .finished)
    }

    @Test("No other program can be run on a terminal at the other end of a connection")
    func lending() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        let refusal = SystemError(code: 25, attempt: "run true on a terminal on which no program is shown")
        await #expect(throws: refusal) { try await terminal.run("true") }
        async let ending = Notes.program.run(on: terminal)
        await screen.see("browse")
        await #expect(throws: refusal) { try await terminal.run("true") }
        terminal.end()
        try await expectEqual(ending, .finished)
    }

    @Test("Lines that are printed just before the end of a program are shown")
    func printedAtEnd() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        @Sendable func run() async throws -> ProgramEnding {
            try await Notes.program.display(.inline(rows: 2)).ends { notes in
                guard notes.selected == 2 else { return false }
                terminal.print("while the last frame is made")
                return true
            }.run(on: terminal)
        }
        async let ending = run()
        await screen.see("[c")
        type("jj", terminal)
        try await expectEqual(ending, .finished)
        expect(screen.text.contains("while the last frame is made"))
        screen.clear()
        async let second = run()
        await screen.see("[c")
        terminal.print("before the end")
        terminal.copy("text")
        terminal.end()
        try await expectEqual(second, .finished)
        expect(screen.text.contains("before the end"))
    }
}
