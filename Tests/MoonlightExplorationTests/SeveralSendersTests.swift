import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Synchronization
import Testing

/// A house with eight seats, which are promised by one effect and taken by the event that follows from it.
@Suite("Exploration: events that follow from effects")
struct SeveralSendersTests {
    struct House: Hashable {
        var left = 8
        var promised: Int?
        var form: Form?
        var opened = 0
        var taken = 0
    }
    /// A child that ends with its number of seats.
    struct Form: Hashable { var seats: Int? }
    enum Event: Hashable {
        case ask(Int)
        case take(Int)
        case open
        case form(Int)
        static let form = CasePath(Event.form) { if case .form(let seats) = $0 { seats } else { nil } }
    }

    private static let house = Reducer<House, Event, Event, Void>(
        transform: { house, event, _ in
            if case .ask(let seats) = event, seats > house.left { throw Rejection("too few seats") }
            if event == .open, house.form != nil { throw Rejection("a form is open") }
            return .just(event)
        },
        apply: { house, event in apply(event, to: &house) })

    private static func apply(_ event: Event, to house: inout House) {
        switch event {
        case .ask(let seats): house.promised = seats
        case .take(let seats):
            (house.left, house.promised) = (house.left - seats, nil)
            house.taken += 1
        case .open:
            house.form = Form()
            house.opened += 1
        case .form: break
        }
    }

    private static let form = Reducer<Form, Int, Int, Void>(
        transform: { _, seats, _ in .just(seats) }, apply: { (form: inout Form, seats: Int) in form.seats = seats })

    private static var houseWithForms: Reducer<House, Event, Event, Void> {
        form.scoped(
            toOptional: \.form, event: Event.form, effect: Event.form, environment: { $0 },
            result: { $0.seats.map { .take($0) } }
        ).combined(with: house)
    }

    private static func exploration(_ events: [Event], atMost most: Int = 2) -> Exploration<House, Event, Event, Void> {
        Exploration(house, given: House(), feedback: { states, _ in taking(from: states) }) { _ in }
            .events(events, atMost: most).allowingRefusals { $0 is Rejection }
    }

    private static func taking(from states: AnyPublisher<House, Never>) -> [AnyPublisher<Event, Never>] {
        [Rule.events(of: [Rule("take").when(.appearing { (house: House) in house.promised }).then { .take($0) }], from: states)]
    }

    private static func failure<Value>(_ body: () throws -> Value) -> ExplorationFailure? {
        #expect(throws: ExplorationFailure.self) { try body() }
    }

    @Test("Another sender's event may come before an event of feedback")
    func feedback() {
        let failure = Self.failure {
            try Self.exploration([.ask(5), .ask(4)]).always("nobody stands") { $0.left >= 0 }.run()
        }
        expect(failure?.message.hasPrefix("\"nobody stands\" does not hold") == true)
        expect(failure?.trace.contains("When ask(5), and what follows waits") == true, "\(failure?.trace ?? "")")
        expect(failure?.trace.contains("What follows: take(5), take(4)") == true)
        expectEqual(failure?.plan, "")
        expectEqual(failure?.name, "he0 e1 f")
    }

    @Test("A store handles the events in this order if another thread sends the second one while the first is handled")
    func store() async {
        let other = Mutex<Store<House, Event>?>(nil)
        let house = Self.house.middleware { state, event, _, next in
            if event == .ask(5) {
                let store = other.withLock { $0 }
                Worker { store?.post(.ask(4)) }.wait()
            }
            return try next(state, event, ())
        }
        let store = Store(
            reducer: house, initialState: House(), environment: (), feedback: { states in Self.taking(from: states) })
        other.withLock { $0 = store }
        await store.send(.ask(5), until: .settled)
        await store.send(.open, until: .settled)
        expectEqual(store.state.left, -1)
        other.withLock { $0 = nil }
    }

    @Test("A counterexample is replayed by its name")
    func replay() {
        let failure = Self.failure {
            try Self.exploration([.ask(5), .ask(4)]).always("nobody stands") { $0.left >= 0 }.replay("he0 e1 f")
        }
        expect(failure?.message.hasPrefix("\"nobody stands\" does not hold") == true)
    }

    @Test("With one sender, what follows is handled first")
    func oneSender() throws {
        let report = try Self.exploration([.ask(5), .ask(4)]).fromOneSender().always("nobody stands") { $0.left >= 0 }.run()
        expect(report.extent == .exhaustive)
    }

    @Test("Another sender's event may come before the result of a child, also if all effects are ready")
    func child() throws {
        let exploration = Exploration(Self.houseWithForms, given: House()) { _ in }
            .events([.open, .form(5)], atMost: 3).allowingRefusals()
            .always("one form at a time") { $0.opened - $0.taken <= 1 }
        let failure = Self.failure { try exploration.run() }
        expectEqual(failure?.name, "e0 he1 e0")
        let report = try exploration.fromOneSender().run()
        expect(report.isByValues)
    }

    @Test("An event that follows is noticed also after many nodes that were explored by values alone")
    func late() {
        let failure = Self.failure {
            try Exploration(Self.houseWithForms, given: House()) { _ in }
                .events { house in
                    if house.left < 220 { return [.take(-1)] }
                    if house.form != nil { return [.form(0)] }
                    return house.opened < 2 ? [.open] : []
                }
                .always("one form at a time") { $0.opened - $0.taken % 212 <= 1 }
                .run()
        }
        expect(failure?.name.hasSuffix("e0 e0 he0 e0") == true, "\(failure?.name ?? "")")
    }

    /// A state that follow-ups and other events change in some order.
    private struct Marks: Hashable {
        var marks: Set<String> = []
        var start: Int? { marks.contains("s") ? 1 : nil }
    }

    private typealias Ask = @Sendable (Int) -> AnyPublisher<Int, Never>
    private typealias Streams = @Sendable (AnyPublisher<Marks, Never>, @escaping Ask) -> [AnyPublisher<String, Never>]

    /// The shortest trace with an event `z`, which only one order of choices allows.
    private static func fault(
        follows: [String: [String]], events: [String], given marks: Set<String> = [],
        and others: @escaping Streams = { _, _ in [] },
        isAllowed: @escaping @Sendable (Set<String>) -> Bool
    ) -> String? {
        let reducer = Reducer<Marks, String, String, Ask>(
            transform: { marks, event, _ in
                if event == "z", !isAllowed(marks.marks) { throw Rejection("not here") }
                return .just(event)
            }, apply: { (marks: inout Marks, mark: String) in marks.marks.insert(mark) })
        let rules = follows.keys.sorted().map { mark in
            Rule(mark).when(.becoming { (marks: Marks) in marks.marks.contains(mark) }).thenAll { _ in follows[mark] ?? [] }
        }
        let ask = Stub<Int, Int, Never>("ask")
        let feedback: Streams = { states, ask in [Rule.events(of: rules, from: states)] + others(states, ask) }
        return failure {
            try Exploration(reducer, given: Marks(marks: marks), feedback: feedback) { $0.publisher(ask) }
                .events(events).answers(ask, with: [1]).allowingRefusals().feedbackRemembersLastState()
                .never("z") { $0.marks.contains("z") }.run()
        }?.name
    }

    @Test("Other choices come between two events that follow")
    func between() {
        let name = Self.fault(follows: ["a": ["b", "c"]], events: ["a", "z"]) { $0 == ["a", "b"] }
        expectEqual(name, "he0 hf e1")
    }

    @Test("An event may come before one that waits, although the same state is reached with another one before it")
    func overtaken() {
        let name = Self.fault(follows: ["a": ["f"]], events: ["a", "b", "z"]) { $0 == ["a", "b"] }
        expectEqual(name, "e1 he0 e2")
    }

    @Test("An answer whose event waits can be observed, so that other choices are also tried before it")
    func answered() {
        let asking: Streams = { states, ask in
            [
                states.react(to: \.start) { _ in
                    ask(1).flatMap { _ in Just("x").append(ask(2).map { _ in "y" }) }
                }
            ]
        }
        let name = Self.fault(follows: ["a": ["f"]], events: ["a", "z"], given: ["s"], and: asking) { $0 == ["s", "a"] }
        expectEqual(name, "he0 e1")
    }

    @Test("An answer that only its own effect can observe leaves other choices their turn before an event that waits")
    func silentAnswer() {
        let letter = Stub<Int, Int, Never>("letter")
        // Beside the promise, each event writes two letters, one after the other.
        let house = Reducer<House, Event, Event, @Sendable (Int) async -> Int>(
            transform: { house, event, write in
                guard case .ask(let seats) = event else { return .just(event) }
                if seats > house.left { throw Rejection("too few seats") }
                return .run { _ in _ = await write(await write(seats)) }.prepend(event).eraseToAnyPublisher()
            }, apply: { house, event in Self.apply(event, to: &house) })
        let failure = Self.failure {
            try Exploration(house, given: House(), feedback: { states, _ in Self.taking(from: states) }) { $0.async(letter) }
                .events([.ask(5), .ask(4)], atMost: 2).answers(letter, with: [1]).allowingRefusals { $0 is Rejection }
                .always("nobody stands") { $0.left >= 0 }.run()
        }
        expectEqual(failure?.name, "he0 e1 f")
    }

    @Test("A trace at whose end an event waits owes nothing")
    func unfinished() throws {
        try Self.exploration([.ask(2)]).eventually("it is taken", after: { $0.promised != nil }, until: { $0.promised == nil })
            .replay("he0")
    }

    @Test("Events that follow are handled in their order, behind those that wait already")
    func order() {
        let failure = Self.failure {
            try Self.exploration([.ask(5), .ask(2)]).always("the first ones come first") { $0.left != 6 }.run()
        }
        // Only if two seats were asked for first, alone: never before the five that were promised earlier.
        expectEqual(failure?.name, "e1")
    }

    @Test("A goal is reached even if events that follow wait, because they are handled eventually")
    func eventually() throws {
        let report = try Self.exploration([.ask(2)], atMost: 1)
            .eventually("it is taken", after: { $0.promised != nil }, until: { $0.promised == nil }).run()
        expect(report.extent == .exhaustive)
    }

    @Test("A state in which an event waits is not quiet")
    func quiet() throws {
        try Self.exploration([.ask(2)]).whenQuiet("nothing is promised") { $0.promised == nil }.run()
    }
}
