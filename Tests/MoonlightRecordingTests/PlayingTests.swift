import Moonlight
import MoonlightRecordingTesting
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightRecording

private struct Plain: Equatable, Sendable { var count = 0 }
private enum Add: Sendable, Codable { case one }

@Suite("Recording: replay through a reducer")
struct PlayingTests {
    @Test("A replay of a random recording through its reducer has no difference", arguments: Budget.seeds(150, least: 8))
    func same(seed: Int) throws {
        let hasFeedback = seed % 3 == 0
        let stage = randomStage(seed: seed, hasFeedback: hasFeedback)
        let read = try Stage.DeskRecording(bytes: stage.recording.bytes)
        let difference: RecordedDifference? = try read.firstDifference(
            from: desk, feedback: hasFeedback ? { deskFeedback($0, $1) } : nil, environment: deskWorld)
        expect(difference == nil, "\(difference?.description ?? "")")
        stage.end()
    }

    @Test("The trace of a random recording's plan equals `trace()` of the recording", arguments: Budget.seeds(150, least: 8))
    func trace(seed: Int) throws {
        let stage = randomStage(seed: seed, hasFeedback: seed % 3 == 0)
        let read = try Stage.DeskRecording(bytes: stage.recording.bytes)
        let played = try read.plan(of: desk, environment: deskWorld).ignoringCalls().ignoringInFlight().ignoringRelease().run()
        let difference = try happenings(played.description).difference(from: happenings(read.trace()))
        expect(difference.isEmpty, "\(difference.map { "\($0)" })")
        stage.end()
    }

    @Test("A changed reducer is reported with the first step that differs")
    func changed() throws {
        let stage = Stage().send(.typed("mo"), .remind(1)).pass(.seconds(1)).send(.stamp)
        let difference = try #require(try stage.recording.firstDifference(from: makeDesk(reminding: 2), environment: deskWorld))
        expectEqual(difference.changes, [.init(path: "reminders", before: "1", after: "2")])
        try expectEqual(stage.recording.step(difference.step).kind, .fired)
        expectEqual(difference.reason, "")
        stage.end()
    }

    @Test("A reducer that makes another call differs at the answer without a call")
    func otherCall() throws {
        let stage = Stage().send(.typed("mo"), .search).answer(.success(["x"]))
        let other = Reducer<Desk, DeskEvent, DeskEffect, DeskWorld>(
            transform: { state, event, world in
                guard case .search = event else { return Just(.text("mo")).eraseToAnyPublisher() }
                return .run { send in
                    send(.searching("mo"))
                    send(.found((try? await world.find("other")) ?? []))
                }
            },
            apply: { (state: inout Desk, effect: DeskEffect) in _ = try? desk.apply(effect, to: &state) })
        let difference = try #require(try stage.recording.firstDifference(from: other, environment: deskWorld))
        expect(difference.reason.hasPrefix("find(\"mo\") was not called; the pending calls are find(\"other\")"))
        expectEqual(difference.action, "the answer [\"x\"] of find(\"mo\")")
        stage.end()
    }

    @Test("A plan up to a step continues with other events and answers")
    func continued() throws {
        let stage = Stage().send(.typed("mo"), .search, .stamp).answer(.success(["x"]))
        try stage.recording.plan(of: desk, to: 6, environment: deskWorld)
            .then(\.status, equals: .searching("mo"))
            .fail(find("mo"), with: .offline)
            .then(\.status, equals: .failed(.offline))
            .then(\.stamps, equals: [])
            .run()
        stage.end()
    }

    @Test("`firstStep` finds the first step with a condition by bisection")
    func bisection() throws {
        let stage = Stage(keeping: .last(4000))
        for count in 1...300 { stage.send(.note("a", count: count)) }
        var looks = 0
        let step = try stage.recording.firstStep(by: desk) { state in
            looks += 1
            return state.notes["a", default: 0] >= 123
        }
        expectEqual(step?.number, 246)
        expect(looks <= 13)
        try expect(stage.recording.firstStep(by: desk) { $0.notes.isEmpty } == nil)
        try expectEqual(stage.recording.firstStep(by: desk) { _ in true }?.number, 1)
        stage.end()
    }

    @Test("A call is answered in a replay even if its argument is a set that has another order there")
    func sets() async throws {
        struct Words: Sendable { var count: @Sendable (Set<String>) async -> Int }
        let count = Stub<Set<String>, Int, Never>("count")
        func counter(_ capacity: Int) -> Reducer<Int, Int, Int, Words> {
            Reducer(
                transform: { _, event, words in
                    .run { send in
                        var all = Set<String>(minimumCapacity: capacity)
                        for number in 0..<event { all.insert("word \(number)") }
                        send(await words.count(all))
                    }
                },
                apply: { (state: inout Int, effect: Int) in state = effect })
        }
        let recording = Recording(of: counter(0))
        let store = Store(
            reducer: counter(0), initialState: 0, environment: Words(count: recording.async("count") { words in words.count }),
            options: LoopOptions(journal: recording))
        _ = await store.send(8, until: .settled)
        for capacity in [0, 100, 1_000, 10_000] {
            let difference = try recording.firstDifference(from: counter(capacity)) { Words(count: $0.async(count)) }
            expect(difference == nil, "\(difference?.description ?? "")")
        }
        store.cancel()
    }

    @Test("A state that cannot be decoded is an error with the reason")
    func undecodable() throws {
        let adder = Reducer<Plain, Add, Add, Void>(
            transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
            apply: { (state: inout Plain, _: Add) in state.count += 1 })
        let recording = Recording(of: adder)
        let store = Store(reducer: adder, initialState: Plain(), environment: (), options: LoopOptions(journal: recording))
        store.send(.one)
        #expect(
            throws: RecordingError.undecodable(what: "the state", step: 1, reason: "Plain is not Decodable")
        ) { try recording.state(at: 2, by: adder) }
        // It can still be inspected, and made into a plan.
        try expectEqual(recording.reader.state(at: 2)?.source, "Plain(count: 1)")
        try expect(recording.planSource(reducer: "adder").contains(".when(.one)"))
        #expect(throws: RecordingError.noStep(9, kept: 1...2)) { try recording.step(9) }
        store.cancel()
    }

    @Test("`minimized` removes irrelevant events")
    func minimized() throws {
        let stage = Stage().send(.typed("x"), .stamp, .note("a", count: 1), .typed("mo"), .stamp, .search, .watch("tea"))
        stage.price(4).send(.remind(3)).answer(.success(["moon"])).send(.stamp).pass(.seconds(4))
        let smaller = try #require(
            try stage.recording.minimized(of: desk, environment: deskWorld) { $0.found == ["moon"] })
        let texts = try smaller.steps.map { try stage.recording.step($0).text }
        expectEqual(texts, ["typed(\"mo\")", "search", "[\"moon\"]"])
        try expect(stage.recording.minimized(of: desk, environment: deskWorld) { $0.found == ["sun"] } == nil)
        let source = try smaller.planSource(holds: "state.found == [\"moon\"]", reducer: "desk", environment: "{ deskWorld($0) }")
        expectEqual(
            source,
            """
            try Plan(desk, given: Desk(text: "", status: .idle, found: nil, price: 0, reminders: 0, stamps: [], notes: [:], user: User(token: "", pin: 0, card: nil))) { deskWorld($0) }
                .when(.typed("mo"))
                .when(.search)
                .resolve(find("mo"), with: ["moon"])
                .holds("the condition holds at the end") { state in state.found == ["moon"] }
                .ignoringCalls().ignoringInFlight().ignoringRelease()
                .run()
            """)
        stage.end()
    }
}

@Suite("Recording: minimizing")
struct MinimizingTests {
    @Test("`minimized` removes an event that only a later, irrelevant event needs")
    func secondPass() throws {
        let stage = Stage().send(.typed("x"), .note("n", count: 1))
        let smaller = try stage.recording.minimized(of: desk, environment: deskWorld) { !($0.notes["n"] == 1 && $0.text != "x") }
        expectEqual(smaller?.steps, [])
        stage.end()
    }

    @Test("`firstDifference` returns the first difference, not the last")
    func firstDifference() throws {
        let stage = Stage().send(.remind(0), .remind(0))
        let difference = try #require(try stage.recording.firstDifference(from: makeDesk(reminding: 2), environment: deskWorld))
        expectEqual(difference.changes, [.init(path: "reminders", before: "1", after: "2")])
        stage.end()
    }
}

@Suite("Recording: sources of plans, and `trace()`")
struct RecordedPlanTests {
    @Test("A plan has the events, answers and times in order, and checks their changes")
    func source() throws {
        let stage = Stage().send(.search, .typed("mo"), .search, .search, .remind(2)).pass(.seconds(1)).send(.stamp)
        stage.answer(at: 1, .failure(.busy(2))).pass(.seconds(1))
        try expectEqual(
            stage.recording.planSource(reducer: "desk", environment: "{ deskWorld($0) }"),
            """
            try Plan(desk, given: Desk(text: "", status: .idle, found: nil, price: 0, reminders: 0, stamps: [], notes: [:], user: User(token: "", pin: 0, card: nil))) { deskWorld($0) }
                .ignoringRefusals()
                .rejects(.search)
                .when(.typed("mo"))
                .then(\\.text, equals: "mo")
                .when(.search)
                .then(\\.status, equals: .searching("mo"))
                .when(.search)
                .when(.remind(2))
                .advance(by: .seconds(1))
                .when(.stamp)
                .then(\\.stamps, equals: [1])
                .fail(find("mo"), with: .busy(2), number: 2)
                .then(\\.status, equals: .failed(.busy(2)))
                .advance(by: .seconds(1))
                .then(\\.reminders, equals: 1)
                .then(equals: Desk(text: "mo", status: .failed(.busy(2)), found: nil, price: 0, reminders: 1, stamps: [1], notes: [:], user: User(token: "", pin: 0, card: nil)))
                .ignoringCalls().ignoringInFlight().ignoringRelease()
                .run()
            """)
        stage.end()
    }

    @Test("`trace()` describes events, calls, answers and changes in words")
    func trace() throws {
        let stage = Stage().send(.search, .typed("mo"), .search, .stamp).answer(.success(["moon"]))
        try expectEqual(
            stage.recording.trace(),
            """
            Given
                text is ""
                status is idle
                found is nil
                price is 0
                reminders is 0
                stamps is []
                notes is [:]
                user is User(token: "", pin: 0, card: nil)
            When search, which is rejected
            When typed("mo")
                text: "" → "mo"
            When search
                status: idle → searching("mo")
                calls find("mo")
            When stamp
                stamps[0]: nothing → 1
                calls now()
            find("mo") answers ["moon"]
                status: searching("mo") → idle
                found: nil → ["moon"]
            """)
        stage.end()
    }

    @Test("The reducer, environment and feedback of a plan are read from the source in which the recording was created")
    func readFromSource() throws {
        let source = """
            // Recording(of: wrong)
            let bug = Recording(of: app, keeping: 10, redacting: [\\.token])
            let live = Live()
            let store = Store(
                reducer: app, initialState: App(),
                environment: World(find: bug.async("find", live.find), now: bug.function("now") { live.now() },
                    clock: bug.clock(ContinuousClock()), prices: bug.publisher(Names.prices, live.prices)),
                options: LoopOptions(journal: bug), feedback: { states, _ in [states.react()] })
            """
        let stage = Stage().send(.stamp, .stamp)
        let script = try Script(stage.recording.reader)
        var header = stage.recording.reader.header
        header.line = 2
        let text = PlanText(header, script, nil, nil, nil, source: source)
        expectEqual(text.reducer, "app")
        expectEqual(text.feedback, "{ states, _ in [states.react()] }")
        expectEqual(
            text.environment,
            """
            { stubs in World(find: stubs.async(find), now: stubs.function(now, inOrder: [1, 2]),
                clock: stubs.clock, prices: stubs.publisher(prices)) }
            """)
        let other = PlanText(header, script, "mine", nil, nil, source: "nothing of it")
        expectEqual(other.reducer, "mine")
        expectEqual(other.environment, "{ stubs in environment(stubs) }")
        stage.end()
    }

    @Test(
        "The scheduler of stubs is erased in an environment, like that of a recording",
        arguments: ["", ".eraseToAnyScheduler()"])
    func erasedScheduler(erasure: String) throws {
        let stage = Stage().send(.stamp)
        var header = stage.recording.reader.header
        header.line = 1
        let text = PlanText(
            header, try Script(stage.recording.reader), nil, nil, nil,
            source: """
                let recording = Recording(of: desk)
                let world = World(scheduler: recording.scheduler(queue)\(erasure))
                """)
        expectEqual(text.environment, "{ stubs in World(scheduler: stubs.scheduler.eraseToAnyScheduler()) }")
        stage.end()
    }

    @Test("A plan without feedback plays the events of the feedback as events from outside")
    func withoutFeedback() throws {
        let stage = Stage(hasFeedback: true).send(.watch("tea")).price(101)
        expectEqual(stage.store.state.price, 0)
        let source = try stage.recording.planSource(reducer: "desk", environment: "{ deskWorld($0) }")
        expect(source.contains(".send(101, from: prices(\"tea\"))"))
        expect(source.contains(".when(.priceIsHigh)"))
        let with = try stage.recording.planSource(
            reducer: "desk", environment: "{ deskWorld($0) }", feedback: "{ deskFeedback($0, $1) }")
        expect(!with.contains(".when(.priceIsHigh)"))
        expect(with.contains("feedback: { deskFeedback($0, $1) }"))
        try stage.recording.plan(of: desk, environment: deskWorld).then(\.price, equals: 0)
            .ignoringCalls().ignoringInFlight().ignoringRelease().run()
        stage.end()
    }

    @Test("A call that no event has caused shows that the feedback waits for answers")
    func feedbackThatWaits() throws {
        let stage = Stage(hasFeedback: true).send(.typed("mo"), .search).answer(.success([]))
        try expect(!Script(stage.recording.reader, hasFeedback: true).feedbackWaits)
        let ticks = stage.recording.publisher("ticks") { (_: Int) in
            Empty<Int, Never>(completeImmediately: false).eraseToAnyPublisher()
        }
        let ticking = ticks(1).sink { _ in }
        try expect(Script(stage.recording.reader, hasFeedback: true).feedbackWaits)
        ticking.cancel()
        stage.end()
    }

    @Test("After an answer, a plan also checks the properties that earlier answers of the function have changed")
    func touched() throws {
        let stage = Stage().send(.typed("mo"), .search).answer(.success([])).send(.search).answer(.success([]))
        let source = try stage.recording.planSource(reducer: "desk", environment: "{ deskWorld($0) }")
        let lines = source.split(separator: "\n").map { $0.drop { $0 == " " } }
        expectEqual(lines.count { $0 == ".then(\\.found, equals: [])" }, 2)
        stage.end()
    }

    @Test("A plan up to a step has the results of functions up to that step")
    func resultsUpTo() throws {
        let stage = Stage().send(.stamp, .stamp, .stamp)
        let script = try Script(stage.recording.reader, to: 4)
        expectEqual(script.results["now"]?.map(\.source), ["1", "2"])
        expectEqual(script.actions.map(\.step), [1, 4])
        stage.end()
    }

    @Test("A plan does not compare a state after a timer that fires earlier than in the recording")
    func earlierTimer() throws {
        var archive = Archive(RecordingHeader())
        var segment = Segment(first: 1, time: 0, state: TreeMaker.tree(of: Desk()), json: "{}")
        func add(_ kind: StepKind, _ text: String, cause: Int? = nil, time: Int, call: Int = 0, span: Int = 0) {
            var step = StepRecord()
            (step.number, step.kind, step.text, step.cause) = (segment.count + 1, kind, text, cause)
            (step.time, step.call, step.span) = (time, call, span)
            segment.add(step)
        }
        add(.event, "remind", time: 0)
        add(.timer, "a", cause: 1, time: 0, span: 2)
        add(.timer, "b", cause: 1, time: 0, span: 2)
        add(.fired, "a", time: 2, call: 2)
        add(.effect, "reminded", cause: 1, time: 2)
        add(.event, "stamp", time: 2)
        add(.effect, "stamped", cause: 6, time: 2)
        add(.fired, "b", time: 2, call: 3)
        add(.effect, "reminded", cause: 1, time: 2)
        archive.segments = [segment]
        let script = try Script(RecordingReader(archive))
        expectEqual(script.actions.map(\.isSettled), [true, false, true])
        expectEqual(script.actions.map(\.step), [1, 4, 6])
    }

    @Test("A case of an enum that describes itself is recorded by its name")
    func selfDescribing() {
        enum Phase: CustomStringConvertible {
            case idle
            var description: String { "doing nothing" }
        }
        expectEqual(TreeMaker.tree(of: Phase.idle), .leaf(".idle"))
    }

    @Test("Two texts that differ only in their code points are written once each, however often they alternate")
    func alternatingTexts() {
        var segment = Segment(first: 1, time: 0, state: .leaf("1"), json: "1")
        let before = segment.texts.count
        for number in 1...100 {
            var step = StepRecord()
            (step.number, step.kind, step.text) = (number, .event, number.isMultiple(of: 2) ? "caf\u{e9}" : "cafe\u{301}")
            segment.add(step)
        }
        expectEqual(segment.texts.count, before + 2)
    }

    @Test("A plan of a redacted recording does not check redacted properties")
    func redacted() throws {
        let stage = Stage(redacting: [\.user.pin]).send(.logIn("token", pin: 7), .typed("x"))
        let source = try stage.recording.planSource(reducer: "desk", environment: "{ deskWorld($0) }")
        expect(!source.contains(".then(\\.user") && !source.contains(".then(equals:"))
        expect(source.contains(".then(\\.text, equals: \"x\")"))
        try expect(stage.recording.firstDifference(from: desk, environment: deskWorld) == nil)
        stage.end()
    }

    @Test("A redacted recording is played with each answer for its own call, in whichever order they came")
    func redactedOrder() throws {
        struct Watch: Equatable, Sendable, Codable {
            var token = "a long secret"
            var prices: [String] = []
        }
        struct Market: Sendable { var prices: @Sendable (String) -> AnyPublisher<Int, Never> }
        let watch = Reducer<Watch, String, String, Market>(
            transform: { _, name, market in market.prices(name).map { "\(name) \($0)" }.eraseToAnyPublisher() },
            apply: { $0.prices.append($1) })
        let subjects = ["a": PassthroughSubject<Int, Never>(), "b": PassthroughSubject<Int, Never>()]
        let recording = Recording(of: watch, redacting: [\.token])
        let market = Market(
            prices: recording.publisher("prices") { subjects[$0]?.eraseToAnyPublisher() ?? Empty().eraseToAnyPublisher() })
        let store = Store(
            reducer: watch, initialState: Watch(), environment: market, options: LoopOptions(journal: recording))
        for name in ["a", "b"] { store.send(name) }
        for name in ["b", "a"] { subjects[name]?.send(1) }
        expectEqual(store.state.prices, ["b 1", "a 1"])
        let prices = Stub<String, Int, Never>("prices")
        try expect(recording.firstDifference(from: watch) { Market(prices: $0.publisher(prices)) } == nil)
        store.cancel()
    }

    @Test("A function without results in the recording has none in the plan")
    func noResults() throws {
        let stage = Stage().send(.typed("x"))
        let source = "let recording = Recording(of: app)\nlet world = World(now: recording.function(\"now\", live.now))"
        var header = stage.recording.reader.header
        header.line = 1
        let text = PlanText(header, try Script(stage.recording.reader), nil, nil, nil, source: source)
        expectEqual(text.environment, "{ stubs in World(now: stubs.function(now, inOrder: [])) }")
        stage.end()
    }

    @Test("Two timers that are due at once are one advance of time in a plan")
    func timersAtOnce() throws {
        let stage = Stage().send(.remind(2), .remind(2)).pass(.seconds(1)).send(.remind(1)).pass(.seconds(1)).send(.stamp)
        let source = try stage.recording.planSource(reducer: "desk", environment: "{ deskWorld($0) }")
        let steps = source.split(separator: "\n").dropFirst().dropLast(3).map { $0.drop { $0 == " " } }
        expectEqual(
            steps,
            [
                ".when(.remind(2))", ".when(.remind(2))", ".advance(by: .seconds(1))", ".when(.remind(1))",
                ".advance(by: .seconds(1))", ".then(\\.reminders, equals: 3)", ".when(.stamp)", ".then(\\.stamps, equals: [1])",
            ])
        stage.end()
    }

    @Test("An answer to a call from before the kept steps is omitted, and the plan has a comment")
    func unanswerable() throws {
        let stage = Stage(keeping: .last(16)).send(.typed("mo"), .search)
        for count in 1...50 {
            stage.send(.note("a", count: count))
            stage.recording.flush()
        }
        stage.answer(.success([]))
        let source = try stage.recording.planSource(reducer: "desk", environment: "{ deskWorld($0) }")
        expect(source.contains("belongs to a call or a timer from before this plan, and is left out."))
        expect(!source.contains(".resolve"))
        stage.end()
    }
}
