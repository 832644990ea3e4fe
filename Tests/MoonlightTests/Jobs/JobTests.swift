import Moonlight
import MoonlightTestSupport
import Streams
import Synchronization
import Testing

/// Searches that the test answers.
private final class Searches: Sendable {
    let sources = Mutex<[PassthroughSubject<Int, Never>]>([])
    let cancelled = Atomic<Int>(0)

    func make() -> AnyPublisher<Int, Never> {
        let source = PassthroughSubject<Int, Never>()
        sources.withLock { $0.append(source) }
        return
            source
            .handleEvents(receiveCancel: { self.cancelled.wrappingAdd(1, ordering: .relaxed) })
            .eraseToAnyPublisher()
    }

    subscript(index: Int) -> PassthroughSubject<Int, Never> { sources.withLock { $0[index] } }
    var count: Int { sources.withLock { $0.count } }
}

@Suite("Jobs")
struct JobTests {
    enum Event: Sendable {
        case search(Int, JobPolicy)
        case stop
        case effects(Int)
    }

    private static func makeStore(
        _ searches: Searches, journal: (@Sendable (JournalRecord<[Int], Event, Int>) -> Void)? = nil
    ) -> Store<[Int], Event> {
        Store(
            reducer: Reducer(
                transform: { (_, event: Event, _) -> AnyPublisher<Int, Never> in
                    switch event {
                    case .search(let n, let policy):
                        Deferred { searches.make() }.map { $0 + n }.job("search", policy).append(-n).eraseToAnyPublisher()
                    case .stop: .cancelJob("search")
                    case .effects(let n): Just(n).eraseToAnyPublisher()
                    }
                }, apply: { $0.append($1) }),
            initialState: [Int](), environment: (), options: LoopOptions(journal: journal))
    }

    @Test("A limited queue accepts waiting jobs up to its limit, and rejects the event of a further one")
    func limitedQueue() async {
        let searches = Searches()
        let store = Self.makeStore(searches)
        for number in 1...2 { store.post(.search(number, .queue(limit: 1))) }
        expectEqual(store.jobs.map(\.isWaiting), [false, true])
        let outcome = await store.send(.search(3, .queue(limit: 1)), until: .decided)
        expectEqual(outcome.word, "rejected the limit of .queue(limit: 1) for job search is reached")
        expectEqual(store.state, [-3])
        // The first ends, the second runs: there is room for one.
        searches[0].send(completion: .finished)
        expectEqual(store.jobs.map(\.isWaiting), [false])
        store.post(.search(4, .queue(limit: 1)))
        expectEqual(store.jobs.map(\.isWaiting), [false, true])
        expectEqual(searches.count, 2)
    }

    @Test("A queue with a limit of zero runs one job, and rejects others while it runs")
    func queueOfNone() {
        let searches = Searches()
        let store = Self.makeStore(searches)
        for number in 1...2 { store.post(.search(number, .queue(limit: 0))) }
        expectEqual(store.jobs.count, 1)
        expectEqual(searches.count, 1)
    }

    @Test("A job with a synchronous effect is recorded in the journal like any other")
    func ready() {
        let steps = Recorder<String>()
        let store = Store(
            reducer: Reducer(
                transform: { (_, event: Int, _) in Just(event).job("add", .merge).eraseToAnyPublisher() }, apply: { $0 += $1 }),
            initialState: 0, environment: (),
            options: LoopOptions(journal: { if case .job(let job) = $0.step { steps.append("\(job.id) \(job.step)") } }))
        store.send(1)
        expectEqual(steps.all, ["add started", "add finished"])
    }

    @Test("A limited merge runs as many jobs as its limit, and rejects a further one until one has ended")
    func limitedMerge() async {
        let searches = Searches()
        let refused = Recorder<String>()
        let store = Self.makeStore(searches)
        let watch = store.refusals.sink { refused.append("\($0.error)") }
        for number in 1...3 { store.post(.search(number, .merge(limit: 2))) }
        expectEqual(store.jobs.map(\.isWaiting), [false, false])
        expectEqual(refused.all, ["the event was rejected: the limit of .merge(limit: 2) for job search is reached"])
        searches[1].send(completion: .finished)
        store.post(.search(4, .merge(limit: 2)))
        expectEqual(store.jobs.count, 2)
        expectEqual(searches.count, 3)
        watch.cancel()
    }

    @Test("A job is rejected if another one with its id and policy, but another limit, is in flight")
    func limits() async {
        let searches = Searches()
        let store = Self.makeStore(searches)
        store.post(.search(1, .merge(limit: 2)))
        for other in [JobPolicy.merge, .merge(limit: 3), .queue(limit: 2)] {
            await expectEqual(
                store.send(.search(2, other), until: .decided).word,
                "rejected job search is in flight as .merge(limit: 2), but was requested as .\(other): give each id one policy"
            )
        }
    }

    @Test("A job that is replaced during its own delivery ends after the delivery")
    func replacedFromInside() {
        let starts = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
        let (events, work) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let order = Recorder<String>()
        let loop = Moonlight.start(
            initialState: 0, environment: (), feedback: { _ in [events.eraseToAnyPublisher()] },
            transform: { _, event, _ in
                starts[event].flatMap { number in
                    work.job("one", .latest).handleEvents(
                        receiveOutput: { _ in
                            order.append("\(number) is called")
                            if number == 1 { starts[1].send(2) }
                            order.append("\(number) was called")
                        },
                        receiveCompletion: { _ in order.append("\(number) ends") })
                }.eraseToAnyPublisher()
            },
            apply: { $0 + $1 })
        for event in 0...1 { events.send(event) }
        starts[0].send(1)
        work.send(7)
        expectEqual(order.all, ["1 is called", "1 was called", "1 ends"])
        loop.cancel()
    }

    @Test("A job that is cancelled while it is being subscribed to ends after the subscription")
    func cancelledWhileSubscribed() {
        let (order, work) = (Recorder<String>(), PassthroughSubject<Int, Never>())
        let made = Lock<Store<Int, Int>?>(nil)
        let store = Store<Int, Int>(
            reducer: Reducer(
                transform: { _, _, _ in
                    work.job("one").handleEvents(
                        receiveSubscription: { _ in
                            order.append("begins")
                            made.withLock { $0 }?.cancelJob("one")
                            order.append("has begun")
                        },
                        receiveCompletion: { _ in order.append("ends") }
                    ).eraseToAnyPublisher()
                }, apply: { $0 += $1 }),
            initialState: 0, environment: ())
        made.withLock { $0 = store }
        store.post(1)
        expectEqual(order.all, ["begins", "has begun", "ends"])
        discard(made.withLock { $0.take() })
    }

    @Test("A newer job replaces the older one, and effects appended to the older one are still sent")
    func latest() {
        let searches = Searches()
        let store = Self.makeStore(searches)
        store.send(.search(100, .latest))
        searches[0].send(1)
        store.send(.search(200, .latest))
        searches[0].send(2)
        searches[1].send(3)
        expectEqual(store.state, [101, -100, 203])
        expectEqual(store.jobs.count, 1)
        expectEqual(searches.cancelled.load(ordering: .relaxed), 1)
    }

    @Test("A job is cancelled by its id, by an effect or by `Store.cancelJob`")
    func cancelledById() {
        let searches = Searches()
        let store = Self.makeStore(searches)
        store.send(.search(100, .latest))
        store.send(.stop)
        searches[0].send(1)
        expectEqual(store.state, [-100])
        store.send(.search(200, .latest))
        store.cancelJob("search")
        expectEqual(store.state, [-100, -200])
        expect(store.jobs.isEmpty)
    }

    @Test("A job that is replaced while its effect is pending does not have it applied")
    func staleEffect() {
        let searches = Searches()
        let store = Self.makeStore(searches)
        var cancellables = Set<AnyCancellable>()
        store.states.sink { state in
            guard state == [1000] else { return }
            store.send(.search(200, .latest))
            searches[0].send(5)
        }.store(in: &cancellables)
        store.send(.search(100, .latest))
        store.send(.effects(1000))
        searches[1].send(1)
        expectEqual(store.state, [1000, -100, 201])
    }

    @Test("The policy `ignoreNew` keeps the older job, `queue` runs one after the other, `merge` runs all")
    func otherPolicies() {
        let searches = Searches()
        var store = Self.makeStore(searches)
        store.send(.search(100, .ignoreNew))
        store.send(.search(200, .ignoreNew))
        expectEqual(searches.count, 1)
        expectEqual(store.state, [-200])

        store = Self.makeStore(searches)
        store.send(.search(100, .queue))
        store.send(.search(200, .queue))
        expectEqual(store.jobs.map(\.isWaiting), [false, true])
        searches[1].send(1)
        searches[1].send(completion: .finished)
        searches[2].send(2)
        expectEqual(store.state, [101, -100, 202])

        store = Self.makeStore(searches)
        store.send(.search(100, .merge))
        store.send(.search(200, .merge))
        searches[3].send(1)
        searches[4].send(2)
        expectEqual(store.state, [101, 202])
        expectEqual(store.jobs.count, 2)
    }

    @Test("A job with another policy than that of its id in flight is rejected, and the journal records it")
    func policyConflict() {
        let searches = Searches()
        let errors = Mutex<[JobError]>([])
        let store = Self.makeStore(searches) { record in
            if case .job(let job) = record.step, case .refused(let error) = job.step {
                errors.withLock { $0.append(error) }
            }
        }
        store.send(.search(100, .latest))
        store.send(.search(200, .queue))
        expectEqual(searches.count, 1)
        expectEqual(
            errors.withLock { $0 }, [.policyConflict(id: JobID("search"), running: .latest, requested: .queue)])
    }

    @Test("Thousands of queued jobs that finish at once use constant stack")
    func manyQueued() {
        let many = Budget.size(10_000, quick: 2_000)
        Worker(stackSize: 256 << 10) {
            let gate = PassthroughSubject<Int, Never>()
            let store = Store(
                reducer: Reducer(
                    transform: { (_, event: Int, _) -> AnyPublisher<Int, Never> in
                        event == 0
                            ? gate.job("job", .queue).eraseToAnyPublisher()
                            : Just(1).job("job", .queue).eraseToAnyPublisher()
                    }, apply: { $0 += $1 }),
                initialState: 0, environment: ())
            for n in 0...many { store.send(n) }
            expectEqual(store.jobs.count, many + 1)
            gate.send(completion: .finished)
            expectEqual(store.state, many)
            expect(store.jobs.isEmpty)
        }.join()
    }
}
