import Moonlight
import MoonlightRecordingTesting
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightRecording

/// A store on one thread and in virtual time, whose reducer is given by a test. Its state is the list of its effects.
private final class Bench: @unchecked Sendable {
    // Sound: a test uses it on one thread.
    struct World: Sendable {
        var ticks: @Sendable (Int) -> AnyPublisher<Int, Never>
        var cached: @Sendable (Int) -> AnyPublisher<Int, Never>
        var quick: @Sendable (Int) async -> Int
        var now: @Sendable () -> Int
        var scheduler: AnyScheduler<TimePoint, Never>
    }
    typealias Program = Reducer<[Int], Int, Int, World>
    typealias Feedback = (AnyPublisher<[Int], Never>, World) -> [AnyPublisher<Int, Never>]

    let program: Program
    let recording: Recording<[Int], Int, Int>
    let time = VirtualTimeScheduler()
    private let feedback: Feedback?
    private var running: Store<[Int], Int>?
    private var subjects: [PassthroughSubject<Int, Never>] = []
    private var clock = 0

    init(
        keeping: Int = 1_000, feedback: Feedback? = nil,
        _ transform: @escaping @Sendable (Int, World) -> AnyPublisher<Int, Never>
    ) {
        program = Reducer(
            transform: { _, event, world in transform(event, world) },
            apply: { (state: inout [Int], effect: Int) in state.append(effect) })
        self.feedback = feedback
        recording = Recording(of: program, keeping: .last(keeping), redacting: [], encodesByItself: false) { [time] in
            JournalRecord<[Int], Int, Int>.instant(at: time.now.offset.nanoseconds)
        }
        let world = World(
            ticks: recording.publisher("ticks") { [unowned self] _ in
                let subject = PassthroughSubject<Int, Never>()
                subjects.append(subject)
                return subject.eraseToAnyPublisher()
            },
            cached: recording.publisher("cached") { [$0, $0 + 1].publisher.eraseToAnyPublisher() },
            quick: recording.async("quick") { (number: Int) async -> Int in number },
            now: recording.function("now") { [unowned self] in
                clock += 1
                return clock
            },
            scheduler: recording.scheduler(time))
        var options = LoopOptions(journal: recording)
        options.clock = { [time] in time.now.offset.nanoseconds }
        running = Store(
            reducer: program, initialState: [], environment: world, options: options,
            feedback: { feedback?($0, world) ?? [Empty(completeImmediately: false).eraseToAnyPublisher()] })
    }

    func send(_ events: Int...) -> Self {
        for event in events { running?.post(event) }
        return self
    }

    func tick(_ value: Int, of place: Int) -> Self {
        subjects[place].send(value)
        return self
    }

    func finish(_ place: Int) -> Self {
        subjects[place].send(completion: .finished)
        return self
    }

    func pass(_ milliseconds: Int) -> Self {
        time.advance(by: .milliseconds(milliseconds))
        return self
    }

    func flush() -> Self {
        recording.flush()
        return self
    }

    /// Returns the difference of the recording from its own reducer.
    func difference(passingFeedback: Bool = true) throws -> RecordedDifference? {
        defer { running?.cancel() }
        return try recording.firstDifference(
            from: program, feedback: passingFeedback ? feedback : nil, environment: Self.world)
    }

    static func world(_ stubs: Stubs) -> World {
        World(
            ticks: stubs.publisher(Stub<Int, Int, Never>("ticks")), cached: stubs.publisher(Stub<Int, Int, Never>("cached")),
            quick: stubs.async(Stub<Int, Int, Never>("quick")),
            now: stubs.function(Stub<Void, Int, Never>("now"), returning: { -1 }),
            scheduler: stubs.scheduler.eraseToAnyScheduler())
    }

    var state: [Int] { running?.state ?? [] }
}

@Suite("Recording: replay through the unchanged reducer")
struct UnchangedReducerTests {
    @Test("A call of a job that has waited in a queue is answered in a replay, and its cause is the event of the job")
    func queuedCall() throws {
        let bench = Bench { event, world in world.ticks(event).job("ticks", .queue).eraseToAnyPublisher() }
            .send(1, 2).tick(5, of: 0).finish(0).tick(6, of: 1)
        expectEqual(bench.state, [5, 6])
        let calls = try bench.recording.steps().filter { $0.kind == .call }
        try expectEqual(calls.map { try bench.recording.causes(of: $0.number).map(\.text) }, [["1"], ["2"]])
        try expectEqual(bench.difference(), nil)
    }

    @Test("A timer of a job that has waited in a queue is set in a replay when the job starts")
    func queuedTimer() throws {
        let bench = Bench { event, world in
            if event == 1 { return world.ticks(1).job("ticks", .queue) }
            return Just(event).delay(for: .milliseconds(2), scheduler: world.scheduler).job("ticks", .queue)
        }.send(1, 2).pass(7).finish(0).pass(1).send(3).pass(1)
        expectEqual(bench.state, [2])
        try expectEqual(bench.difference(), nil)
    }

    @Test("An answer without consequences is not played after the event that cancels its job")
    func beforeCancellation() throws {
        let bench = Bench { event, world in
            if event == 0 { return AnyPublisher<Int, Never>.cancelJob("pair").append(0).eraseToAnyPublisher() }
            return world.ticks(1).combineLatest(world.ticks(2)).map { $0 + $1 }.job("pair").append(9).eraseToAnyPublisher()
        }.send(1).tick(5, of: 0).send(0)
        expectEqual(bench.state, [0, 9])
        try expectEqual(bench.difference(), nil)
    }

    @Test("An answer without consequences is not played after a timer of its event")
    func beforeTimer() throws {
        let bench = Bench { event, world in
            if event == 0 { return Just(0).delay(for: .milliseconds(2), scheduler: world.scheduler).eraseToAnyPublisher() }
            let last = Just(7).delay(for: .milliseconds(1), scheduler: world.scheduler)
            return world.ticks(1).combineLatest(world.ticks(2)).map { $0 + $1 }
                .timeout(.milliseconds(2), scheduler: world.scheduler).append(last).eraseToAnyPublisher()
        }.send(0, 1).tick(5, of: 0).pass(2).pass(1)
        expectEqual(bench.state, [0, 7])
        try expectEqual(bench.difference(), nil)
    }

    @Test("A stream that answers at once is played before the effects that follow it")
    func atOnce() throws {
        let bench = Bench { event, world in
            world.cached(event).merge(with: Just(0)).append(world.ticks(1).zip(world.cached(event)).map { $0 + $1 })
                .eraseToAnyPublisher()
        }.send(1).tick(5, of: 0).tick(6, of: 0).send(1)
        expectEqual(bench.state, [1, 2, 0, 6, 8, 1, 2, 0])
        try expectEqual(bench.difference(), nil)
    }

    @Test("The source of a plan, also of a minimized one, answers a call that was answered at once")
    func atOnceSource() throws {
        let bench = Bench { event, world in world.cached(event) }.send(4, 6)
        let lines = [".when(4)", ".send(4, from: cached(4))", ".send(5, from: cached(4))", ".finish(cached(4))"]
        let source = try bench.recording.planSource(reducer: "program", environment: "{ world($0) }")
        expectEqual(source.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { lines.contains(String($0)) }.count, 4)
        let smaller = try bench.recording.minimized(of: bench.program, environment: Bench.world) { $0.contains(5) }
        expectEqual(smaller?.steps, [1])
        let minimized = try smaller?.planSource(reducer: "program", environment: "{ world($0) }") ?? ""
        expectEqual(minimized.split(separator: "\n").dropFirst().dropLast(2).map { String($0.drop { $0 == " " }) }, lines)
        try expectEqual(bench.difference(), nil)
    }

    @Test("An asynchronous function that answers without suspending is played before the effects that follow it")
    func quick() throws {
        let bench = Bench { event, world in
            AnyPublisher<Int, Never>.run { send in send(await world.quick(event)) }.merge(with: Just(0)).eraseToAnyPublisher()
        }.send(4)
        expectEqual(bench.state, [4, 0])
        try expectEqual(bench.difference(), nil)
    }

    @Test("Feedback that waits is replaced by its events, so that they are not sent twice")
    func waitingFeedback() throws {
        let bench = Bench(
            feedback: { states, world in
                [
                    states.map(\.count).filter { $0 == 1 }
                        .delay(for: .milliseconds(2), scheduler: world.scheduler).eraseToAnyPublisher()
                ]
            }
        ) { event, _ in Just(event).eraseToAnyPublisher() }.send(8).pass(3)
        expectEqual(bench.state, [8, 1])
        try expectEqual(bench.difference(), nil)
    }

    @Test("A result that only feedback has read, and a call that only feedback has made, are not those of the reducer")
    func feedbackCalls() throws {
        let bench = Bench(
            feedback: { states, world in
                [
                    states.map(\.count).filter { $0 == 1 }.map { _ in world.now() }.eraseToAnyPublisher(),
                    states.react(when: { $0.count == 1 }) { world.ticks(1) },
                ]
            }
        ) { event, world in
            event == 0 ? world.ticks(1) : Just(world.now() * 10).eraseToAnyPublisher()
        }.send(1, 0, 1).tick(5, of: 1)
        expectEqual(bench.state, [10, 30, 40, 5])
        try expectEqual(bench.difference(passingFeedback: false), nil)
    }

    @Test("A recording that keeps effects of events before it is compared up to them, and what follows is an error")
    func limited() throws {
        let bench = Bench(keeping: 16) { event, world in
            event == 0 ? world.ticks(1) : Just(event * 100 + world.now()).eraseToAnyPublisher()
        }.send(0)
        for event in 1...30 { _ = bench.send(event).flush() }
        let kept = try #require(bench.recording.numbers)
        expect(kept.lowerBound > 2)
        _ = bench.tick(5, of: 0).send(7).flush()
        #expect(throws: RecordingError.self) { try bench.difference() }
    }

    @Test("A recording that begins after an event's effects is compared without the results of that event")
    func limitedResults() throws {
        let bench = Bench(keeping: 16) { _, world in [world.now(), world.now()].publisher.eraseToAnyPublisher() }
        for event in 1...30 { _ = bench.send(event).flush() }
        var difference: RecordedDifference?
        do { difference = try bench.difference() } catch RecordingError.question { return }
        expectEqual(difference, nil)
    }

    @Test("A zero that changes its sign is no difference")
    func zeros() throws {
        struct Signs: Equatable, Sendable, Codable {
            var zero = 0.0
            var count = 0
        }
        let signs = Reducer<Signs, Int, Int, Void>(
            transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
            apply: { (state: inout Signs, effect: Int) in
                state.count += effect
                state.zero.negate()
            })
        let recording = Recording(of: signs)
        let store = Store(reducer: signs, initialState: Signs(), environment: (), options: LoopOptions(journal: recording))
        store.post(1)
        try expectEqual(recording.firstDifference(from: signs) { _ in }, nil)
        store.cancel()
    }
}
