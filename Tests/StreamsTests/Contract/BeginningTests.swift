import MoonlightTestSupport
import Streams
import Testing

@Suite("Bodies of `run` that have not begun")
struct BeginningTests {
    fileprivate let executor = ToldExecutor()
    fileprivate let log = Log<String>()

    /// Says when it is iterated over.
    private struct Told: AsyncSequence, Sendable {
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

    @Test("A body that has not begun when its subscription is cancelled never begins")
    func cancelled() {
        let (first, second) = (subscribe { [log] _ in log.append("first") }, subscribe { [log] _ in log.append("second") })
        first.cancel()
        executor.run()
        expectEqual(log.items, ["second"])
        withExtendedLifetime(second) {}
    }

    @Test("A subscription that is released before its body has begun releases the body at once")
    func released() {
        weak var seen: Token?
        do {
            let token = Token()
            seen = token
            let running = subscribe { [log] _ in log.append("\(token.pass(1))") }
            expect(seen != nil)
            withExtendedLifetime(running) {}
        }
        expect(seen == nil)
        expectEqual(executor.waiting, 1)
        executor.run()
        expectEqual(log.items, [])
    }

    @Test("A body that has begun sees that its task is cancelled, and goes on")
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

    @Test("A body runs once for each subscriber, and each stream ends with its body")
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

    @Test("A body whose subscriber cancels when it receives the subscription never begins")
    func cancelledAtOnce() {
        executor.here {
            AnyPublisher<Int, Never>.run { [log] _ in log.append("begins") }
                .subscribe(AnySubscriber(receiveSubscription: { $0.cancel() }, receiveValue: { _ in .none }))
        }
        executor.run()
        expectEqual(log.items, [])
    }

    @Test("An asynchronous sequence is not iterated if its subscription is cancelled before the iteration has begun")
    func sequence() {
        let running = executor.here { Told(log: log).publisher.sink { _ in } }
        running.cancel()
        executor.run()
        expectEqual(log.items, [])
        let other = executor.here { Told(log: log).publisher.sink { _ in } }
        executor.run()
        expectEqual(log.items, ["begins"])
        withExtendedLifetime(other) {}
    }

    @Test("An asynchronous sequence is not iterated if its subscriber cancels when it receives the subscription")
    func sequenceAtOnce() {
        executor.here {
            Told(log: log).publisher.subscribe(AnySubscriber(receiveSubscription: { $0.cancel() }, receiveValue: { _ in .none }))
        }
        executor.run()
        expectEqual(log.items, [])
    }

    @Test("A body that `switchToLatest` leaves before it has begun never begins")
    func switched() {
        let outer = PassthroughSubject<Int, Never>()
        let running = executor.here {
            outer.map { [log] number in AnyPublisher<Int, Never>.run { _ in log.append("\(number)") } }.switchToLatest()
                .sink { _ in }
        }
        executor.here { for number in 1...5 { outer.send(number) } }
        executor.run()
        expectEqual(log.items, ["5"])
        withExtendedLifetime(running) {}
    }

    @Test("A reader of `values` that waits before there is a subscription gets the first value")
    func lateSubscription() {
        let late = LateSubscription()
        Task(executorPreference: executor) { [log] in
            var iterator = late.values.makeAsyncIterator()
            log.append("\(await iterator.next() ?? 0)")
        }
        // The reader waits now.
        executor.run()
        late.subscriber?.receive(subscription: late.inner)
        expectEqual(late.inner.requests, [.max(1)])
        _ = late.subscriber?.receive(7)
        executor.run()
        expectEqual(log.items, ["7"])
    }
}

extension BeginningTests {
    /// A subscription that comes after a value, while a reader asks for so many.
    private func readEarly(_ count: Int) -> LateSubscription {
        let late = LateSubscription()
        Task(executorPreference: executor) { [log] in
            var iterator = late.values.makeAsyncIterator()
            for _ in 0..<count { log.append("\(await iterator.next() ?? 0)") }
        }
        executor.run()
        _ = late.subscriber?.receive(1)
        late.subscriber?.receive(subscription: late.inner)
        return late
    }

    @Test("A value that arrives before the subscription ends a reader's wait with nil, and its request serves the next step")
    func earlyValue() {
        let late = readEarly(2)
        expectEqual(late.inner.requests, [.max(1)])
        _ = late.subscriber?.receive(7)
        executor.run()
        expectEqual(log.items, ["0", "7"])
    }

    @Test("A value that arrives while no reader waits is handed out before the end")
    func valueBeforeTheEnd() {
        let late = readEarly(3)
        _ = late.subscriber?.receive(7)
        late.subscriber?.receive(completion: .finished)
        executor.run()
        expectEqual(log.items, ["0", "7", "0"])
    }
}

/// A publisher that a test gives its subscription to.
private final class LateSubscription: Publisher, @unchecked Sendable {
    // Sound: one thread at a time uses it.
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
