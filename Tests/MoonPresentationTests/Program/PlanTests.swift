import MoonPresentation
import MoonPresentationTesting
import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@Suite("Plans with a screen: keys are pressed, and frames are compared")
struct PlanTests {
    private struct Shop: Equatable, Sendable {
        var lines: [String] = []
        var selected = 0
        var draft = TextInput()
        var price: Int?
        var isClosed = false
    }

    private enum Event: Equatable, Sendable {
        case select(ListMove)
        case edit(TextEdit)
        case add, ask
        case priced(Int)
        case close, forbidden
    }

    private struct World: Sendable { var price: @Sendable (String) -> AnyPublisher<Int, Never> }

    private static let reducer = Reducer<Shop, Event, Event, World>(
        transform: { state, event, world in
            switch event {
            case .ask: return world.price(state.lines[state.selected]).map { .priced($0) }.eraseToAnyPublisher()
            case .forbidden: throw Rejection("not now")
            default: return Just(event).eraseToAnyPublisher()
            }
        },
        apply: { (shop: inout Shop, event: Event) in
            switch event {
            case .select(let move): shop.selected = move.index(from: shop.selected, count: shop.lines.count)
            case .edit(let edit): shop.draft.apply(edit)
            case .add: shop.lines.append(shop.draft.submit())
            case .priced(let price): shop.price = price
            case .close: shop.isClosed = true
            case .ask, .forbidden: break
            }
        })

    private static func program() -> Program<Shop, Event, Event, World> {
        Program(reducer, initialState: Shop(), environment: World { _ in Just(7).eraseToAnyPublisher() }) { shop, screen in
            let list = screen.add(List(shop.lines, selected: shop.selected, select: Event.select))
            let field = screen.add(Field(shop.draft, prompt: "buy", edit: Event.edit, submit: .add))
            list.constrain(.all(except: .bottom), to: screen)
            list.constrain(.bottom, to: field, edge: .top)
            field.constrain(.all(except: .top), to: screen)
        }
        .keys([.control("p"): .ask, .control("x"): .close, .control("f"): .forbidden], quit: [.escape])
        .ends(when: \.isClosed)
    }

    private let size = Size(columns: 12, rows: 4)

    private func plan(given shop: Shop? = nil) throws -> Plan<Shop, Event, Event, World> {
        try Plan(Self.program(), size: size, given: shop)
    }

    /// The failure of a plan.
    private func failure(_ plan: Plan<Shop, Event, Event, World>) -> String? {
        var message: String?
        plan.run { message = $0.message }
        return message
    }

    @Test("Keys become events by the views, the tables and the current state")
    func keys() throws {
        let trace = try plan()
            .type("milk\nbread\n")
            .then(\.lines, equals: ["milk", "bread"])
            .looks(like: "> milk\n  bread\n\nbuy")
            .press(.down)
            .looks(like: "  milk   \n> bread\n\nbuy\n\n")
            .press(.control("p"))
            .then(\.price, equals: 7)
            .input(.paste("rice\nre"))
            .frame("pasted text is one line") { frame in
                expect(frame.picture[3] == "buy rice re" && frame.cursor == Point(column: 11, row: 3))
            }
            .hasEnded(false)
            .press(.escape)
            .hasEnded()
            .run()
        expect(trace.description.contains("When ↓ is pressed"))
        expect(trace.description.contains("When \"milk\\nbread\\n\" is typed"))
    }

    @Test("Calls are answered between keys, and the next frame shows it")
    func calls() throws {
        let price = Stub<String, Int, Never>("price")
        try Plan(Self.program(), size: size, given: Shop(lines: ["milk"])) { stubs in
            let publisher = stubs.publisher(price)
            return World { publisher($0) }
        }
        .press(.control("p"))
        .then(\.price, equals: nil)
        .resolve(price("milk"), with: 3)
        .then(\.price, equals: 3)
        .run()
    }

    @Test("A fork continues with the focus and the scroll position of its plan, and does not change them there")
    func forks() throws {
        let shop = Shop(lines: (0..<9).map { "row \($0)" })
        try plan(given: shop)
            .press(.tab, .end)
            .looks(like: "  row 6\n  row 7\n> row 8\nbuy")
            .press(.up)
            .fork("the first row") { $0.press(.home).looks(like: "> row 0\n  row 1\n  row 2\nbuy") }
            .fork("another size") {
                $0.input(.resize(Size(columns: 5, rows: 2))).looks(like: "> ro…\nbuy")
            }
            .fork("the end") { $0.press(.escape).hasEnded() }
            .hasEnded(false)
            .looks(like: "  row 6\n> row 7\n  row 8\nbuy")
            .press(.up)
            .looks(like: "> row 6\n  row 7\n  row 8\nbuy")
            .run()
    }

    @Test("A plan fails with the rows that differ, rejected events, keys after the end, or a missing screen")
    func failures() throws {
        expectEqual(
            failure(try plan(given: Shop(lines: ["milk"])).looks(like: "> tea\n\n\nbuy\nsell")),
            "row 0: expected |> tea|, but it is |> milk|\nrow 4: expected |sell|, but it is ||")
        expectEqual(failure(try plan().press(.control("f")))?.contains("forbidden was rejected: "), true)
        expect(failure(try plan().press(.control("f"), allowingRefusals: true)) == nil)
        expect(failure(try plan().ignoringRefusals().press(.control("f"))) == nil)
        expectEqual(failure(try plan().press(.escape, "x")), "the program has ended, so that it takes no input: key(x)")
        expectEqual(failure(try plan().press(.control("x"), "x")), "the program has ended, so that it takes no input: key(x)")
        expectEqual(failure(try plan().hasEnded()), "the program has not ended")
        expectEqual(failure(try plan().press(.control("c")).hasEnded(false)), "the program has ended")
        expect(failure(try plan().press(.control("z"), "x").then(\.draft.text, equals: "x").hasEnded(false)) == nil)
        let without = Plan(Self.reducer, given: Shop(), environment: World { _ in Just(7).eraseToAnyPublisher() })
        expectEqual(failure(without.press("x"))?.hasPrefix("the plan has no screen"), true)
        let twice = Self.program().keys([.key("a", sends: .add), .key("a", sends: .ask)])
        #expect(throws: ProgramError.duplicateKeys(["a"])) { _ = try Plan(twice) }
    }

    @Test("The notes of the program are in the frames of a plan: of keys, of its other steps, and of a fork")
    func notes() throws {
        let reducer = Reducer<Int, Int, Int, Void> { _, step, _ in
            if step > 1 { throw Rejection("too much") }
            return Just(step).eraseToAnyPublisher()
        } apply: { (count: inout Int, step: Int) in
            count += step
        }
        let program = Program(reducer, initialState: 0, environment: ()) { count, screen in
            screen.add(Text("\(count) \(screen.notes.last ?? "")"))
        }
        .keys(["+": 1, "*": 2])
        .notes { if case .rejected(_, let error) = $0.step { "\(error)" } else { nil } }
        try Plan(program, size: Size(columns: 20, rows: 1))
            .press("*", allowingRefusals: true)
            .looks(like: "0 too much")
            .fork("the state changes") { $0.press("+").looks(like: "1") }
            .looks(like: "0 too much")
            .when(1)
            .looks(like: "1")
            .run()
        try Plan(program.feedback { _, _ in [Just(2).eraseToAnyPublisher()] }, size: Size(columns: 20, rows: 1))
            .looks(like: "0 too much")
            .ignoringRefusals()
            .run()
    }

    @Test("The frame of an inline program has the rows of its display in a plan, too")
    func inline() throws {
        try Plan(Self.program().display(.inline(rows: 2)))
            .frame { expectEqual($0.size, Size(columns: 80, rows: 2)) }
            .input(.resize(Size(columns: 20, rows: 9)))
            .frame { expectEqual($0.size, Size(columns: 20, rows: 2)) }
            .run()
    }

    @Test("The feedback of the program runs in a plan")
    func feedback() throws {
        let program = Self.program().feedback { states, _ in
            [states.filter { $0.lines.count == 2 && $0.price == nil }.map { _ in Event.priced(5) }.eraseToAnyPublisher()]
        }
        try Plan(program, size: size).type("a\nb\n").then(\.price, equals: 5).ignoringRelease().run()
    }

    @Test("The feedback of a program receives the environment: in a plan, the plan's with its stubs")
    func feedbackEnvironment() throws {
        let program = Self.program().feedback { _, world in [world.price("bread").map { .priced($0) }.eraseToAnyPublisher()] }
        try Plan(program, size: size, environment: { _ in World { Just($0.count).eraseToAnyPublisher() } })
            .then(\.price, equals: 5).run()
        try Plan(program, size: size).then(\.price, equals: 7).run()
        try expectEqual(program.pilot(size: size).state.price, 7)
    }
}
