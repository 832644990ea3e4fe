import Moonlight
import MoonlightTestSupport
import Streams
import Testing

private enum Request {
    @TaskLocal static var id = 0
    @TaskLocal static var retries = 3
}

/// The task-locals, priority and cancellation that `transform`, effects and observers see.
@Suite("Task-locals, priority and cancellation of events")
struct TaskContextTests {
    private struct Sighting: Sendable, Equatable {
        let event: Int
        let seen: Int
    }

    /// A loop that records the request that each step of an event sees.
    private static func store(
        _ sightings: Recorder<Sighting>, options: LoopOptions<Int, Int, Int> = LoopOptions()
    ) -> Store<Int, Int> {
        Store(
            reducer: Reducer(
                transform: { _, event, _ in
                    sightings.append(Sighting(event: event, seen: Request.id))
                    return AnyPublisher.run { send in
                        sightings.append(Sighting(event: event, seen: Request.id))
                        send(event)
                    }.prepend(event).eraseToAnyPublisher()
                },
                apply: { (state: inout Int, effect: Int) in
                    sightings.append(Sighting(event: effect, seen: Request.id))
                    state = effect
                }),
            initialState: 0, environment: (), options: options,
            feedback: { states in
                [
                    states.dropFirst().handleEvents(receiveOutput: { sightings.append(Sighting(event: $0, seen: Request.id)) })
                        .filter { _ in false }.eraseToAnyPublisher()
                ]
            })
    }

    /// Sends from eight tasks to a store at the same time, each event with its own number as task-local; a tenth of them under
    /// the thread sanitizer, and a twentieth in the quick tier.
    ///
    /// - Returns: The number of events, when all have been handled.
    private static func sendFromMany(_ store: Store<Int, Int>, each count: Int, awaits: Bool) async -> Int {
        #if THREAD_SANITIZER
            let each = Budget.rounds(count / 10, least: 20)
        #else
            let each = Budget.rounds(count, least: 50)
        #endif
        await withTaskGroup { group in
            for sender in 1...8 {
                group.addTask {
                    for number in 0..<each {
                        let event = sender + 8 * number
                        await Request.$id.withValue(event) {
                            if awaits { await store.send(event) } else { _ = store.post(event) }
                        }
                    }
                }
            }
        }
        // Awaited after all posted events.
        await store.send(-1)
        return 8 * each
    }

    @Test("An event that is sent while others are handled never sees another sender's task-local", arguments: [false, true])
    func contended(awaits: Bool) async {
        let sightings = Recorder<Sighting>()
        let store = Self.store(sightings)
        _ = await Self.sendFromMany(store, each: 1_000, awaits: awaits)
        let strangers = sightings.all.filter { $0.seen != 0 && $0.seen != $0.event && $0.event > 0 }
        expectEqual(strangers, [])
    }

    @Test("An event that finds the loop idle sees its sender's task-locals")
    func idle() async {
        let sightings = Recorder<Sighting>()
        let store = Self.store(sightings)
        await Request.$id.withValue(7) { _ = await store.send(7) }
        expectEqual(Set(sightings.all.map(\.seen)), [7])
    }

    @Test("A carried task-local is set in everything that an event causes, under any load", arguments: [false, true])
    func carried(awaits: Bool) async {
        let sightings = Recorder<Sighting>()
        let store = Self.store(sightings, options: LoopOptions(taskLocals: [CarriedLocal(Request.$id)]))
        let sent = await Self.sendFromMany(store, each: 500, awaits: awaits)
        let wrong = sightings.all.filter { $0.event > 0 && $0.seen != $0.event }
        expectEqual(wrong, [])
        expect(sightings.all.filter { $0.event > 0 }.count >= sent * 3)
    }

    /// A store that is suspended in its first event, and records each event with the request that it sees.
    private func heldStore(
        _ options: LoopOptions<Int, Int, Int>, _ isHeld: Latch, until letGo: Latch, _ seen: Recorder<[Int]>
    ) -> Store<Int, Int> {
        Store(
            reducer: Reducer(
                transform: { _, event, _ in
                    if event == 1 {
                        isHeld.open()
                        letGo.wait()
                    }
                    seen.append([event, Request.id])
                    return Just(event).eraseToAnyPublisher()
                }, apply: { $0 += $1 }),
            initialState: 0, environment: (), options: options)
    }

    /// A store with one effect at most, whose events record the request that they see; event 1 works until `work` returns.
    private func busyStore(
        _ seen: Recorder<[Int]>, _ work: @escaping @Sendable () -> AnyPublisher<Int, Never>
    ) -> Store<Int, Int> {
        Store(
            reducer: Reducer(
                transform: { _, event, _ in
                    seen.append([event, Request.id])
                    return event == 1 ? work() : .just(event)
                }, apply: { $0 += $1 }),
            initialState: 0, environment: (), options: LoopOptions(effectLimit: 1))
    }

    @Test("An event that has waited for an effect does not see the task-locals of the task that ends the effect")
    func afterAnEffect() {
        let (work, seen) = (PassthroughSubject<Int, Never>(), Recorder<[Int]>())
        let store = busyStore(seen) { work.eraseToAnyPublisher() }
        store.post(1)
        Request.$id.withValue(20) { _ = store.post(2) }
        Request.$id.withValue(30) { work.send(completion: .finished) }
        settle()
        expectEqual(seen.all, [[1, 0], [2, 0]])
    }

    @Test(
        "An event that has waited for an effect does not see the task-locals of another event, which its thread sends meanwhile")
    func besideAnEvent() {
        let (work, seen) = (PassthroughSubject<Int, Never>(), Recorder<[Int]>())
        let store = busyStore(seen) { work.eraseToAnyPublisher() }
        let sink = store.states.filter { $0 == 5 }.sink { _ in
            work.send(completion: .finished)
            store.post(3)
        }
        store.post(1)
        Request.$id.withValue(20) { _ = store.post(2) }
        Request.$id.withValue(30) { work.send(5) }
        settle()
        expectEqual(seen.all, [[1, 0], [2, 0], [3, 0]])
        sink.cancel()
    }

    @Test("An event that has waited for an effect does not see the task-locals of the effect's body, which awaits another event")
    func besideABody() async {
        let (isWaiting, goOn, seen) = (Flag(), Flag(), Recorder<[Int]>())
        let place = Lock<Store<Int, Int>?>(nil)
        let store = busyStore(seen) {
            .run { _ in
                isWaiting.raise()
                await goOn.wait()
                await Request.$id.withValue(30) { _ = await place.withLock { $0 }?.send(3) }
            }
        }
        place.withLock { $0 = store }
        store.post(1)
        await isWaiting.wait()
        Request.$id.withValue(20) { _ = store.post(2) }
        goOn.raise()
        await store.quiet()
        expectEqual(seen.all.prefix(2), [[1, 0], [2, 0]])
        discard(place.withLock { $0.take() })
    }

    @Test("A carried task-local of a queued event has the sender's value at the time of sending")
    func carriedWhileWaiting() {
        let (isHeld, letGo, seen) = (Latch(), Latch(), Recorder<[Int]>())
        let store = heldStore(LoopOptions(taskLocals: [CarriedLocal(Request.$id)]), isHeld, until: letGo, seen)
        let owner = Worker { Request.$id.withValue(10) { _ = store.post(1) } }
        isHeld.wait()
        Request.$id.withValue(20) { _ = store.post(2) }
        Request.$id.withValue(30) { _ = store.post(3) }
        _ = store.post(4)
        letGo.open()
        owner.join()
        expectEqual(seen.all, [[1, 10], [2, 20], [3, 30], [4, 0]])
    }

    @Test("A carried task-local is set for a later effect, and for the event that an observer then sends")
    func carriedByLaterEffects() {
        let gate = PassthroughSubject<Int, Never>()
        let seen = Recorder<[Int]>()
        let store = Store<Int, Int>(
            reducer: Reducer(
                transform: { _, event, _ in
                    seen.append([event, Request.id])
                    return event == 1 ? gate.first().eraseToAnyPublisher() : Just(event).eraseToAnyPublisher()
                },
                apply: { state, effect in
                    seen.append([-effect, Request.id])
                    state += effect
                }),
            initialState: 0, environment: (), options: LoopOptions<Int, Int, Int>(taskLocals: [CarriedLocal(Request.$id)]),
            feedback: { states in [states.filter { $0 == 1 }.map { _ in 100 }.eraseToAnyPublisher()] })
        Request.$id.withValue(7) { _ = store.post(1) }
        Request.$id.withValue(8) { gate.send(1) }
        expectEqual(seen.all, [[1, 7], [-1, 7], [100, 7], [-100, 7]])
        expectEqual(store.state, 101)
    }

    @Test("An event coalesced from two carries the task-locals of the later one")
    func carriedWhenFolded() {
        let (isHeld, letGo, seen) = (Latch(), Latch(), Recorder<[Int]>())
        let options = LoopOptions<Int, Int, Int>(coalesce: { $0 + $1 }, taskLocals: [CarriedLocal(Request.$id)])
        let store = heldStore(options, isHeld, until: letGo, seen)
        let owner = Worker { store.post(1) }
        isHeld.wait()
        Request.$id.withValue(20) { _ = store.post(2) }
        Request.$id.withValue(30) { _ = store.post(3) }
        letGo.open()
        owner.join()
        expectEqual(seen.all, [[1, 0], [5, 30]])
    }

    @Test("A queued job sees nothing of the task that ended the previous job", arguments: [false, true])
    func queuedJob(isCarried: Bool) {
        let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let seen = Recorder<Int>()
        let store = Store<Int, Int>(
            reducer: Reducer(
                transform: { _, event, _ in
                    Deferred {
                        seen.append(Request.id)
                        return event == 1 ? first : second
                    }.job("work", .queue).eraseToAnyPublisher()
                }, apply: { $0 += $1 }),
            initialState: 0, environment: (),
            options: LoopOptions<Int, Int, Int>(taskLocals: isCarried ? [CarriedLocal(Request.$id)] : []))
        Request.$id.withValue(10) { _ = store.post(1) }
        Request.$id.withValue(20) { _ = store.post(2) }
        Request.$id.withValue(30) { first.send(completion: .finished) }
        expectEqual(seen.all, [10, isCarried ? 20 : 0])
    }

    /// A task that posts the first event, on a thread of its own: the loop is suspended in that event, and the pool of tasks has
    /// only as many threads as there are cores.
    private func owner(of store: Store<Int, Int>, _ priority: TaskPriority? = nil) -> (task: Task<Void, Never>, thread: Worker) {
        let executor = SteppedExecutor()
        let task = Task(executorPreference: executor, priority: priority) { _ = store.post(1) }
        return (task, Worker { executor.run() })
    }

    @Test("The cancellation of the task that runs the loop is not visible to another task's event")
    func cancellation() {
        let (isHeld, letGo) = (Latch(), Latch())
        let seen = Recorder<Bool>()
        let store = Store<Int, Int>(
            reducer: Reducer(
                transform: { _, event, _ in
                    if event == 1 {
                        isHeld.open()
                        letGo.wait()
                    } else {
                        seen.append(Task.isCancelled)
                    }
                    return Just(event).eraseToAnyPublisher()
                }, apply: { $0 += $1 }),
            initialState: 0, environment: ())
        let owner = owner(of: store)
        isHeld.wait()
        store.post(2)
        owner.task.cancel()
        letGo.open()
        owner.thread.join()
        expectEqual(seen.all, [false])
    }

    @Test("The priority of the task that runs the loop does not affect a task that another's event starts")
    func priority() async {
        let (isHeld, letGo, hasRun) = (Latch(), Latch(), Flag())
        let seen = Recorder<TaskPriority>()
        let store = Store<Int, Int>(
            reducer: Reducer(
                transform: { _, event, _ in
                    if event == 1 {
                        isHeld.open()
                        letGo.wait()
                        return Just(event).eraseToAnyPublisher()
                    }
                    return AnyPublisher.run { _ in
                        seen.append(Task.currentPriority)
                        hasRun.raise()
                    }
                }, apply: { $0 += $1 }),
            initialState: 0, environment: ())
        let owner = owner(of: store, .background)
        isHeld.wait()
        store.post(2)
        letGo.open()
        owner.thread.join()
        await hasRun.wait()
        expectEqual(seen.count, 1)
        expect(seen.last != .background)
    }

    @Test("The journal has the carried task-locals, in its lines and in its JSON")
    func journal() {
        let (lines, json) = (Recorder<String>(), Recorder<String>())
        let store = Store<Int, Int>(
            reducer: Reducer(transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 += $1 }),
            initialState: 0, environment: (),
            options: LoopOptions<Int, Int, Int>(
                journal: { record in
                    lines.append("\(record)")
                    json.append(record.json(since: record.time))
                }, taskLocals: [CarriedLocal(Request.$id, named: "request")]))
        Request.$id.withValue(7) { _ = store.post(1) }
        expectEqual(lines.all, ["1  event 1 [request=7]", "2 <- 1  effect 1: 0 -> 1"])
        expect(json.all.allSatisfy { $0.hasSuffix(#""context":{"request":"7"}}"#) })
    }

    /// The task-locals in the journal of a loop that carries them from a sender whose request is 7.
    private func values(carrying locals: [CarriedLocal]) -> [(name: String, value: any Sendable)]? {
        let values = Recorder<[(name: String, value: any Sendable)]>()
        let store = Store<Int, Int>(
            reducer: Reducer(transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 += $1 }),
            initialState: 0, environment: (),
            options: LoopOptions<Int, Int, Int>(
                journal: { values.append($0.taskLocals) }, taskLocals: locals))
        Request.$id.withValue(7) { _ = store.post(1) }
        return values.last
    }

    @Test("A journal record has the carried task-locals by name, in the order of the options")
    func values() {
        let values = values(carrying: [
            CarriedLocal(Request.$id, named: "b"), CarriedLocal(Request.$retries, named: "a"), CarriedLocal(Request.$id),
        ])
        expectEqual(values?.map { "\($0.name)=\($0.value)" }, ["b=7", "a=3", "Int=7"])
        expectEqual(self.values(carrying: [])?.count, 0)
    }

    private struct Lost: Error {}

    /// A stream that fails twice, and is started again on a scheduler.
    private static func retried(_ seen: Recorder<Int>, _ scheduler: VirtualTimeScheduler) -> AnyPublisher<Int, Never> {
        AnyPublisher<Int, Lost>.run { send throws(Lost) in
            seen.append(Request.id)
            if seen.count < 3 { throw Lost() }
            send(7)
        }.retry(2, scheduler: scheduler) { _, _ in .seconds(1) }.replaceError(with: 0).eraseToAnyPublisher()
    }

    @Test("A carried task-local is set in each attempt of an effect and of a reaction", arguments: [false, true])
    func attempts(isReaction: Bool) async throws {
        let (seen, scheduler) = (Recorder<Int>(), VirtualTimeScheduler())
        let store = Store(
            reducer: Reducer(
                transform: { _, event, _ in
                    event == 1 && !isReaction ? Self.retried(seen, scheduler) : AnyPublisher(Just(event))
                }, apply: { (state: inout Int, effect: Int) in state = effect }),
            initialState: 0, environment: (), options: LoopOptions<Int, Int, Int>(taskLocals: [CarriedLocal(Request.$id)]),
            feedback: { states in
                [states.react(to: { $0 == 1 && isReaction ? true : nil }) { _ in Self.retried(seen, scheduler) }]
            })
        Request.$id.withValue(5) { _ = store.post(1) }
        try await until {
            scheduler.advance(by: .seconds(1))
            return store.state == 7
        }
        expectEqual(seen.all, [5, 5, 5])
        store.cancel()
    }

    @Test("A companion's task-local takes precedence in a body over the one that the loop carries")
    func companion() async throws {
        let seen = Recorder<Int>()
        let reducer = Reducer<Int, Int, Int, Void>(
            transform: { _, _, _ in
                .run { send in
                    seen.append(Request.id)
                    send(1)
                }
            }, apply: { (state: inout Int, effect: Int) in state = effect }
        ).middleware { state, event, environment, next in
            try next(state, event, environment).accompanied {
                StreamCompanion(subscribing: { Request.$id.withValue(2, operation: $0) }, ended: { _ in })
            }
        }
        let store = Store(
            reducer: reducer, initialState: 0, environment: (),
            options: LoopOptions<Int, Int, Int>(taskLocals: [CarriedLocal(Request.$id)]))
        await Request.$id.withValue(1) { _ = await store.send(1) }
        expectEqual(seen.all, [2])
    }
}
