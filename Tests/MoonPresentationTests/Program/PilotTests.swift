import MoonPresentation
import MoonPresentationTesting
import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Programs: keys, modes and frames")
struct PilotTests {
    private func pilot() throws -> Pilot<Notes, Notes.Event> { try Notes.program.pilot(size: Size(columns: 20, rows: 5)) }

    @Test("Keys become events, and frames show the state that they lead to")
    func keys() throws {
        let pilot = try pilot()
        expectEqual(pilot.frame.rows, ["> one", "  two", "  three", "browse:", ""])
        pilot.press("j", .down)
        expectEqual(pilot.state.selected, 2)
        expectEqual(pilot.frame.rows[2], "> three")
        pilot.press(.control("d"))
        expectEqual(pilot.state.lines, ["one", "two"])
        expectEqual(pilot.title, "Notes")
    }

    @Test("A key is looked up in the mode after the previous key")
    func modes() throws {
        let pilot = try pilot()
        pilot.press("i", "j", "j", .escape, "j")
        expect(pilot.state.draft == "jj" && pilot.state.selected == 1 && pilot.state.mode == .browse)
    }

    @Test(
        "A key common to all modes works in each, and a letter that quits works where no table has it"
    )
    func common() throws {
        let pilot = try pilot()
        pilot.press("i", .control("d"))
        expectEqual(pilot.state.lines, ["two", "three"])
        pilot.press("q")
        expectEqual(pilot.ending, .quit)
    }

    @Test("Keys after the one that ends the program do nothing")
    func quit() throws {
        let pilot = try pilot()
        expect(pilot.ending == nil)
        pilot.press("q", "j")
        expect(pilot.ending == .quit && pilot.state.selected == 0)
    }

    @Test("Ctrl-C ends a program that does not handle it")
    func interrupt() throws {
        let pilot = try pilot()
        pilot.press(.control("c"))
        expectEqual(pilot.ending, .quit)
        let other = try Notes.program.keys([.control("c"): .down]).pilot()
        other.press(.control("c"))
        expect(other.ending == nil && other.state.selected == 1)
    }

    @Test("A key table that was added later takes precedence")
    func later() throws {
        let pilot = try Notes.program.keys(["j": .remove]).pilot()
        pilot.press("j", "k")
        expect(pilot.state.lines == ["two", "three"] && pilot.state.selected == 0)
    }

    @Test("Keys can be a function of the state")
    func function() throws {
        let pilot = try Notes.program.keys { $0.selected == 1 ? ["j": .remove] : [:] }.pilot()
        pilot.press("j", "j")
        expectEqual(pilot.state.lines, ["one", "three"])
    }

    @Test("Other input reaches the program if no view handles it")
    func paste() throws {
        let pilot = try pilot()
        pilot.send(.paste("jq"))
        expect(pilot.state.draft == "<jq>" && pilot.ending == nil)
    }

    @Test("A program whose table has a key twice does not start, and the error names the key")
    func duplicates() throws {
        #expect(throws: ProgramError.duplicateKeys(["x"])) { try Notes.program.keys(["x": .down, "x": .up]).pilot() }
        #expect(throws: ProgramError.duplicateKeys([.escape])) {
            try Notes.program.keys(by: \.mode, [.type: [.escape: .down, .escape: .up]]).pilot()
        }
        expectEqual("\(ProgramError.duplicateKeys([.control("d"), "a"]))", "a table of keys has more than one line for Ctrl-D, a")
    }

    @Test("A program ends at a state that requests it, and shows that state")
    func ends() throws {
        let pilot = try Notes.program.ends { $0.lines.isEmpty }.pilot(size: Size(columns: 20, rows: 2))
        pilot.press(.control("d"), .control("d"))
        expect(pilot.ending == nil)
        pilot.press(.control("d"))
        expectEqual(pilot.ending, .finished)
        expectEqual(pilot.frame.rows, ["browse:", ""])
    }

    @Test("Keys after the one whose state ends the program do nothing")
    func keysAfterEnd() throws {
        let pilot = try Notes.program.ends { $0.selected == 1 }.pilot(size: Size(columns: 20, rows: 5))
        pilot.press("j", "j")
        expect(pilot.state.selected == 1 && pilot.ending == .finished)
        expectEqual(pilot.frame.rows[1], "> two")
    }

    @Test("A state that ends the program is the last one, also if no frame shows it before the next event")
    func endBetweenFrames() throws {
        let subject = PassthroughSubject<Notes.Event, Never>()
        let pilot = try Notes.program
            .feedback { _, _ in [subject.eraseToAnyPublisher()] }
            .ends { $0.selected == 1 }
            .pilot(size: Size(columns: 20, rows: 5))
        subject.send(.down)
        subject.send(.down)
        pilot.press("q")
        expect(pilot.state.selected == 1 && pilot.ending == .finished)
        expectEqual(pilot.frame.rows[1], "> two")
    }

    @Test("A program whose first state ends it takes no key")
    func endAtStart() throws {
        let pilot = try Notes.program.ends { $0.selected == 0 }.pilot()
        pilot.press("j", "q")
        expect(pilot.state.selected == 0 && pilot.ending == .finished)
    }

    @Test("A view that throws ends the program with its error")
    func failure() throws {
        let pilot = try pilot()
        pilot.press("!")
        expect(pilot.failure as? Notes.Failure == Notes.Failure())
        expectEqual(pilot.ending, .finished)
    }

    @Test("Events of feedback change the frame")
    func feedback() throws {
        let subject = PassthroughSubject<Notes.Event, Never>()
        let pilot = try Notes.program.feedback { _, _ in [subject.eraseToAnyPublisher()] }.pilot(size: Size(columns: 20, rows: 5))
        expectEqual(pilot.frame.rows[0], "> one")
        subject.send(.down)
        expectEqual(pilot.frame.rows[1], "> two")
        pilot.store.send(.down)
        expectEqual(pilot.frame.rows[2], "> three")
        subject.send(completion: .finished)
        expect(pilot.ending == nil)
    }

    @Test("A program continues when the streams of its feedback have ended, and ends when its loop is cancelled")
    func loop() throws {
        let pilot = try Notes.program.feedback { _, _ in [Empty().eraseToAnyPublisher()] }.pilot()
        pilot.press("j")
        expect(pilot.ending == nil && pilot.state.selected == 1)
        pilot.store.cancel()
        expectEqual(pilot.ending, .finished)
    }

    @Test("Releasing the pilot cancels the loop")
    func release() throws {
        let subject = PassthroughSubject<Notes.Event, Never>()
        let cancellations = Counter()
        var pilot: Pilot? = try Notes.program
            .feedback { _, _ in
                [subject.handleEvents(receiveCancel: { cancellations.add() }).eraseToAnyPublisher()]
            }.pilot()
        pilot?.press("j")
        expectEqual(cancellations.value, 0)
        pilot = nil
        expectEqual(cancellations.value, 1)
    }

    @Test("A frame has the size of the screen, also after that has changed")
    func resize() throws {
        let pilot = try pilot()
        expectEqual(pilot.frame.size, Size(columns: 20, rows: 5))
        pilot.resize(to: Size(columns: 3, rows: 1))
        expectEqual(pilot.frame.rows, ["> o"])
        pilot.resize(to: Size(columns: 1, rows: 1))
        expectEqual(pilot.frame.rows, [">"])
        pilot.resize(to: .zero)
        expectEqual(pilot.frame.size, .zero)
    }

    @Test("The frame of an inline program has the rows of its display, also after the screen was resized")
    func inlineSize() throws {
        let pilot = try Notes.program.display(.inline(rows: 2)).pilot()
        expectEqual(pilot.frame.size, Size(columns: 80, rows: 2))
        pilot.resize(to: Size(columns: 20, rows: 5))
        expectEqual(pilot.frame.size, Size(columns: 20, rows: 2))
        pilot.resize(to: Size(columns: 20, rows: 1))
        expectEqual(pilot.frame.size, Size(columns: 20, rows: 1))
    }

    @Test("An inline program ignores the mouse, because its rows on the terminal are not known")
    func inlineMouse() throws {
        let program = Notes.program.mouse().otherInput { _, input in if case .mouse = input { .down } else { nil } }
        let click = InputEvent.mouse(Mouse(.press(1), at: .zero))
        let pilot = try program.pilot()
        pilot.send(click)
        expectEqual(pilot.state.selected, 1)
        let inline = try program.display(.inline(rows: 4)).pilot()
        inline.send(click)
        expectEqual(inline.state.selected, 0)
    }

    @Test("A line break in a typed text is Enter")
    func lineBreak() throws {
        let pilot = try Notes.program.keys([.enter: .down]).pilot()
        pilot.type("\n\r\n")
        expectEqual(pilot.state.selected, 2)
    }

    @Test("A program can handle the size of the screen")
    func size() throws {
        let update: @Sendable (inout Size, Size) -> Void = { size, new in size = new }
        let program = Program(Size.zero, update: update) { size, screen in
            screen.add(Text("\(size.columns)"))
        }
        .otherInput { _, input in if case .resize(let size) = input { size } else { nil } }
        let pilot = try program.pilot(size: Size(columns: 20, rows: 1))
        pilot.resize(to: Size(columns: 7, rows: 1))
        expect(pilot.state.columns == 7 && pilot.frame.rows == ["7"] && pilot.frame.size.columns == 7)
    }

    @Test("On a screen that is larger than any frame, the view has the size of the frame")
    func largeScreen() throws {
        let update: @Sendable (inout Int, Int) -> Void = { _, _ in }
        let program = Program(0, update: update) { _, screen in screen.add(Text("end", alignment: .right)) }
        let pilot = try program.pilot(size: Size(columns: 2_100, rows: 1))
        expect(pilot.frame.rows[0].hasSuffix("end"))
        pilot.resize(to: Size(columns: 65_535, rows: 1))
        expect(pilot.frame.rows[0].hasSuffix("end"))
    }

    private enum Step: Sendable, Equatable { case add, refuse }

    private func noting(keeping limit: Int = 1, untilChange: Bool = true) throws -> Pilot<Int, Step> {
        try Program(
            Reducer<Int, Step, Step, Void>(
                transform: { _, step, _ in
                    if step == .refuse { throw Rejection("not now") }
                    return Just(step).eraseToAnyPublisher()
                }, apply: { (count: inout Int, _: Step) in count += 1 }),
            initialState: 0, environment: ()
        ) { count, screen in
            screen.add(Text(screen.notes.reduce("\(count)") { $0 + " \($1)" }))
        }
        .keys(["+": .add, "-": .refuse])
        .notes(keeping: limit, untilChange: untilChange) { record in
            switch record.step {
            case .rejected(_, let error): "\(error)"
            case .effect(_, _, let after): untilChange ? nil : "now \(after)"
            default: nil
            }
        }
        .pilot(size: Size(columns: 40, rows: 1))
    }

    @Test("A note is in the next frame, and is forgotten when the state changes")
    func notes() throws {
        let pilot = try noting()
        expectEqual(pilot.frame.rows, ["0"])
        pilot.press("-")
        expectEqual(pilot.frame.rows, ["0 not now"])
        pilot.press("-")
        expectEqual(pilot.frame.rows, ["0 not now"])
        pilot.press("+")
        expectEqual(pilot.frame.rows, ["1"])
    }

    @Test("Notes that are kept are the newest ones")
    func keptNotes() throws {
        let pilot = try noting(keeping: 2, untilChange: false)
        pilot.press("+", "+", "-")
        expectEqual(pilot.frame.rows, ["2 now 2 not now"])
        pilot.press("+")
        expectEqual(pilot.frame.rows, ["3 not now now 3"])
    }

    @Test("Input that a view handles without an event has no other effect")
    func handled() throws {
        struct Deaf: View {
            func draw(on surface: inout Surface<String>) {
                surface.onInput { input in [.key(.control("c")), .key("x")].contains(input) ? [] : nil }
            }
        }
        let update: @Sendable (inout [String], String) -> Void = { events, event in events.append(event) }
        let program = Program([], update: update) { _, screen in screen.add(Deaf()) }
        let pilot = try program.otherInput { _, input in input == .key(.control("c")) ? nil : "other" }.pilot()
        pilot.press("x", "y", .control("c"))
        expect(pilot.state == ["other"] && pilot.ending == nil)
    }
}
