import Dispatch
import Moonlight
import MoonlightTestSupport
import StreamLimits
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

/// The key of durable work on all threads on which its stream continues.
@Suite("The key of durable work")
struct WorkKeyTests {
    private typealias Work = AnyPublisher<String, Never>
    private typealias LabStore = Store<[String], String>

    private struct Lab: Sendable { let stream: @Sendable (String) -> Work }

    private let keys = Recorder<String>()
    private let scheduler = VirtualTimeScheduler()

    private func store(_ stream: @escaping @Sendable (String) -> Work) async throws -> LabStore {
        let reducer = Reducer<[String], String, String, Lab>(
            transform: { _, event, lab in lab.stream(event) },
            apply: { (state: inout [String], effect: String) in state.append(effect) })
        var durable = Durable<[String], String, String>(
            storage: NotedStorage(), schema: Schema(String.self), state: Schema([String].self))
        durable.now = { 31 }
        return try await Store(
            reducer: reducer, initialState: [], environment: Lab(stream: stream), durable: durable, interrupted: { _ in .drop })
    }

    /// Runs a stream that records its key an expected number of times.
    ///
    /// - Returns: The keys, each once.
    private func run(noting count: Int, _ stream: @escaping @Sendable () -> Work) async throws -> Set<String> {
        let store = try await store { _ in stream() }
        store.post("go")
        try await until {
            scheduler.advance(by: .seconds(1))
            return keys.count >= count
        }
        await store.close()
        expectEqual(keys.count, count)
        return Set(keys.all)
    }

    private struct Lost: Error {}

    /// A body that records its key, and fails unless it is the last attempt.
    private func attempt(of attempts: Int) -> AnyPublisher<String, Lost> {
        .run { [keys] send throws(Lost) in
            note(keys)
            if keys.count < attempts { throw Lost() }
            send("done")
        }
    }

    @Test("The key is the same in each attempt of a `retry`, at once or on a scheduler")
    func retry() async throws {
        let attempt = attempt(of: 3)
        let later = try await run(noting: 3) { [scheduler] in
            attempt.retry(2, scheduler: scheduler) { _, _ in .milliseconds(5) }.replaceError(with: "lost").eraseToAnyPublisher()
        }
        expectEqual(later, ["7-1-1f"])
        let other = WorkKeyTests()
        let again = other.attempt(of: 3)
        let atOnce = try await other.run(noting: 3) { again.retry(2).replaceError(with: "lost").eraseToAnyPublisher() }
        expectEqual(atOnce, ["7-1-1f"])
    }

    @Test("The key is set downstream of each operator that continues on another thread", arguments: Passage.all)
    fileprivate func operators(_ passage: Passage) async throws {
        let keys = try await run(noting: passage.count) { [scheduler, keys] in passage.stream(scheduler, keys) }
        expectEqual(keys, ["7-1-1f"])
    }

    @Test("A body that begins with another stream's value has the key of its own stream")
    func ownKey() async throws {
        let (keys, subject) = (keys, PassthroughSubject<Void, Never>())
        let store = try await store { event in
            if event == "listens" {
                return subject.flatMap { _ in Deferred { Just(note(keys)) } }.first().eraseToAnyPublisher()
            }
            return .run { send in
                await Task.yield()
                note(keys)
                subject.send(())
                send("sent")
            }
        }
        async let answer = store.send("listens")
        try await until { store.inFlight.count == 1 }
        expectEqual(word(await store.send("speaks")), "done")
        await expectEqual(word(answer), "done")
        expectEqual(keys.all, ["7-2-1f", "7-1-1f"])
        await store.close()
    }

    @Test(
        "Work whose record a crash has lost and later work have different keys",
        arguments: [Acknowledgment.later(every: .seconds(1)), .afterWrite])
    func lostRecord(acknowledge: Acknowledgment) async throws {
        let (disk, bank) = (SimulatedDisk(), Bank())
        let store = try await open(disk, bank, acknowledge: acknowledge)
        let files = disk.files
        store.post(.pay("ann"))
        await bank.attempts.count(1)
        disk.crash = disk.calls + 1
        await store.close()
        let again = try await open(SimulatedDisk(files), bank)
        again.post(.pay("bo"))
        await bank.attempts.count(2)
        expectEqual(Set(bank.attempts.all.map(\.key)).count, 2)
        await again.close()
    }
}

/// Records the key of the current work, and returns it.
@discardableResult
private func note(_ keys: Recorder<String>) -> String {
    let key = DurableWork.current.map { String($0.key) } ?? "none"
    keys.append(key)
    return key
}

/// A body that records its key.
private func body(_ keys: Recorder<String>) -> AnyPublisher<String, Never> { .run { send in send(note(keys)) } }

/// A way in which a stream moves to another thread.
private struct Passage: Sendable, CustomTestStringConvertible {
    let name: String
    /// The number of times that it records the key.
    let count: Int
    let stream: @Sendable (VirtualTimeScheduler, Recorder<String>) -> AnyPublisher<String, Never>

    var testDescription: String { name }

    init(
        _ name: String, _ count: Int = 1,
        _ stream: @escaping @Sendable (VirtualTimeScheduler, Recorder<String>) -> AnyPublisher<String, Never>
    ) {
        self.name = name
        self.count = count
        self.stream = stream
    }

    static let all = [
        Passage("delay, flatMap", 2) { scheduler, keys in
            Just(1).delay(for: .seconds(1), scheduler: scheduler).flatMap { _ -> AnyPublisher<String, Never> in
                note(keys)
                return body(keys)
            }.eraseToAnyPublisher()
        },
        Passage("delay, map") { scheduler, keys in
            Just(1).delay(for: .seconds(1), scheduler: scheduler).map { _ in note(keys) }.eraseToAnyPublisher()
        },
        Passage("receive(on:)") { scheduler, keys in
            Just(1).receive(on: scheduler).map { _ in note(keys) }.eraseToAnyPublisher()
        },
        Passage("subscribe(on:)") { scheduler, keys in
            Deferred { Just(note(keys)) }.subscribe(on: scheduler).eraseToAnyPublisher()
        },
        Passage("debounce") { scheduler, keys in
            Just(1).append(Empty<Int, Never>(completeImmediately: false)).debounce(for: .seconds(1), scheduler: scheduler).first()
                .map { _ in note(keys) }.eraseToAnyPublisher()
        },
        Passage("throttle") { scheduler, keys in
            [1, 2].publisher.append(Empty<Int, Never>(completeImmediately: false))
                .throttle(for: .seconds(2), scheduler: scheduler, latest: true).first().map { _ in note(keys) }
                .eraseToAnyPublisher()
        },
        Passage("timeout") { scheduler, keys in
            Empty<String, Never>(completeImmediately: false).timeout(.seconds(1), scheduler: scheduler)
                .append(Deferred { Just(note(keys)) }).eraseToAnyPublisher()
        },
        Passage("collect(_:) by time") { scheduler, keys in
            Just(1).append(Empty<Int, Never>(completeImmediately: false)).collect(.byTime(scheduler, .seconds(1))).first()
                .map { _ in note(keys) }.eraseToAnyPublisher()
        },
        Passage("a timer, flatMap", 3) { scheduler, keys in
            TimerPublisher(every: .seconds(1), on: scheduler).autoconnect().prefix(3).flatMap { _ in body(keys) }
                .eraseToAnyPublisher()
        },
        Passage("a rate limiter", 2) { scheduler, keys in
            let limiter = RateLimiter(count: 1, per: .seconds(1), on: scheduler)
            return [1, 2].publisher.flatMap { _ in body(keys).limited(by: limiter) }.eraseToAnyPublisher()
        },
        Passage("a job behind a delay") { scheduler, keys in
            Just(1).delay(for: .seconds(1), scheduler: scheduler).flatMap { _ in body(keys).job("late", .queue) }
                .eraseToAnyPublisher()
        },
        Passage("a thread that knows nothing of it", 2) { _, keys in
            Future<Int, Never> { promise in DispatchQueue.global().async { promise(.success(1)) } }
                .flatMap { _ -> AnyPublisher<String, Never> in
                    note(keys)
                    return body(keys)
                }.eraseToAnyPublisher()
        },
        Passage("an asynchronous sequence behind a delay") { scheduler, keys in
            Just(1).delay(for: .seconds(1), scheduler: scheduler)
                .flatMap { _ in
                    AsyncStream<Int> { continuation in
                        continuation.yield(1)
                        continuation.finish()
                    }.publisher
                }.map { _ in note(keys) }.eraseToAnyPublisher()
        },
    ]
}
