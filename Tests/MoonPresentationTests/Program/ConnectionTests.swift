import MoonPresentation
import MoonlightTestSupport
import Streams
import Testing

@Suite("Programs on terminals at the other end of a connection")
struct ConnectionTests {
    private func type(_ text: String, _ terminal: Terminal) { terminal.receive(Array(text.utf8)) }

    @Test("keys go in, frames come out, and in the end every mode that was begun has ended")
    func whole() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        async let ending = Notes.program.mouse().reportsFocus().run(on: terminal)
        await screen.see("> one")
        type("\u{1B}[B", terminal)
        await screen.see(">")
        type("\u{1B}[?1u\u{1B}[?62c", terminal)
        await screen.see("\u{1B}[>1u")
        type("q", terminal)
        #expect(try await ending == .quit)
        for (on, off) in [
            ("[?1049h", "[?1049l"), ("[?2004h", "[?2004l"), ("[?1002;1006h", "[?1002;1006l"), ("[?1004h", "[?1004l"),
            ("[>1u", "[<u"), ("[22;2t", "[23;2t"), ("[?7l", "[?7h"), ("[?25l", "[?25h"),
        ] {
            let begin = try #require(screen.text.range(of: on), "\(on)")
            let end = try #require(screen.text.range(of: off), "\(off)")
            #expect(begin.upperBound <= end.lowerBound)
        }
        #expect(screen.text.hasSuffix("\u{1B}[?1049l"))
    }

    @Test("the first frame waits for no answer, and answers are no keys")
    func answers() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        async let ending = Notes.program.run(on: terminal)
        await screen.see("browse")
        let (frame, questions) = (try #require(screen.text.range(of: "> one")), try #require(screen.text.range(of: "[?u")))
        #expect(frame.upperBound < questions.lowerBound)
        type("\u{1B}[?2026;2$y\u{1B}[?2027;1$y\u{1B}[?1;2cq", terminal)
        #expect(try await ending == .quit)
        #expect(screen.text.contains("[>4;1m") && screen.text.contains("[>4m"))
    }

    @Test("keys that arrive together share a frame")
    func together() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        async let ending = Notes.program.run(on: terminal)
        await screen.see("[c")
        screen.clear()
        type("i" + String(repeating: "x", count: 500) + "\r", terminal)
        await screen.see("xxx")
        #expect(screen.writes == 1)
        type("\u{11}", terminal)
        #expect(try await ending == .quit)
    }

    @Test("a lone Escape counts after a pause")
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
        #expect(try await ending == .quit)
    }

    @Test("a terminal that hangs up ends the program, and nothing is written to it any more")
    func hangUp() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        async let ending = Notes.program.run(on: terminal)
        await screen.see("[c")
        screen.clear()
        terminal.hangUp()
        #expect(try await ending == .hangup)
        #expect(screen.text == "")
    }

    @Test("a connection that was closed before the program began ends it")
    func early() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        terminal.hangUp()
        #expect(try await Notes.program.run(on: terminal) == .hangup)
    }

    @Test("what is typed before the program begins is not lost")
    func typedAhead() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        type("jj", terminal)
        type("q", terminal)
        #expect(try await Notes.program.run(on: terminal) == .quit)
        #expect(screen.text.contains("[?1049l"))
    }

    @Test("a resized window gets a whole new frame")
    func resize() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        async let ending = Notes.program.run(on: terminal)
        await screen.see("browse")
        screen.clear()
        terminal.resize(to: Size(columns: 30, rows: 8))
        await screen.see("browse")
        #expect(terminal.size == Size(columns: 30, rows: 8))
        type("q", terminal)
        #expect(try await ending == .quit)
    }

    @Test("many programs run at once, each on a terminal of its own")
    func many() async throws {
        try await withThrowingTaskGroup(of: Ending.self) { group in
            for number in 0..<50 {
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
            for try await ending in group { #expect(ending == .quit) }
        }
    }

    @Test("a terminal shows one program at a time, and another one afterwards")
    func inUse() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        async let ending = Notes.program.run(on: terminal)
        await screen.see("browse")
        await #expect(throws: ProgramError.inUse) { try await Notes.program.run(on: terminal) }
        type("q", terminal)
        #expect(try await ending == .quit)
        screen.clear()
        async let second = Notes.program.run(on: terminal)
        await screen.see("browse")
        type("q", terminal)
        #expect(try await second == .quit)
    }

    @Test("cancelling the task ends the program")
    func cancel() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        let task = Task { try await Notes.program.run(on: terminal) }
        await screen.see("browse")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(screen.text.hasSuffix("[?1049l"))
    }

    @Test("the error of a view is thrown when the terminal is restored")
    func failure() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        type("!", terminal)
        await #expect(throws: Notes.Failure.self) { try await Notes.program.run(on: terminal) }
        #expect(screen.text.hasSuffix("[?1049l"))
    }

    @Test("events from elsewhere make frames without any key")
    func feedback() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        let subject = PassthroughSubject<Notes.Event, Never>()
        async let ending = Notes.program.feedback { _ in [subject.eraseToAnyPublisher()] }.run(on: terminal)
        await screen.see("browse")
        screen.clear()
        subject.send(.write)
        await screen.see("type")
        terminal.end()
        #expect(try await ending == .finished)
    }

    @Test("a flood of states makes few frames, and the last one is shown")
    func flood() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        let subject = PassthroughSubject<Notes.Event, Never>()
        async let ending = Notes.program.feedback { _ in [subject.eraseToAnyPublisher()] }.run(on: terminal)
        await screen.see("[c")
        screen.clear()
        for _ in 0..<10_000 { subject.send(.typed("x")) }
        subject.send(.write)
        await screen.see("type")
        #expect(screen.writes < 1000)
        terminal.end()
        #expect(try await ending == .finished)
    }

    @Test("a program of lines writes text without any sequence")
    func lines() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        async let ending = Notes.program.display(.lines).run(on: terminal)
        await screen.see("> one")
        screen.clear()
        type("j", terminal)
        await screen.see("> two")
        type("q", terminal)
        #expect(try await ending == .quit)
        #expect(!screen.text.contains("\u{1B}"))
    }

    @Test("a program without a screen of its own prints lines above itself, and leaves the screen as it is")
    func inline() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal(Size(columns: 20, rows: 10))
        async let ending = Notes.program.display(.inline(rows: 4)).run(on: terminal)
        await screen.see("browse")
        terminal.print("a line", "another")
        await screen.see("another")
        type("q", terminal)
        #expect(try await ending == .quit)
        #expect(!screen.text.contains("?1049"))
    }

    @Test("text for the clipboard is sent to the terminal, if it is shown and short enough")
    func clipboard() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        #expect(!terminal.copy("early"))
        async let ending = Notes.program.run(on: terminal)
        await screen.see("browse")
        #expect(terminal.copy("hi"))
        await screen.see("\u{1B}]52;c;aGk=")
        #expect(!terminal.copy(String(repeating: "x", count: 100_000)))
        terminal.end()
        #expect(try await ending == .finished)
    }

    @Test("no other program can be run on a terminal at the other end of a connection")
    func lending() async throws {
        let screen = TerminalScreen()
        let terminal = screen.terminal()
        await #expect(throws: SystemError.self) { try await terminal.run("true") }
        async let ending = Notes.program.run(on: terminal)
        await screen.see("browse")
        await #expect(throws: SystemError.self) { try await terminal.run("true") }
        terminal.end()
        #expect(try await ending == .finished)
    }
}
