import MoonlightTestSupport
import Streams
import Testing

@Suite("Bodies that have not begun")
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

    @Test("a body that has not begun when its subscription is cancelled never begins")
    func cancelled() {
        let (first, second) = (subscribe { [log] _ in log.append("first") }, subscribe { [log] _ in log.append("second") })
        first.cancel()
        executor.run()
        #expect(log.items == ["second"])
        withExtendedLifetime(second) {}
    }

    @Test("a subscription that is released before its body has begun lets go of the body at once")
    func released() {
        weak var seen: Token?
        do {
            let token = Token()
            seen = token
            let running = subscribe { [log] _ in log.append("\(token.pass(1))") }
            #expect(seen != nil)
            withExtendedLifetime(running) {}
        }
        #expect(seen == nil)
        #expect(executor.waiting == 1)
        executor.run()
        #expect(log.items == [])
    }

    @Test("a body that has begun is told that it is cancelled, and goes on")
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
        #expect(log.items == ["begins", "cancelled: true"])
    }

    @Test("a body runs once for each subscriber, and its stream ends with it")
    func ends() {
        let body = AnyPublisher<Int, Never>.run { [log] send in
            log.append("begins")
            send(1)
        }
        let subscriptions = executor.here {
            (0..<2).map { _ in body.sink(receiveCompletion: { [log] _ in log.append("end") }, receiveValue: { _ in }) }
        }
        executor.run()
        #expect(log.items.sorted() == ["begins", "begins", "end", "end"])
        withExtendedLifetime(subscriptions) {}
    }

    @Test("a body that is cancelled as its subscription is handed over is never started")
    func cancelledAtOnce() {
        executor.here {
            AnyPublisher<Int, Never>.run { [log] _ in log.append("begins") }
                .handleEvents(receiveSubscription: { $0.cancel() }).sink { _ in }.cancel()
        }
        executor.run()
        #expect(log.items == [])
    }

    @Test("an asynchronous sequence is not iterated over if its subscription is cancelled before that has begun")
    func sequence() {
        let running = executor.here { Told(log: log).publisher.sink { _ in } }
        running.cancel()
        executor.run()
        #expect(log.items == [])
        let other = executor.here { Told(log: log).publisher.sink { _ in } }
        executor.run()
        #expect(log.items == ["begins"])
        withExtendedLifetime(other) {}
    }

    @Test("nor if its subscription is cancelled as it is handed over")
    func sequenceAtOnce() {
        executor.here {
            Told(log: log).publisher.subscribe(AnySubscriber(receiveSubscription: { $0.cancel() }, receiveValue: { _ in .none }))
        }
        executor.run()
        #expect(log.items == [])
    }

    @Test("what switchToLatest leaves before it has begun never begins")
    func switched() {
        let outer = PassthroughSubject<Int, Never>()
        let running = executor.here {
            outer.map { [log] number in AnyPublisher<Int, Never>.run { _ in log.append("\(number)") } }.switchToLatest()
                .sink { _ in }
        }
        executor.here { for number in 1...5 { outer.send(number) } }
        executor.run()
        #expect(log.items == ["5"])
        withExtendedLifetime(running) {}
    }

    @Test("a reader that waits for a value before there is a subscription gets it")
    func lateSubscription() {
        let late = LateSubscription()
        Task(executorPreference: executor) { [log] in
            var iterator = late.values.makeAsyncIterator()
            log.append("\(await iterator.next() ?? 0)")
        }
        // The reader waits now.
        executor.run()
        late.subscriber?.receive(subscription: late.inner)
        #expect(late.inner.requests == [.max(1)])
        _ = late.subscriber?.receive(7)
        executor.run()
        #expect(log.items == ["7"])
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

    @Test("a value that comes before the subscription ends the wait of a reader; what was asked for then is for its next step")
    func earlyValue() {
        let late = readEarly(2)
        #expect(late.inner.requests == [.max(1)])
        _ = late.subscriber?.receive(7)
        executor.run()
        #expect(log.items == ["0", "7"])
    }

    @Test("a value that nobody waited for is still handed out after the end")
    func valueBeforeTheEnd() {
        let late = readEarly(3)
        _ = late.subscriber?.receive(7)
        late.subscriber?.receive(completion: .finished)
        executor.run()
        #expect(log.items == ["0", "7", "0"])
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
