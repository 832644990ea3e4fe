import MoonlightTestSupport
import Streams
import Synchronization
import Testing

@Suite("`AsyncSequence.publisher` and `Future.value`")
struct AsyncSourceTests {
    /// A sequence that counts up, and counts the requested elements.
    private struct Numbers: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let asked = Counter()
        var next = 0
        var end = Int.max
        func makeAsyncIterator() -> Numbers { self }
        mutating func next() async throws(Oops) -> Int? { try await next(isolation: nil) }
        mutating func next(isolation actor: isolated (any Actor)?) async throws(Oops) -> Int? {
            asked.add()
            if next == end { throw .second }
            defer { next += 1 }
            return next
        }
    }

    private final class Counter: Sendable {
        private let value = Atomic<Int>(0)
        var count: Int { value.load(ordering: .sequentiallyConsistent) }
        func add() { value.wrappingAdd(1, ordering: .sequentiallyConsistent) }
    }

    @Test("`AsyncSequence.publisher` iterates the sequence again for each subscriber, to its end or its error")
    func elements() async throws {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let recorder = Recorder<Int, Never>()
        stream.publisher.subscribe(recorder)
        continuation.yield(1)
        continuation.yield(2)
        continuation.finish()
        try await until { recorder.isFinished }
        expectEqual(recorder.values, [1, 2])
        expectEqual(recorder.violations, [])
        let publisher = Numbers(end: 3).publisher
        for _ in 0..<2 {
            let recorder = Recorder<Int, Oops>()
            publisher.subscribe(recorder)
            try await until { recorder.failure != nil }
            expectEqual(recorder.values, [0, 1, 2])
            expectEqual(recorder.failure, .second)
        }
    }

    @Test("`AsyncSequence.publisher` over an endless sequence takes no more elements than are requested")
    func demand() async throws {
        let numbers = Numbers()
        let recorder = Recorder<Int, Oops>(
            Appetite(description: "", atStart: [.max(1), .max(1)], returned: [.none, .max(1)]))
        numbers.publisher.subscribe(recorder)
        try await until { recorder.values.count == 3 }
        recorder.request(.max(2))
        try await until { recorder.values.count == 5 }
        expectEqual(numbers.asked.count, 5)
        expectEqual(recorder.values, [0, 1, 2, 3, 4])
        expectEqual(recorder.violations, [])
        expectEqual("\(recorder.subscription)", "Async")
        recorder.cancel()
    }

    @Test(
        "Cancelling a subscription to `AsyncSequence.publisher` cancels the task that awaits an element or demand",
        arguments: [false, true])
    func cancel(awaitsDemand: Bool) async throws {
        let asked = Counter()
        weak var token: Token?
        let recorder = Recorder<Int, Never>(
            Appetite(description: "", atStart: [.max(1)], returned: [awaitsDemand ? .none : .max(1)]))
        do {
            let captured = Token()
            token = captured
            let stream = AsyncStream<Int> {
                asked.add()
                if asked.count == 1 { return captured.pass(1) }
                while !Task.isCancelled { await Task.yield() }
                return nil
            }
            stream.publisher.subscribe(recorder)
        }
        try await until { asked.count == (awaitsDemand ? 1 : 2) && recorder.values.count == 1 }
        for _ in 0..<20 { await Task.yield() }
        recorder.cancel()
        recorder.cancel()
        try await until { token == nil }
        expectEqual(recorder.values, [1])
        expectEqual(recorder.completions, [])
        expect(asked.count == (awaitsDemand ? 1 : 2))
    }

    @Test("Cancelling a subscription to `AsyncSequence.publisher` during a delivery takes no further element")
    func cancelInside() async throws {
        let numbers = Numbers()
        let recorder = Recorder<Int, Oops> { recorder, value in if value == 2 { recorder.cancel() } }
        numbers.publisher.subscribe(recorder)
        try await until { recorder.values.count == 3 }
        for _ in 0..<20 { await Task.yield() }
        expectEqual(recorder.values, [0, 1, 2])
        expectEqual(numbers.asked.count, 3)
    }

    @Test("A publisher that is converted to `values` and back to a publisher keeps every element")
    func roundTrip() async throws {
        let recorder = Recorder<Int, Never>()
        (0..<100).publisher.values.publisher.subscribe(recorder)
        try await until { recorder.isFinished }
        expectEqual(recorder.values, Array(0..<100))
    }

    @Test("`Future.value` waits for the result, and throws the error of a future that fails")
    func futureValue() async throws {
        let promises = Log<Future<Int, Never>.Promise>()
        let future = Future<Int, Never> { promises.append($0) }
        let task = Task { await future.value }
        promises.items[0](.success(4))
        await expectEqual(task.value, 4)
        await expectEqual(future.value, 4)
        let failing = Future<Int, Oops> { $0(.failure(.first)) }
        do throws(Oops) {
            _ = try await failing.value
            Issue.record("it did not fail")
        } catch {
            expectEqual(error, .first)
        }
        let kept = try await Future<Int, Oops> { $0(.success(1)) }.value
        expectEqual(kept, 1)
    }

    @Test("Cancelling a subscription to a future releases its subscriber at once, and the others receive the result in order")
    func futureCancelled() {
        let promises = Log<Future<Int, Oops>.Promise>()
        let future = Future<Int, Oops> { promises.append($0) }
        let order = Log<Int>()
        let recorders = (0..<3).map { index in Recorder<Int, Oops> { _, _ in order.append(index) } }
        for recorder in recorders { future.subscribe(recorder) }
        weak var token: Token?
        var subscription: (any Subscription)?
        do {
            let captured = Token()
            token = captured
            future.subscribe(AnySubscriber(receiveSubscription: { subscription = captured.pass($0) }))
        }
        expect(token != nil)
        subscription?.cancel()
        expect(token == nil)
        recorders[1].cancel()
        promises.items[0](.success(1))
        expectEqual(order.items, [0, 2])
        expectEqual(recorders[1].completions, [])
        let late = Recorder<Int, Oops>(.nothing)
        future.subscribe(late)
        expectEqual(late.values, [])
        expectEqual("\(late.subscription)", "Future")
        late.request(.max(1))
        expectEqual(late.values, [1])
        expect(late.isFinished)
        expectEqual(late.violations, [])
    }

    @Test("`values` traps if its publisher sends a value that was not requested")
    func unwanted() async throws {
        await #expect(processExitsWith: .failure) {
            let unruly = Unruly()
            let iterator = unruly.values.makeAsyncIterator()
            unruly.send(1)
            _ = iterator
        }
        await #expect(processExitsWith: .failure) {
            let unruly = Unruly()
            let task = Task {
                var iterator = unruly.values.makeAsyncIterator()
                _ = await iterator.next()
                unruly.send(2)
            }
            try await until { unruly.isAsked.load(ordering: .sequentiallyConsistent) }
            unruly.send(1)
            await task.value
        }
    }

    private final class Unruly: Publisher, Sendable {
        typealias Output = Int
        typealias Failure = Never
        let subscriber = Mutex<AnySubscriber<Int, Never>?>(nil)
        let isAsked = Atomic<Bool>(false)

        func send(_ value: Int) { _ = subscriber.withLock { $0 }?.receive(value) }

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
            let erased = AnySubscriber(subscriber)
            self.subscriber.withLock { $0 = erased }
            erased.receive(subscription: Link(self))
        }

        private struct Link: Subscription {
            let unruly: Unruly
            let combineIdentifier = CombineIdentifier()
            init(_ unruly: Unruly) { self.unruly = unruly }
            func request(_ demand: Subscribers.Demand) { unruly.isAsked.store(true, ordering: .sequentiallyConsistent) }
            func cancel() {}
        }
    }
}
