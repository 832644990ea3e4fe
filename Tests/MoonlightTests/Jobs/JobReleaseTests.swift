import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// Cancellation, from another thread, of a job of a loop on an actor.
@Suite("Cancellation from another thread of jobs on an actor")
struct JobReleaseTests {
    private typealias Numbers = PassthroughSubject<Int, Never>
    private typealias Stream = AnyPublisher<Int, Never>

    /// Not Sendable, so that it must stay on its actor.
    private final class Surroundings {
        var handled: [Int] = []
    }

    /// Makes a store that is isolated to an actor.
    private static func makeStore<Effect>(
        on isolation: isolated any Actor, _ stream: @escaping @Sendable (Int) -> AnyPublisher<Effect, Never>,
        _ apply: @escaping @Sendable (inout Int, Effect) -> Void
    ) -> Store<Int, Int> {
        Store(
            reducer: Reducer(
                transform: { _, number, surroundings in
                    surroundings.handled.append(number)
                    return stream(number)
                }, apply: apply),
            initialState: 0, environment: Surroundings())
    }

    private static func makeStore(on isolation: isolated any Actor, _ stream: @escaping @Sendable (Int) -> Stream) -> Store<
        Int, Int
    > {
        makeStore(on: isolation, stream) { $0 += $1 }
    }

    @Test(
        "Objects of a cancelled job's stream are released on the loop's actor",
        arguments: [JobPolicy.latest, .ignoreNew, .queue, .merge], [true, false])
    func released(_ policy: JobPolicy, onMainActor isMain: Bool) async throws {
        let (notes, owner) = (Recorder<String>(), QueueActor())
        let isHome = { @Sendable in isMain ? MainPlace.isHere : owner.isHere }
        let home: any Actor = isMain ? MainActor.shared : owner
        let stream = { @Sendable (_: Int) -> AnyPublisher<Belonging, Never> in
            let belonging = Just(Belonging(notes, isHome: isHome))
            return belonging.combineLatest(Numbers()).map { $0.0 }.job("job", policy).eraseToAnyPublisher()
        }
        let store = await Self.makeStore(on: home, stream) { $0 += $1.value }
        // If the policy is a queue, the second waits, and retains the stream.
        for number in 1...2 { await store.send(number, until: .decided) }
        elsewhere { store.cancelJob("job") }
        expect(store.jobs.isEmpty)
        // The thread that cancelled may be the last that holds an object, and sends it home then.
        try await until { !notes.all.isEmpty }
        await Self.pass(home)
        expect(notes.all.allSatisfy { $0 == "at home" })
    }

    @Test("A job that another thread has cancelled applies neither pending nor later effects")
    func nothingMore() async throws {
        let (numbers, owner) = (Numbers(), QueueActor())
        let store = await Self.makeStore(on: owner) { _ in numbers.job("job").eraseToAnyPublisher() }
        await store.send(0, until: .decided)
        await owner.run {
            // Meanwhile, the actor is busy.
            elsewhere {
                numbers.send(1)
                store.cancelJob("job")
                numbers.send(2)
            }
        }
        await owner.drain()
        try await until { store.isQuiet }
        expectEqual(store.state, 0)
    }

    @Test("A cancelled waiting job releases its stream, even if its subscription is retained")
    func waitingAndKept() async {
        let (notes, kept) = (Recorder<String>(), Recorder<UncheckedTransfer<any Subscription>>())
        let store = Store(
            reducer: Reducer(
                transform: { (_, number: Int, _) -> AnyPublisher<Int, Never> in
                    let resident = HomeReleaseTests.Resident("\(number)", notes) { true }
                    return Numbers().handleEvents(receiveOutput: { _ in resident.touch() }).job("job", .queue)
                        // Sound: the retained subscription is not used.
                        .handleEvents(receiveSubscription: { kept.append(UncheckedTransfer($0)) }).eraseToAnyPublisher()
                }, apply: { $0 += $1 }),
            initialState: 0, environment: ())
        for number in 1...2 { await store.send(number, until: .decided) }
        expectEqual(store.jobs.map(\.isWaiting), [false, true])
        expectEqual(notes.count, 0)
        store.cancelJob("job")
        expect(store.jobs.isEmpty)
        expectEqual(notes.count, 2)
        withExtendedLifetime(kept) {}
    }

    @Test("A stream appended to a job that another thread has cancelled is subscribed to on the actor")
    func appended() async throws {
        let (places, owner) = (Recorder<Bool>(), QueueActor())
        let store = await Self.makeStore(on: owner) { _ in
            Numbers().job("job").append(
                Deferred {
                    places.append(owner.isHere)
                    return Just(7)
                }
            ).eraseToAnyPublisher()
        }
        await store.send(0, until: .decided)
        elsewhere { store.cancelJob("job") }
        try await until { store.isQuiet && !places.all.isEmpty }
        expectEqual(places.all, [true])
        expectEqual(store.state, 7)
    }

    @Test("A sender that awaits an event is notified at once when another thread cancels its job")
    func sender() async throws {
        let owner = QueueActor()
        let store = await Self.makeStore(on: owner) { _ in Numbers().job("job").eraseToAnyPublisher() }
        await store.send(0, until: .decided)
        async let sent = store.send(1)
        try await until { store.jobs.first?.event == "1" }
        elsewhere { store.cancelJob("job") }
        guard case .failure(.interrupted(.jobCancelled)) = await sent else {
            Issue.record("the sender was not notified")
            return
        }
    }

    @Test("A job that another thread cancels while it is being subscribed to does not begin")
    func whileJoining() async throws {
        let (begun, owner) = (Counter(), QueueActor())
        let made = Lock<Store<Int, Int>?>(nil)
        let store = await Self.makeStore(on: owner) { _ in
            Deferred {
                begun.add()
                return Numbers()
            }
            .job("job").handleEvents(receiveSubscription: { _ in
                let store = made.withLock { $0 }
                elsewhere { store?.cancelJob("job") }
            }).eraseToAnyPublisher()
        }
        made.withLock { $0 = store }
        await store.send(0, until: .decided)
        try await until { store.isQuiet }
        expectEqual(begun.value, 0)
        discard(made.withLock { $0.take() })
    }

    @Test("A job that another thread cancels during a downstream delivery is released on the actor")
    func insideDownstream() async throws {
        let (numbers, places, owner) = (Numbers(), Recorder<Bool>(), QueueActor())
        let made = Lock<Store<Int, Int>?>(nil)
        let store = await Self.makeStore(on: owner) { _ in
            numbers.job("job").map { number in
                let store = made.withLock { $0 }
                elsewhere { store?.cancelJob("job") }
                return number
            }
            .handleEvents(receiveCompletion: { _ in places.append(owner.isHere) }).eraseToAnyPublisher()
        }
        made.withLock { $0 = store }
        await store.send(0, until: .decided)
        elsewhere { numbers.send(1) }
        try await until { store.isQuiet && !places.all.isEmpty }
        expectEqual(places.all, [true])
        expectEqual(store.state, 0)
        discard(made.withLock { $0.take() })
    }

    @Test("A job on an actor is cancelled before the one that replaces it begins, and before the effects that follow")
    func replaced() async {
        let (log, owner) = (Recorder<String>(), QueueActor())
        let store = await Self.makeStore(on: owner) { number in
            let job = Numbers().handleEvents(
                receiveSubscription: { _ in log.append("\(number) begins") }, receiveCancel: { log.append("\(number) ends") }
            ).job("job").eraseToAnyPublisher()
            return number == 3
                ? .cancelJob("job").handleEvents(receiveCompletion: { _ in log.append("3") }).eraseToAnyPublisher() : job
        }
        for number in 1...3 { await store.send(number, until: .decided) }
        expectEqual(log.all, ["1 begins", "1 ends", "2 begins", "2 ends", "3"])
    }

    @MainActor
    @Test("A body of `run` that waits for its actor does not begin after another thread has cancelled its job or loop")
    func bodies() async {
        let (owner, begun) = (BusyActor(), Recorder<Int>())
        func store() -> Store<Int, Int> {
            Self.makeStore(on: MainActor.shared) { number in
                owner.body { begun.append(number) }.job(number, .merge).eraseToAnyPublisher()
            }
        }
        let (first, second) = (store(), store())
        for number in 1...3 { first.post(number) }
        for number in 4...5 { second.post(number) }
        // The actor is busy, and has not cancelled any stream yet.
        elsewhere {
            first.cancelJob(1)
            first.cancelJob(2)
            second.cancel()
        }
        await owner.free()
        expectEqual(begun.all, [3])
    }

    private static func pass(_ isolation: isolated any Actor) {}
}
