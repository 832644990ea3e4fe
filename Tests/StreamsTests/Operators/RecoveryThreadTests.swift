import Dispatch
import MoonlightTestSupport
import Streams
import Synchronization
import Testing

@Suite("Operators `share`, `buffer`, `retry` and `catch` on several threads")
struct RecoveryThreadTests {
    @Test("A subscriber of a share that subscribes while a thread sends receives each later value once", arguments: [0, 3])
    func join(replay: Int) {
        let (last, subscriptions) = (Budget.size(2_000, quick: 500), Budget.size(50, quick: 20))
        let subject = PassthroughSubject<Int, Oops>()
        let shared = subject.share(replay: replay)
        shared.subscribe(Recorder())
        let joined = Log<Recorder<Int, Oops>>()
        onThreads(3) { thread in
            if thread == 0 {
                for value in 1...last { subject.send(value) }
            } else {
                for _ in 0..<subscriptions {
                    let recorder = Recorder<Int, Oops>()
                    joined.append(recorder)
                    shared.subscribe(recorder)
                }
            }
        }
        subject.send(completion: .finished)
        for recorder in joined.items {
            let (values, first) = (recorder.values, recorder.values.first ?? last + 1)
            let isWhole = values == Array(first..<(last + 1))
            expect(isWhole)
            expect(values.count >= replay)
            expect(recorder.isFinished)
            expectEqual(recorder.violations, [])
        }
    }

    @Test("Threads that subscribe to a share and cancel leave no upstream running")
    func leave() {
        let subscribed = Counter()
        let cancelled = Counter()
        let shared = PassthroughSubject<Int, Oops>().handleEvents(
            receiveSubscription: { _ in subscribed.add(1) },
            receiveCancel: { cancelled.add(1) }
        ).share(replay: 1)
        onThreads(4) { _ in
            for _ in 0..<Budget.size(500, quick: 100) {
                let recorder = Recorder<Int, Oops>()
                shared.subscribe(recorder)
                recorder.cancel()
            }
        }
        expectEqual(subscribed.value, cancelled.value)
    }

    @Test("A buffer that one thread fills and others empty loses no value and keeps the order")
    func buffer() {
        let count = Budget.size(8_000, quick: 2_000)
        let subject = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops>(.nothing)
        subject.buffer(size: count, prefetch: .byRequest, whenFull: .customError { .second }).subscribe(recorder)
        onThreads(3) { thread in
            if thread == 0 {
                for value in 0..<count { subject.send(value) }
                subject.send(completion: .finished)
            } else {
                for _ in 0..<count / 2 { recorder.request(.max(1)) }
            }
        }
        let isWhole = recorder.values == Array(0..<count)
        expect(isWhole)
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    @Test("A buffer that is kept full and emptied by several threads reads a whole sequence")
    func keptFull() {
        let count = Budget.size(8_000, quick: 2_000)
        let recorder = Recorder<Int, Oops>(.nothing)
        OperatorCase.sequence(Array(0..<count)).buffer(size: 3, prefetch: .keepFull, whenFull: .customError { .second })
            .subscribe(recorder)
        onThreads(4) { _ in for _ in 0..<count / 4 { recorder.request(.max(1)) } }
        let isWhole = recorder.values == Array(0..<count)
        expect(isWhole)
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    @Test(
        "A retry or a catch that is cancelled while another thread fails its upstream leaves nothing running",
        arguments: [false, true])
    func cancelWhileFailing(catches: Bool) {
        for _ in 0..<Budget.rounds(300, least: 30) {
            let live = Counter()
            let subjects = Log<PassthroughSubject<Int, Oops>>()
            let upstream = Deferred {
                let subject = PassthroughSubject<Int, Oops>()
                subjects.append(subject)
                return subject.handleEvents(
                    receiveSubscription: { _ in live.add(1) },
                    receiveCompletion: { _ in live.add(-1) },
                    receiveCancel: { live.add(-1) })
            }
            let recorder = Recorder<Int, Oops>()
            if catches {
                upstream.catch { _ in upstream }.subscribe(recorder)
            } else {
                upstream.retry(50).subscribe(recorder)
            }
            onThreads(2) { thread in
                if thread == 0 {
                    for _ in 0..<20 {
                        subjects.items.last?.send(1)
                        subjects.items.last?.send(completion: .failure(.first))
                    }
                } else {
                    recorder.request(.max(1))
                    recorder.cancel()
                }
            }
            let before = recorder.values.count
            for subject in subjects.items { subject.send(2) }
            expectEqual(recorder.values.count, before)
            expectEqual(recorder.violations, [])
            expectEqual(live.value, 0)
        }
    }
}

@Suite("Operators that continue after an end, with an upstream that sends while it is being subscribed to")
struct EarlyEndTests {
    /// Sends a value and an end on another thread, before the call that subscribes to it returns.
    private struct Early: Publisher {
        typealias Output = Int
        typealias Failure = Oops
        let end: Subscribers.Completion<Oops>
        let log: Log<String>

        func receive(subscriber: some Subscriber<Int, Oops>) {
            let subscriber = AnySubscriber(subscriber)
            elsewhere { [end] in
                subscriber.receive(subscription: Subscriptions.empty)
                _ = subscriber.receive(1)
                subscriber.receive(completion: end)
            }
            log.append("subscribed to")
        }
    }

    private typealias Change = @Sendable (Early, Log<String>) -> AnyPublisher<Int, Oops>

    private static let changes: [(name: String, change: Change)] = [
        ("catch", { early, _ in early.catch { _ in Empty<Int, Oops>() }.eraseToAnyPublisher() }),
        ("replaceError", { early, _ in early.replaceError(with: 0).setFailureType(to: Oops.self).eraseToAnyPublisher() }),
        ("retry", { early, _ in early.retry(0).eraseToAnyPublisher() }),
        ("replaceEmpty", { early, _ in early.replaceEmpty(with: 0).eraseToAnyPublisher() }),
        ("append", { early, _ in early.append(Empty()).eraseToAnyPublisher() }),
    ]

    @Test("A value and the end are delivered before the call that subscribes returns", arguments: changes.map(\.name))
    func finished(name: String) throws {
        let log = Log<String>()
        let change = try #require(Self.changes.first { $0.name == name }).change
        let cancellable = change(Early(end: .finished, log: log), log).sink(
            isolation: nil, receiveCompletion: { log.append("\($0)") }, receiveValue: { log.append("\($0)") })
        expectEqual(log.items, ["1", "finished", "subscribed to"])
        cancellable.cancel()
    }

    @Test("The closure of `catch` is called when the call that subscribes has returned")
    func caught() {
        let log = Log<String>()
        let cancellable = Early(end: .failure(.first), log: log).catch { error in
            log.append("\(error)")
            return Just(2)
        }.sink(isolation: nil, receiveCompletion: { log.append("\($0)") }, receiveValue: { log.append("\($0)") })
        expectEqual(log.items, ["1", "subscribed to", "first", "2", "finished"])
        cancellable.cancel()
    }

    @Test("A failure skips what is appended, before the call that subscribes returns", arguments: [false, true])
    func failed(retries: Bool) {
        let log = Log<String>()
        let early = Early(end: .failure(.first), log: log)
        let publisher = retries ? early.retry(0).eraseToAnyPublisher() : early.append(2).eraseToAnyPublisher()
        let cancellable = publisher.sink(
            isolation: nil, receiveCompletion: { log.append("\($0)") }, receiveValue: { log.append("\($0)") })
        expectEqual(log.items, ["1", "failure(StreamsTests.Oops.first)", "subscribed to"])
        cancellable.cancel()
    }

    @Test("A publisher that subscribes its subscriber to a second one adds no values, whatever is appended to that one")
    func twice() {
        struct Twice: Publisher {
            typealias Output = Int
            typealias Failure = Oops

            func receive(subscriber: some Subscriber<Int, Oops>) {
                OperatorCase.sequence([1]).append(2).subscribe(AnySubscriber(subscriber))
                OperatorCase.sequence([3]).append(4).subscribe(AnySubscriber(subscriber))
            }
        }
        let (caught, appended) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        Twice().catch { _ in Empty<Int, Oops>() }.subscribe(caught)
        expectEqual(caught.values, [1, 2])
        Twice().append(8).subscribe(appended)
        expectEqual(appended.values, [1, 2, 8])
    }
}

/// A thread-safe number.
private final class Counter: Sendable {
    private let atomic = Atomic<Int>(0)
    var value: Int { atomic.load(ordering: .relaxed) }
    func add(_ number: Int) { atomic.wrappingAdd(number, ordering: .relaxed) }
}
