import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
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
        apply: { (house: inout House, event: Event) in
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
        })

    private static let form = Reducer<Form, Int, Int, Void>(
        transform: { _, seats, _ in .just(seats) }, apply: { (form: inout Form, seats: Int) in form.seats = seats })

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
        let reducer = Self.house.combined(
            with: Self.form.scoped(
                toOptional: \.form, event: Event.form, effect: Event.form, environment: { $0 },
                result: { $0.seats.map { .take($0) } }))
        let exploration = Exploration(reducer, given: House()) { _ in }
            .events([.open, .form(5)], atMost: 3).allowingRefusals()
            .always("one form at a time") { $0.opened - $0.taken <= 1 }
        let failure = Self.failure { try exploration.run() }
        expectEqual(failure?.name, "e0 he1 e0")
        #expect(throws: Never.self) { try exploration.fromOneSender().run() }
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
