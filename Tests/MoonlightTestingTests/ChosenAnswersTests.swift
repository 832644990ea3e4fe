import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct World: Sendable {
    var fetch: @Sendable (Int) -> AnyPublisher<Int, NetworkError>
    var save: @Sendable (Int) -> AnyPublisher<Void, NetworkError>
    var time: VirtualTimeScheduler
}

private enum Event: Equatable {
    case fetch(Int)
    case save(Int)
    case wait, refuse, refuseEffect
}

private let fetch = Stub<Int, Int, NetworkError>("fetch")
private let save = Stub<Int, Void, NetworkError>("save")

/// The outcome of each call, with the number of the call.
private let lines = Reducer<[String], Event, String, World>(
    transform: { lines, event, world in
        let number = lines.count { $0 == "asked" } + 1
        switch event {
        case .fetch(let id):
            return world.fetch(id).map { "\(number) got \($0)" }.append("\(number) ended")
                .catch { Just("\(number) failed: \($0)") }.prepend("asked").eraseToAnyPublisher()
        case .save(let id):
            return world.save(id).map { "\(number) saved" }.append("\(number) ended")
                .catch { Just("\(number) failed: \($0)") }.prepend("asked").eraseToAnyPublisher()
        case .wait: return Just("waited").delay(for: .seconds(1), scheduler: world.time).eraseToAnyPublisher()
        case .refuse: throw Rejection("not now")
        case .refuseEffect: return world.fetch(0).map { _ in "refused" }.catch { _ in Empty() }.eraseToAnyPublisher()
        }
    },
    apply: { (lines: inout [String], line: String) in
        if line == "refused" { throw Rejection("not ever") }
        lines.append(line)
    })

private typealias LinesPlan = Plan<[String], Event, String, World>

private func plan(_ events: Event...) -> LinesPlan {
    events.reduce(
        Plan(lines, given: []) { World(fetch: $0.publisher(fetch), save: $0.publisher(save), time: $0.scheduler) }
    ) { $0.when($1) }
}

private func message(_ plan: LinesPlan) -> String {
    do {
        try plan.run()
        return "did not fail"
    } catch { return error.message }
}

@Suite("Plan steps that answer pending or numbered calls")
struct ChosenAnswersTests {
    @Test("A step that answers a call that was not made fails, or does nothing with `ifItWaits`")
    func absent() throws {
        let absence = "was to be answered, but it was not called\nThere were no unexpected calls"
        expectEqual(message(plan().resolve(fetch(1), with: 7)), "fetch(1) \(absence)")
        expectEqual(message(plan().resolve(save(1))), "save(1) \(absence)")
        expectEqual(message(plan().fail(fetch(1), with: .offline)), "fetch(1) \(absence)")
        expectEqual(message(plan().send(7, from: fetch(1))), "fetch(1) \(absence)")
        expectEqual(message(plan().finish(fetch(1))), "fetch(1) \(absence)")
        try plan().resolve(fetch(1), with: 7, ifItWaits: true).resolve(save(1), ifItWaits: true)
            .fail(fetch(1), with: .offline, ifItWaits: true).send(7, from: fetch(1), ifItWaits: true)
            .finish(fetch(1), ifItWaits: true).then(equals: []).run()
    }

    @Test("Each kind of step with `ifItWaits` answers a pending call")
    func waits() throws {
        try plan(.fetch(1)).resolve(fetch(1), with: 7, ifItWaits: true).then(equals: ["asked", "1 got 7", "1 ended"]).run()
        try plan(.save(1)).resolve(save(1), ifItWaits: true).then(equals: ["asked", "1 saved", "1 ended"]).run()
        try plan(.fetch(1)).fail(fetch(1), with: .offline, ifItWaits: true).then(equals: ["asked", "1 failed: offline"]).run()
        try plan(.fetch(1)).send(7, from: fetch(1), ifItWaits: true).then(equals: ["asked", "1 got 7"])
            .finish(fetch(1), ifItWaits: true).then(equals: ["asked", "1 got 7", "1 ended"]).run()
    }

    @Test("A second answer to a call fails, or does nothing with `ifItWaits`")
    func answered() throws {
        let once = plan(.fetch(1)).resolve(fetch(1), with: 7)
        expectEqual(message(once.resolve(fetch(1), with: 8)), "fetch(1) cannot be answered: it was answered before")
        try plan(.fetch(1)).resolve(fetch(1), with: 7).resolve(fetch(1), with: 8, ifItWaits: true)
            .then(equals: ["asked", "1 got 7", "1 ended"]).run()
    }

    @Test("A step answers the oldest pending call or, given a number, the call with that number")
    func numbers() throws {
        let asked = ["asked", "asked"]
        try plan(.fetch(1), .fetch(1)).resolve(fetch(1), with: 7).resolve(fetch(1), with: 8)
            .then(equals: asked + ["1 got 7", "1 ended", "2 got 8", "2 ended"]).run()
        try plan(.fetch(1), .fetch(1)).resolve(fetch(1), with: 7, number: 2).resolve(fetch(1), with: 8, number: 1)
            .then(equals: asked + ["2 got 7", "2 ended", "1 got 8", "1 ended"]).run()
        try plan(.save(1), .save(1)).resolve(save(1), number: 2).resolve(save(1))
            .then(equals: asked + ["2 saved", "2 ended", "1 saved", "1 ended"]).run()
        try plan(.fetch(1), .fetch(1)).fail(fetch(1), with: .offline, number: 2).fail(fetch(1), with: .rubbish)
            .then(equals: asked + ["2 failed: offline", "1 failed: rubbish"]).run()
        try plan(.fetch(1), .fetch(1)).send(7, from: fetch(1), number: 2).finish(fetch(1), number: 2)
            .then(equals: asked + ["2 got 7", "2 ended"]).finish(fetch(1), number: 1)
            .then(equals: asked + ["2 got 7", "2 ended", "1 ended"]).run()
    }

    @Test("The number of a call does not count calls with other arguments")
    func otherArguments() throws {
        try plan(.fetch(2), .fetch(1), .fetch(2)).resolve(fetch(2), with: 7, number: 2)
            .then(\.last, equals: "3 ended").resolve(fetch(2), with: 8).resolve(fetch(1), with: 9, number: 1)
            .then(\.last, equals: "2 ended").run()
    }

    @Test("A step with a number answers only that call, and fails if it is no longer pending")
    func answeredNumber() throws {
        let first = plan(.fetch(1), .fetch(1)).resolve(fetch(1), with: 7, number: 1)
        expectEqual(
            message(first.resolve(fetch(1), with: 8, number: 1)), "fetch(1) cannot be answered: it was answered before")
        try plan(.fetch(1), .fetch(1)).resolve(fetch(1), with: 7, number: 1)
            .resolve(fetch(1), with: 8, ifItWaits: true, number: 1).resolve(fetch(1), with: 9)
            .then(\.last, equals: "2 ended").run()
    }

    @Test("A number below one or above the number of calls fails, with the number in the message", arguments: [-1, 0, 3])
    func wrongNumber(_ number: Int) throws {
        let two = plan(.fetch(1), .fetch(1)).ignoringCalls().ignoringInFlight()
        expectEqual(
            message(two.resolve(fetch(1), with: 8, number: number)),
            "fetch(1) has no call number \(number): it was called 2 times, and numbers begin at 1")
        let one = plan(.fetch(1)).ignoringCalls().ignoringInFlight()
        expect(message(one.finish(fetch(1), number: 2)).hasSuffix("it was called once, and numbers begin at 1"))
        try plan(.fetch(1), .fetch(1)).resolve(fetch(1), with: 8, ifItWaits: true, number: number)
            .then(equals: ["asked", "asked"]).ignoringCalls().ignoringInFlight().run()
    }
}

@Suite("Plan steps that ignore rejections")
struct IgnoringRefusalsTests {
    @Test("A rejected event or effect fails the plan, unless an earlier step ignores rejections")
    func refusals() throws {
        expect(message(plan(.refuse)).hasPrefix("refuse was rejected: not now"))
        expect(message(plan(.refuse).ignoringRefusals()).hasPrefix("refuse was rejected: not now"))
        expect(
            message(plan(.refuseEffect).resolve(fetch(0), with: 1))
                .hasPrefix("the effect \"refused\" was rejected: not ever"))
        try plan().ignoringRefusals().when(.refuse).when(.refuseEffect).resolve(fetch(0), with: 1).then(equals: []).run()
    }

    @Test("A `rejects` step fails if nothing is rejected, even while rejections are ignored")
    func asked() {
        expect(message(plan().ignoringRefusals().rejects(.fetch(1))).hasPrefix("fetch(1) was not rejected"))
    }

    @Test("A fork ignores rejections if its plan does")
    func fork() throws {
        try plan().ignoringRefusals().when(.fetch(1)).fork("refused") { $0.when(.refuse).resolve(fetch(1), with: 1) }
            .resolve(fetch(1), with: 2).run()
    }
}

@Suite("Plan steps that check conditions")
struct HoldsTests {
    @Test("A condition that does not hold in the current state fails, with the state in the message")
    func present() throws {
        try plan().holds("it is empty") { $0.isEmpty }.run()
        expectEqual(
            message(plan().holds("it is full") { !$0.isEmpty }), "\"it is full\" does not hold of []")
    }

    @Test("A check with `is: false` fails if the condition holds")
    func isNot() throws {
        try plan().holds("it is full", is: false) { !$0.isEmpty }.run()
        expectEqual(message(plan().holds("it is empty", is: false) { $0.isEmpty }), "\"it is empty\" is so of []")
    }

    @Test("The trace of a plan has the condition of `holds`, and whether it is negated")
    func trace() throws {
        let trace = try plan().holds("it is empty") { $0.isEmpty }.holds("it is full", is: false) { !$0.isEmpty }.run()
        expectEqual(
            trace.description.split(separator: "\n").suffix(2), ["Then it is empty", "Then it is not so: it is full"])
    }

    @Test("A check of the last step inspects all its states in order, or the current state if there was no step")
    func lastStep() throws {
        let two = plan(.fetch(1)).resolve(fetch(1), with: 7)
        expectEqual(
            message(two.holds("nothing came", in: .lastStep) { $0.count < 2 }),
            "\"nothing came\" does not hold of [\"asked\", \"1 got 7\"]")
        try plan(.fetch(1)).resolve(fetch(1), with: 7).holds("it ended") { $0.last == "1 ended" }
            .holds("it was asked for before", in: .lastStep) { $0.count >= 2 }.run()
        try plan(.fetch(1)).resolve(fetch(1), with: 7).resolve(fetch(1), with: 8, ifItWaits: true)
            .holds("it has ended", in: .lastStep) { $0.count == 3 }.run()
        expectEqual(message(plan().holds("it is full", in: .lastStep) { !$0.isEmpty }), "\"it is full\" does not hold of []")
    }

    @Test("A check in a quiet state is skipped while a call or a timer is pending")
    func quiet() throws {
        try plan(.fetch(1)).holds("it has ended", in: .quiet) { $0.last == "1 ended" }
            .resolve(fetch(1), with: 7).holds("it has ended", in: .quiet) { $0.last == "1 ended" }.run()
        try plan(.wait).holds("it has waited", in: .quiet) { $0 == ["waited"] }.advance(by: .seconds(1))
            .holds("it has waited", in: .quiet) { $0 == ["waited"] }.run()
        expectEqual(
            message(plan(.fetch(1)).resolve(fetch(1), with: 7).holds("it is empty", in: .quiet) { $0.isEmpty }),
            "\"it is empty\" does not hold of [\"asked\", \"1 got 7\", \"1 ended\"]")
    }

    @Test("A check in a quiet state is skipped while a call of feedback is pending")
    func feedback() throws {
        func feeding() -> LinesPlan {
            Plan(
                lines, given: [],
                feedback: { states, world in
                    [
                        states.filter(\.isEmpty).flatMap { _ in world.fetch(9).map { _ in Event.wait }.catch { _ in Empty() } }
                            .eraseToAnyPublisher()
                    ]
                },
                environment: { World(fetch: $0.publisher(fetch), save: $0.publisher(save), time: $0.scheduler) })
        }
        try feeding().holds("it has waited", in: .quiet) { $0 == ["waited"] }.resolve(fetch(9), with: 1)
            .holds("it has waited", in: .quiet) { $0 == ["waited"] }.advance(by: .seconds(1))
            .holds("it has waited", in: .quiet) { $0 == ["waited"] }.ignoringInFlight().run()
    }

    @Test("A check in a quiet state is made while only a call that ignores its cancellation is pending")
    func ignoredCancellation() throws {
        let wait = Stub<Int, Int, Never>("wait")
        let latest = Reducer<[Int], Int, Int, @Sendable (Int) async -> Int>(
            transform: { _, event, wait in
                event == 0
                    ? .cancelJob("wait")
                    : AnyPublisher<Int, Never>.run { send in send(await wait(event)) }.job("wait", .latest).eraseToAnyPublisher()
            }, apply: { (state: inout [Int], effect: Int) in state.append(effect) })
        let failure = #expect(throws: PlanFailure.self) {
            try Plan(latest, given: []) { $0.async(wait) }.when(1).holds("it came", in: .quiet) { !$0.isEmpty }
                .when(0).holds("it came", in: .quiet) { !$0.isEmpty }.ignoringCalls().ignoringInFlight().ignoringRelease().run()
        }
        expectEqual(failure?.message, "\"it came\" does not hold of []")
        expectEqual(failure?.trace.contains("When 0"), true)
    }
}
