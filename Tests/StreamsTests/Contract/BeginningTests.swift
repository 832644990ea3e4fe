import MoonlightTestSupport
import Streams
import Testing

@Suite("The start of bodies of `run`")
struct BeginningTests {
    fileprivate let executor = SteppedExecutor()
    fileprivate let log = Log<String>()

    /// A sequence that records its iteration.
    private struct Logged: AsyncSequence, Sendable {
        let log: Log<String>
        struct Iterator: AsyncIteratorProtocol {
            func next() async -> Int? { nil }
        }
        func makeAsyncIterator() -> Iterator {
            log.append("begins")
            return Iterator()
        }
    }

    private func subscribe(_ body: @escaping @Sendable (Send<Int>) async -> Void) -> AnyCancellable {
        executor.here { AnyPublisher<Int, Never>.run { send in await body(send) }.sink { _ in } }
    }

    @Test("A body of `run` begins on the subscribing thread, and what it sends before it suspends is delivered at once")
    func inPlace() {
        let threads = Log<UInt>()
        let running = AnyPublisher<Int, Never>.run { [log] send in
            threads.append(currentThread())
            send(1)
            send(2)
            log.append("suspends")
            await Task.yield()
        }.sink { [log] in log.append("\($0)") }
        log.append("subscribed")
        expectEqual(threads.items, [currentThread()])
        expectEqual(log.items.prefix(4), ["1", "2", "suspends", "subscribed"])
        running.cancel()
    }

    @Test("A body of `run` that never suspends has ended when `sink` returns")
    func whole() {
        let running = AnyPublisher<Int, Never>.run { send in send(1) }
            .sink(receiveCompletion: { [log] _ in log.append("end") }, receiveValue: { [log] in log.append("\($0)") })
        expectEqual(log.items, ["1", "end"])
        withExtendedLifetime(running) {}
    }

    @Test("A body of `run` with a test's executor begins in place, and continues when the executor runs its jobs")
    func stepwise() {
        let running = executor.here {
            AnyPublisher<Int, Never>.run { send in
                send(1)
                await Task.yield()
                send(2)
            }.sink { [log] in log.append("\($0)") }
        }
        expectEqual(log.items, ["1"])
        executor.run()
        expectEqual(log.items, ["1", "2"])
        withExtendedLifetime(running) {}
    }

    @Test("A body of `run` that is isolated to the subscriber's actor begins in place")
    @MainActor
    func onItsActor() {
        let running = AnyPublisher<Int, Never>.run { @MainActor send in send(1) }.sink { [log] in log.append("\($0)") }
        expectEqual(log.items, ["1"])
        withExtendedLifetime(running) {}
    }

    @Test("A body of `run` without isolation begins in place on its subscriber's actor, and leaves it at its first suspension")
    @MainActor
    func offTheActor() async {
        let (places, mayContinue, isOver) = (Log<Bool>(), Flag(), Flag())
        let running = AnyPublisher<Int, Never>.run { _ in
            places.append(MainPlace.isHere)
            await mayContinue.wait()
            places.append(MainPlace.isHere)
            isOver.raise()
        }.sink { _ in }
        expectEqual(places.items, [true])
        mayContinue.raise()
        await isOver.wait()
        expectEqual(places.items, [true, false])
        withExtendedLifetime(running) {}
    }

    @Test("A body of `run` whose value ends its subscription sees at once that its task is cancelled", arguments: [true, false])
    func cancelsItself(isStepwise: Bool) {
        let subscribe = { [log] in
            AnyPublisher<Int, Never>.run { send in
                log.append("cancelled: \(Task.isCancelled)")
                send(1)
                log.append("cancelled: \(Task.isCancelled)")
            }.first().sink { _ in }
        }
        let running = isStepwise ? executor.here(subscribe) : subscribe()
        expectEqual(log.items, ["cancelled: false", "cancelled: true"])
        withExtendedLifetime(running) {}
    }

    @Test("A body of `run` that has not suspended yet sees that another thread has cancelled its subscription")
    func cancelledBeside() {
        let (isInside, isCancelled) = (Latch(), Latch())
        let inner = Keeper()
        let subscriber = AnySubscriber<Int, Never>(
            receiveSubscription: { subscription in
                inner.keep(AnyCancellable(subscription))
                subscription.request(.unlimited)
            }, receiveValue: { _ in .unlimited })
        let other = Worker {
            isInside.wait()
            inner.drop()
            isCancelled.open()
        }
        AnyPublisher<Int, Never>.run { [log] _ in
            isInside.open()
            isCancelled.wait()
            log.append("cancelled: \(Task.isCancelled)")
        }.subscribe(subscriber)
        other.join()
        expectEqual(log.items, ["cancelled: true"])
    }

    @Test("A suspended body of `run` sees that its task is cancelled, and continues")
    func begun() {
        let gate = PassthroughSubject<Int, Never>()
        let running = subscribe { [log] _ in
            log.append("begins")
            for await _ in gate.values {}
            log.append("cancelled: \(Task.isCancelled)")
        }
        executor.run()
        running.cancel()
        executor.run()
        expectEqual(log.items, ["begins", "cancelled: true"])
    }

    @Test("`run` calls its body once for each subscriber, and each subscription completes with its body")
    func ends() {
        let body = AnyPublisher<Int, Never>.run { [log] send in
            log.append("begins")
            send(1)
        }
        let subscriptions = executor.here {
            (0..<2).map { _ in body.sink(receiveCompletion: { [log] _ in log.append("end") }, receiveValue: { _ in }) }
        }
        executor.run()
        expectEqual(log.items.sorted(), ["begins", "begins", "end", "end"])
        withExtendedLifetime(subscriptions) {}
    }

    @Test("A body of `run` whose subscriber cancels when it receives the subscription never begins")
    func cancelledAtOnce() {
        executor.here {
            AnyPublisher<Int, Never>.run { [log] _ in log.append("begins") }
                .subscribe(AnySubscriber(receiveSubscription: { $0.cancel() }, receiveValue: { _ in .none }))
        }
        executor.run()
        expectEqual(log.items, [])
    }

    @Test("An asynchronous sequence is not iterated if its subscriber cancels when it receives the subscription")
    func sequenceAtOnce() {
        executor.here {
            Logged(log: log).publisher.subscribe(
                AnySubscriber(receiveSubscription: { $0.cancel() }, receiveValue: { _ in .none }))
        }
        executor.run()
        expectEqual(log.items, [])
    }

    @Test("A body of `run` that waits for its actor when `switchToLatest` cancels it never begins")
    func switched() async {
        let (outer, owner) = (PassthroughSubject<Int, Never>(), BusyActor())
        let running = outer.map { [log] number -> AnyPublisher<Int, Never> in owner.body { log.append("\(number)") } }
            .switchToLatest().sink { _ in }
        for number in 1...5 { outer.send(number) }
        await owner.free()
        expectEqual(log.items, ["5"])
        withExtendedLifetime(running) {}
    }

    @Test("A step of `values` that is awaited before the subscription arrives receives the first value")
    func lateSubscription() {
        let late = LateSubscription()
        Task(executorPreference: executor) { [log] in
            var iterator = late.values.makeAsyncIterator()
            log.append("\(await iterator.next() ?? 0)")
        }
        // The reader is waiting now.
        executor.run()
        late.subscriber?.receive(subscription: late.inner)
        expectEqual(late.inner.requests, [.max(1)])
        _ = late.subscriber?.receive(7)
        executor.run()
        expectEqual(log.items, ["7"])
    }
}

extension BeginningTests {
    @Test("`values` drops a value that arrives before the subscription")
    func earlyValue() {
        let late = LateSubscription()
        Task(executorPreference: executor) { [log] in
            var iterator = late.values.makeAsyncIterator()
            log.append("\(await iterator.next() ?? 0)")
        }
        executor.run()
        _ = late.subscriber?.receive(1)
        late.subscriber?.receive(subscription: late.inner)
        expectEqual(late.inner.requests, [.max(1)])
        _ = late.subscriber?.receive(7)
        executor.run()
        expectEqual(log.items, ["7"])
    }
}

/// A publisher whose subscription the test sends.
private final class LateSubscription: Publisher, @unchecked Sendable {
    // Sound: used by one thread at a time.
    typealias Output = Int
    typealias Failure = Never

    final class Inner: Subscription, @unchecked Sendable {
        // Sound: as above.
        private(set) var requests: [Subscribers.Demand] = []
        func request(_ demand: Subscribers.Demand) { requests.append(demand) }
        func cancel() {}
    }

    let inner = Inner()
    private(set) var subscriber: AnySubscriber<Int, Never>?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        self.subscriber = AnySubscriber(subscriber)
    }
}
