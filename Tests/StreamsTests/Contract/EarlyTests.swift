import MoonlightTestSupport
import Streams
import Testing

/// A publisher that sends a value, and perhaps its completion, before its subscription, and then values after it.
private struct Hasty: GrammaticalPublisher {
    typealias Output = Int
    typealias Failure = Oops
    var completesEarly = false

    func receive(subscriber: some Subscriber<Int, Oops>) {
        _ = subscriber.receive(1)
        if completesEarly { subscriber.receive(completion: .finished) }
        subscriber.receive(subscription: Subscriptions.empty)
        _ = subscriber.receive(2)
        subscriber.receive(completion: .finished)
    }
}

/// A publisher whose subscriber requests values before it has a subscription.
private final class Premature: GrammaticalPublisher, @unchecked Sendable {
    // Sound: used by one thread.
    typealias Output = Int
    typealias Failure = Never
    let probe = Probe<Int, Never>()

    func receive(subscriber: some Subscriber<Int, Never>) {
        (subscriber as? any Subscription)?.request(.max(3))
        probe.subscribe(subscriber)
    }
}

/// A publisher whose subscriber is cancelled before it has a subscription.
private final class Revoked: GrammaticalPublisher, Sendable {
    typealias Output = Int
    typealias Failure = Never
    let probe = Probe<Int, Never>()

    func receive(subscriber: some Subscriber<Int, Never>) {
        (subscriber as? any Subscription)?.cancel()
        probe.subscribe(subscriber)
    }
}

/// An encoder and a decoder that change nothing.
private struct Unchanging: TopLevelEncoder, TopLevelDecoder {
    func encode<Value: Encodable>(_ value: Value) throws -> Int { value as? Int ?? 0 }
    func decode<Value: Decodable>(_ type: Value.Type, from input: Int) throws -> Value {
        guard let value = input as? Value else { throw Oops.first }
        return value
    }
}

@Suite("Events that an upstream sends before its subscription")
struct EarlyTests {
    /// The received values, with "end" for the completion.
    private func seen<P: Publisher>(_ publisher: P) -> [String] {
        let seen = Log<String>()
        let subscription = publisher.sink(
            receiveCompletion: { _ in seen.append("end") }, receiveValue: { seen.append("\($0)") })
        withExtendedLifetime(subscription) {}
        return seen.items
    }

    @Test(
        "Operators with a throwing closure, and `drop(while:)`, drop events before the subscription", arguments: [false, true])
    func stepping(completesEarly: Bool) {
        let early = Hasty(completesEarly: completesEarly)
        expectEqual(seen(early.tryMap { $0 * 10 }), ["20", "end"])
        expectEqual(seen(early.tryScan(5) { $0 + $1 }), ["7", "end"])
        expectEqual(seen(early.drop { $0 > 9 }), ["2", "end"])
        expectEqual(seen(early.tryDrop { $0 > 9 }), ["2", "end"])
        expectEqual(seen(early.encode(encoder: Unchanging())), ["2", "end"])
        expectEqual(seen(early.decode(type: Int.self, decoder: Unchanging())), ["2", "end"])
    }

    @Test("An operator with a throwing closure passes on early requests when the subscription arrives")
    func askedEarly() {
        let upstream = Premature()
        let recorder = Recorder<Int, any Error>(.nothing)
        upstream.tryMap { $0 }.subscribe(recorder)
        expectEqual(upstream.probe.requests, [.max(3)])
        recorder.cancel()
    }

    @Test(
        "`debounce` and `throttle` can be cancelled before their subscription; `delay`, `receive(on:)` and `timeout` cannot"
    )
    func cancelledEarly() {
        let time = VirtualTimeScheduler()
        func cancellations<P: Publisher<Int, Never>>(_ make: (Revoked) -> P) -> Int {
            let upstream = Revoked()
            let recorder = Recorder<Int, Never>()
            make(upstream).subscribe(recorder)
            recorder.request(.max(1))
            return upstream.probe.cancellations
        }
        expectEqual(cancellations { $0.debounce(for: 1, scheduler: time) }, 1)
        expectEqual(cancellations { $0.throttle(for: 1, scheduler: time, latest: true) }, 1)
        expectEqual(cancellations { $0.delay(for: 1, scheduler: time) }, 0)
        expectEqual(cancellations { $0.receive(on: time) }, 0)
        expectEqual(cancellations { $0.timeout(1, scheduler: time) }, 0)
    }

    @Test("`replaceError` and `asResult` ignore a value before the subscription")
    func recovering() {
        expectEqual(seen(Hasty().replaceError(with: 9)), ["2", "end"])
        expectEqual(seen(Hasty().asResult()), ["success(2)", "end"])
    }

    @Test("`merge`, `flatMap`, `combineLatest` and `zip` take a value before the subscription")
    func joining() {
        expectEqual(seen(Hasty().merge(with: Just(7).setFailureType(to: Oops.self))), ["1", "2", "7", "end"])
        expectEqual(seen(Publishers.MergeMany(Hasty(), Hasty())), ["1", "2", "1", "2", "end"])
        expectEqual(seen(Just(0).setFailureType(to: Oops.self).handleEvents().flatMap { _ in Hasty() }), ["1", "2", "end"])
        expectEqual(seen(Hasty().combineLatest(Just(5).setFailureType(to: Oops.self)) { $0 * 10 + $1 }), ["25", "end"])
        expectEqual(seen(Hasty().zip([5, 6].publisher.setFailureType(to: Oops.self)) { $0 * 10 + $1 }), ["15", "26", "end"])
    }

    @Test("`append`, `prefix(untilOutputFrom:)` and `drop(untilOutputFrom:)` ignore a value before the subscription")
    func fanningIn() {
        expectEqual(seen(Hasty().append(9)), ["2", "9", "end"])
        expectEqual(seen(Hasty().prefix(untilOutputFrom: Empty<Int, Oops>(completeImmediately: false))), ["2", "end"])
        expectEqual(seen(Hasty().drop(untilOutputFrom: Just(0).setFailureType(to: Oops.self))), ["2", "end"])
    }
}
