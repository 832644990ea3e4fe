import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

extension Counter {
    fileprivate var doubled: Int { count * 2 }
}

/// The failures of plans: each has the step, its place, and the step to write instead.
struct FailureTests {
    typealias CounterPlan = Plan<Counter, CounterEvent, CounterEffect, CounterEnvironment>

    /// Returns the message with which a plan fails.
    private func message<State, Event, Effect, Environment>(_ plan: Plan<State, Event, Effect, Environment>) -> String {
        do {
            try plan.run()
            return "did not fail"
        } catch { return error.message }
    }

    @Test("A field that differs is reported with both values")
    func differingField() {
        expectEqual(message(counterPlan().then(\.count, equals: 1)), "count: expected 1, got 0")
        expectEqual(
            message(counterPlan().then(equals: Counter(count: 2, message: "x"))),
            "count: expected 2, got 0\nmessage: expected \"x\", got nil")
    }

    private struct Hostile: Error, CustomStringConvertible {
        var description: String { "a\u{1B}[2J\u{7}\u{9B}m\u{202E}\u{2028}b\r\n" }
    }

    @Test("Texts of errors, functions and values do not steer the terminal in failures and traces")
    func steering() throws {
        struct World: Sendable { var find: @Sendable (String) async throws -> String }
        let text = Hostile().description
        let find = Stub<String, String, any Error>(text)
        let reducer = Reducer<String, Bool, String, World>(
            transform: { _, asks, world throws(any Error) in
                guard asks else { throw Hostile() }
                return .run { send in
                    send(try await world.find(text))
                } catch: { _ in
                    text
                }
            },
            apply: { (state: inout String, effect: String) in state += effect })
        func check(_ what: String) {
            let lines = what.split(separator: "\n", omittingEmptySubsequences: false)
            expect(lines.contains { $0.contains("a\\u{1B}[2J") && $0.contains("b\\r") })
            for line in lines { expect(!line.unicodeScalars.contains(where: \.isSteering), "\(line.debugDescription)") }
        }
        let plan = Plan(reducer, given: text) { World(find: $0.async(find)) }
        for failing in [plan.when(false), plan.when(true), plan.then(equals: "")] {
            do {
                try failing.run()
                expect(Bool(false), "it did not fail")
            } catch { check(error.description) }
        }
        try check(plan.when(true).fail(find(text), with: Hostile()).rejects(false).run().description)
    }

    @Test("A state that differs in too many places is reported by the first differences, and a note that there may be more")
    func manyDifferences() {
        let reducer = Reducer<[Int], Int, Int, Void>(
            transform: { _, count, _ in Just(count).eraseToAnyPublisher() }, apply: { $0 = Array(0..<$1) })
        let failure = #expect(throws: PlanFailure.self) {
            try Plan(reducer, given: []) { _ in }.when(1001).then(equals: []).run()
        }
        let lines = failure?.message.split(separator: "\n") ?? []
        expectEqual(lines.count, 1001)
        expectEqual(
            lines.suffix(2), ["[999]: expected nothing, got 999", "… and possibly more changes, which were not compared"])
        expectEqual(failure?.trace.contains("[999]: nothing → 999"), true)
        expectEqual(failure?.trace.contains("… and possibly more changes, which were not compared"), true)
    }

    @Test("A field of a field is reported with its whole path, and an empty line in the trace is kept")
    func nestedField() {
        struct Whole: Equatable { var part = Part() }
        struct Part: Equatable { var text = "a" }
        let reducer = Reducer<Whole, Int, Int, Void>()
        let plan = Plan(reducer, given: Whole(), environment: ()).then("first\n\nthird") { _ in }
            .then(\.part.text, equals: "b")
        let failure = #expect(throws: PlanFailure.self) { try plan.run() }
        expectEqual(failure?.message, "part.text: expected \"b\", got \"a\"")
        expectEqual(failure.map { "\($0)" }?.contains("first\n\n    third"), true)
    }

    @Test("A failure at the end of a plan has the line of the last step")
    func placeOfTheEnd() {
        let plan = counterPlan()
            .then(\.count, equals: 0)
            .when(.plus)
        let failure = #expect(throws: PlanFailure.self) { try plan.run() }
        expectEqual(failure?.place.line, UInt(#line) - 2)
    }

    @Test("A failure has the line of its step")
    func place() {
        let plan = counterPlan()
            .then(\.count, equals: 0)
            .then(\.count, equals: 1)
        let failure = #expect(throws: PlanFailure.self) { try plan.run() }
        expectEqual(failure?.place.line, UInt(#line) - 2)
        expectEqual("\(failure?.place.fileID ?? "")", "MoonlightTestingTests/FailureTests.swift")
    }

    @Test("A failure contains the steps so far")
    func trace() {
        let failure = #expect(throws: PlanFailure.self) {
            try counterPlan().when(.plus).then(\.count, equals: 3).run()
        }
        expectEqual(failure?.trace.contains("When plus"), true)
        expect("\(failure.map { "\($0)" } ?? "")".contains("The trace so far:"))
    }

    @Test("A call that no step mentions fails the plan, and the message names the step to write")
    func unasserted() {
        let text = message(counterPlan().when(.quietly))
        expect(text.contains("log(\"quietly\") was called, but no step mentions it; it was answered"))
        expect(text.contains(".expect(log(\"quietly\"))"))
        expect(message(counterPlan().when(.plus)).contains(".resolve(post(1), with: …)"))
    }

    @Test("A stream that is alive at the end fails the plan")
    func alive() {
        let text = message(counterPlan().when(.plus).expect(post(1)))
        expect(text.contains("1 stream of effects is still alive at the end"))
        expect(text.contains("pending calls: post(1)"))
        expect(text.contains("jobs: post"))
        expectEqual(message(counterPlan().when(.plus).expect(post(1)).ignoringInFlight()), "did not fail")
        expect(
            message(counterPlan().when(.search("x"))).contains(
                "2 timers are set, the next is due in 0.3 seconds: .advance(by: .milliseconds(300))"))
    }

    @Test("A repeating timer at the end fails the plan with the advice to send an event, not to advance time")
    func endless() {
        let ticking = Reducer<Int, Bool, Int, AnyScheduler<TimePoint, Never>>(
            transform: { _, isOn, scheduler in
                isOn
                    ? TimerPublisher(every: .seconds(1), on: scheduler).autoconnect().map { _ in 1 }.job("tick", .latest)
                        .eraseToAnyPublisher()
                    : .cancelJob("tick")
            },
            apply: { $0 += $1 })
        let plan = Plan(ticking, given: 0) { $0.scheduler.eraseToAnyScheduler() }.when(true).advance(by: .seconds(3))
        let failure = #expect(throws: PlanFailure.self) { try plan.run() }
        expectEqual(failure?.message.contains("1 timer repeats: send the event that ends its stream"), true)
        expectEqual(failure?.message.contains(".advance"), false)
    }

    @Test("An answer to a call that was cancelled fails the plan")
    func cancelled() {
        let plan = counterPlan().when(.plus).when(.plus)
        expectEqual(
            message(plan.resolve(post(1), with: 1)),
            "post(1) cannot be answered: it was cancelled. If that is right, write .cancelled(post(1))")
        expectEqual(message(plan.cancelled(post(1)).resolve(post(2), with: 2)), "did not fail")
        expect(message(plan.resolve(post(2), with: 2)).contains(".cancelled(post(1))"))
    }

    @Test("An expected call that was not made is reported, with the calls that were")
    func neverMade() {
        let text = message(counterPlan().when(.plus).expect(post(2)))
        expect(text.contains("post(2) was expected, but it was not called"))
        expect(text.contains("the argument: expected 2, got 1"))
        expect(text.contains("The unexpected calls are: post(1)"))
        expect(message(counterPlan().expect(post(2))).contains("There were no unexpected calls"))
        expect(message(counterPlan().resolve(post(2), with: 1)).contains("it was not called"))
    }

    @Test("A call that was not made is reported with the work in flight, and with the step that runs the next timer")
    func notYetMade() {
        let plan = counterPlan().when(.search("x")).advance(by: .milliseconds(100))
        expectEqual(
            message(plan.resolve(load("x"), with: "y")),
            """
            load("x") was to be answered, but it was not called
            There were no unexpected calls
            In flight: search. A timer is due in 0.2 seconds: .advance(by: .milliseconds(200))
            """)
        let waiting = counterPlan().when(.plus).expect(post(1)).expect(post(2))
        expectEqual(
            message(waiting), "post(2) was expected, but it was not called\nThere were no unexpected calls\nIn flight: post")
    }

    @Test("Work in flight that neither a call nor a timer of the plan continues is reported as not controlled by it")
    func uncontrolled() {
        let never = Reducer<Int, String, Int, Void>(
            transform: { _, event, _ in
                let effects = Empty<Int, Never>(completeImmediately: false).eraseToAnyPublisher()
                return event.isEmpty ? effects : effects.job(JobID(event), .latest)
            }, apply: { $0 += $1 })
        let absence = "load(\"x\") was expected, but it was not called\nThere were no unexpected calls"
        let rest = "for something that the plan does not control, such as real time: use stubs.scheduler, stubs.clock or a stub"
        let plan = Plan(never, given: 0, environment: ())
        expectEqual(message(plan.expect(load("x"))), absence)
        expectEqual(
            message(plan.when("search").expect(load("x"))), "\(absence)\nIn flight: search\nsearch waits \(rest)")
        expectEqual(
            message(plan.when("a").when("b").expect(load("x"))), "\(absence)\nIn flight: a, b\na, b wait \(rest)")
        expectEqual(message(plan.when("").expect(load("x"))), "\(absence)\na stream of effects waits \(rest)")
        expectEqual(message(plan.when("").when("").expect(load("x"))), "\(absence)\n2 streams of effects wait \(rest)")
        expectEqual(
            message(plan.when("search")),
            """
            1 stream of effects is still alive at the end:
                jobs: search
                search waits \(rest)
            End what is alive or, if that does not matter, write .ignoringInFlight()
            """)
    }

    @Test("A call that was cancelled and waits nevertheless is named if the end finds its stream alive")
    func cancelledAndAwaited() {
        let find = Stub<Int, Int, NetworkError>("find")
        let hasty = Reducer<Int, Int, Int, @Sendable (Int) async throws(NetworkError) -> Int>(
            transform: { _, event, find in
                .run { send in
                    await withTaskGroup(of: Void.self) { group in
                        group.addTask { _ = try? await find(event) }
                        group.cancelAll()
                    }
                    send(event)
                }
            }, apply: { $0 += $1 })
        let plan = Plan(hasty, given: 0) { $0.async(find) }.when(1).cancelled(find(1))
        expectEqual(
            message(plan),
            """
            1 stream of effects is still alive at the end:
                calls that were cancelled, but still wait: find(1): answer them by .resolve or .fail
            End what is alive or, if that does not matter, write .ignoringInFlight()
            """)
        expectEqual(message(plan.resolve(find(1), with: 2)), "did not fail")
    }

    private enum Kind: Equatable, Sendable {
        case fewer
        case more(by: Int)
    }
    private enum LineEvent: Equatable, Sendable { case line(Int, Kind) }

    @Test("The step that a failure suggests is Swift source, also for cases of enums")
    func sourceOfSteps() {
        let ask = Stub<(Int, Kind), Int, any Error>("ask")
        let asking = Reducer<Int, LineEvent, Int, @Sendable (Int, Kind) async throws -> Int>(
            transform: { _, event, ask in
                guard case .line(let number, let kind) = event else { return .none }
                if number == 0 { throw BelowZero(count: number) }
                return .run { send in
                    send(try await ask(number, kind))
                } catch: { _ in
                    nil
                }
            }, apply: { $0 += $1 })
        let plan = Plan(asking, given: 0) { $0.async(ask) }
        expect(message(plan.when(.line(0, .fewer))).hasSuffix("write .rejects(.line(0, .fewer)) in place of .when"))
        expect(message(plan.when(.line(1, .more(by: 2)))).contains("Write .resolve(ask(1, .more(by: 2)), with: …)"))
    }

    @Test("A call can be answered only once")
    func twice() {
        let plan = counterPlan().when(.plus).resolve(post(1), with: 1).resolve(post(1), with: 2)
        expectEqual(message(plan), "post(1) cannot be answered: it was answered before")
    }

    @Test("A failure reports the last of several equal calls that are no longer pending")
    func lastOfEqual() {
        let plan = counterPlan().when(.plus).resolve(post(1), with: 0).when(.plus).when(.plus)
        expect(message(plan.resolve(post(1), with: 1)).hasPrefix("post(1) cannot be answered: it was cancelled"))
        let waiting = counterPlan().when(.plus).resolve(post(1), with: 0).when(.plus)
        expectEqual(message(waiting.cancelled(post(1))), "post(1) was not cancelled: it waits for its answer")
    }

    @Test("A call can be expected only once")
    func expectedTwice() {
        let plan = counterPlan().when(.quietly).expect(log("quietly"))
        expect(message(plan.expect(log("quietly"))).contains("log(\"quietly\") was expected, but it was not called"))
        expectEqual(message(plan.when(.quietly).expect(log("quietly"))), "did not fail")
        expect(message(plan.when(.quietly)).contains("no step mentions it"))
    }

    @Test("With `allowingRefusals`, effects that follow from an event may be rejected, but not the event itself")
    func allowingRefusals() {
        expect(message(counterPlan().when(.minus, allowingRefusals: true)).contains("minus was rejected: BelowZero(count: 0)"))
        let picky = Reducer<Counter, CounterEvent, CounterEffect, CounterEnvironment>(
            transform: { try counter.transform($0, $1, $2) },
            apply: { (state: inout Counter, effect: CounterEffect) throws(BelowZero) in throw BelowZero(count: state.count) })
        let plan = Plan(picky, given: Counter()) { CounterEnvironment($0) }.when(.quietly, allowingRefusals: true)
        expectEqual(message(plan.expect(log("quietly"))), "did not fail")
        let strict = Plan(picky, given: Counter()) { CounterEnvironment($0) }.when(.quietly)
        expect(message(strict).contains("the effect idle was rejected: BelowZero(count: 0)"))
    }

    @Test("A rejected event of feedback is not mistaken for the event of the step")
    func rejectedFollowUp() {
        let inlet = PassthroughSubject<Int, Never>()
        let reducer = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in
                if event < 0 { throw BelowZero(count: event) }
                inlet.send(-1)
                return .none
            }, apply: { $0 += $1 })
        let plan = Plan(reducer, given: 0, environment: (), feedback: { _, _ in [inlet.eraseToAnyPublisher()] })
        expectEqual(message(plan.when(1, allowingRefusals: true)), "did not fail")
        expect(message(plan.when(1)).contains("the event -1 was rejected"))
    }

    @Test("A rejected event fails `when`, and an accepted one fails `rejects`")
    func refusal() {
        expect(message(counterPlan().when(.minus)).contains("minus was rejected: BelowZero(count: 0)"))
        expect(message(counterPlan().when(.minus)).contains(".rejects(.minus)"))
        let text = message(counterPlan().rejects(.plus))
        expect(text.contains("plus was not rejected: it changed count: 0 → 1, isBusy: false → true"))
        expect(message(counterPlan().rejects(.minus, BelowZero(count: 1))).contains("count: expected 1, got 0"))
        expect(message(counterPlan().rejects(.reset, BelowZero(count: 1))).contains("another kind of error"))
        expect(message(counterPlan().rejects(.reset, Rejection("x"))).contains("expected x, got not now"))
    }

    @Test("An effect that is rejected after an answer or a delay fails the plan")
    func refusedLater() {
        let picky = Reducer<Counter, CounterEvent, CounterEffect, CounterEnvironment>(
            transform: { try counter.transform($0, $1, $2) },
            apply: { (state: inout Counter, effect: CounterEffect) throws(BelowZero) in
                if case .counted = effect { state.isBusy = true } else { throw BelowZero(count: state.count) }
            })
        let plan = Plan(picky, given: Counter()) { CounterEnvironment($0) }
        let answered = message(plan.when(.plus).resolve(post(1), with: 1))
        expectEqual(answered, "the effect synchronised(1) was rejected: BelowZero(count: 0)")
        let later = message(plan.when(.search("x")).advance(by: .milliseconds(300)))
        expectEqual(later, "the effect said(\"x\") was rejected: BelowZero(count: 0)")
    }

    @Test("Unexpected effects are listed")
    func effects() {
        let text = message(counterPlan().when(.plus).emits(.counted(2)).resolve(post(1), with: 1))
        expect(text.contains("The last step led to these effects: counted(1)"))
    }

    @Test("Unexpected jobs in flight are listed")
    func jobs() {
        let text = message(counterPlan().when(.plus).inFlight("get"))
        expectEqual(text, "not in flight: get\nin flight, but not expected: post")
    }

    @Test("A property without a name at run time is described by its type, and not by an address")
    func computedProperty() throws {
        let trace = try counterPlan().then(\.doubled.magnitude, equals: 0).run()
        expectEqual(trace.lines.last, "Then <Int>.<UInt> is 0")
    }

    @Test("A plan that is run twice fails")
    func runTwice() throws {
        let plan = counterPlan().then(\.count, equals: 0)
        try plan.run()
        expect(message(plan).contains("was run before"))
    }

    @Test("A plan that is never run is reported, with the line at which it was made")
    func neverRun() {
        let reported = Recorder<PlanFailure>()
        PlanHygiene.$reporter.withValue(.init { reported.append($0) }) {
            _ = counterPlan().then(\.count, equals: 0)
        }
        expectEqual(reported.values.map(\.place.line), [UInt(#line) - 2])
        expectEqual(reported.values.first?.message.contains("never run"), true)
    }

    @Test("An environment that is still retained at the end fails the plan")
    func release() {
        // Sound: used by one thread.
        final class BorrowedSubscriber: @unchecked Sendable { var held: Any? }
        let holder = BorrowedSubscriber()
        let plan = Plan(counter, given: Counter()) { (stubs: Stubs) in
            let environment = CounterEnvironment(stubs)
            holder.held = environment
            return environment
        }
        expect(message(plan.then(\.count, equals: 0)).contains("the environment is not released"))
        expectEqual(message(plan.ignoringRelease()), "did not fail")
    }

    @Test("An error of a closure of the test is a failure of its step")
    func ownErrors() {
        let failure = #expect(throws: PlanFailure.self) {
            try counterPlan().then { _ in throw NetworkError.rubbish }.run()
        }
        expectEqual(failure?.message, "rubbish")
    }

    @Test("The trace of a plan contains the expected effects, or that there were none")
    func expectedEffects() {
        let reducer = Reducer<[Int], Int, Int, Void>(
            transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
            apply: { (state: inout [Int], effect: Int) in state.append(effect) })
        let failure = #expect(throws: PlanFailure.self) {
            try Plan(reducer, given: []) { _ in }.emits().when(1).emits(1).then(equals: [2]).run()
        }
        expectEqual(failure?.trace.contains("Then there is no effect"), true)
        expectEqual(failure?.trace.contains("Then the effects are 1"), true)
    }

    @Test("A live stream of effects other than a call, job or timer is reported as such")
    func unknownStream() {
        expectEqual(
            message(endlessPlan().when(1)),
            """
            1 stream of effects is still alive at the end:
                a stream of effects waits for something that the plan does not control, such as real time: use stubs.scheduler, \
            stubs.clock or a stub
            End what is alive or, if that does not matter, write .ignoringInFlight()
            """)
    }

    @Test("A check in a quiet state is skipped while a stream of effects is alive, even without timers")
    func noQuiet() throws {
        try endlessPlan().when(1).holds("it is never quiet", in: .quiet) { _ in false }.ignoringInFlight().run()
        expectEqual(
            message(endlessPlan().holds("it is never quiet", in: .quiet) { _ in false }),
            "\"it is never quiet\" does not hold of []")
    }

    /// A program whose effects never end.
    private func endlessPlan() -> Plan<[Int], Int, Int, Void> {
        let reducer = Reducer<[Int], Int, Int, Void>(
            transform: { _, _, _ in Empty(completeImmediately: false).eraseToAnyPublisher() },
            apply: { (state: inout [Int], effect: Int) in state.append(effect) })
        return Plan(reducer, given: []) { _ in }
    }

    @Test("A job that is refused rejects its event, in `when` and in `rejects`")
    func refusedJob() throws {
        let busy = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in Empty(completeImmediately: false).eraseToAnyPublisher().job("work", .merge(limit: event))
            },
            apply: { (state: inout Int, effect: Int) in state = effect })
        let plan = Plan(busy, given: 0, environment: ()).ignoringInFlight().when(1)
        let text = message(plan.when(1))
        expect(text.hasPrefix("1 was rejected: the limit of .merge(limit: 1) for job work is reached"))
        try plan.rejects(1, JobError.full(id: JobID("work"), policy: .merge(limit: 1))).run()
    }
}
