import Streams
import Testing

/// A publisher that sends a value, and perhaps its completion, before its subscription, and then begins anew.
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

/// A publisher that is asked through its subscriber before it gives it a subscription, as if a downstream had one already.
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

/// A publisher whose subscriber is cancelled before it gets a subscription.
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

@Suite("What an upstream sends before its subscription")
struct EarlyTests {
    /// What is received, with "end" for the completion.
    private func seen<P: Publisher>(_ publisher: P) -> [String] {
        let seen = Log<String>()
        let subscription = publisher.sink(
            receiveCompletion: { _ in seen.append("end") }, receiveValue: { seen.append("\($0)") })
        withExtendedLifetime(subscription) {}
        return seen.items
    }

    @Test("operators that call a throwing closure, and drop(while:), ignore it", arguments: [false, true])
    func stepping(completesEarly: Bool) {
        let early = Hasty(completesEarly: completesEarly)
        #expect(seen(early.tryMap { $0 * 10 }) == ["20", "end"])
        #expect(seen(early.tryScan(5) { $0 + $1 }) == ["7", "end"])
        #expect(seen(early.drop { $0 > 9 }) == ["2", "end"])
        #expect(seen(early.tryDrop { $0 > 9 }) == ["2", "end"])
        #expect(seen(early.encode(encoder: Unchanging())) == ["2", "end"])
        #expect(seen(early.decode(type: Int.self, decoder: Unchanging())) == ["2", "end"])
    }

    @Test("what is asked of an operator that calls a throwing closure is passed on when the subscription comes")
    func askedEarly() {
        let upstream = Premature()
        let recorder = Recorder<Int, any Error>(.nothing)
        upstream.tryMap { $0 }.subscribe(recorder)
        #expect(upstream.probe.requests == [.max(3)])
        recorder.cancel()
    }

    @Test(
        "an operator that deals in time and counts what is asked for can be cancelled before its subscription comes, others not")
    func cancelledEarly() {
        let time = VirtualTimeScheduler()
        func cancellations<P: Publisher<Int, Never>>(_ make: (Revoked) -> P) -> Int {
            let upstream = Revoked()
            let recorder = Recorder<Int, Never>()
            make(upstream).subscribe(recorder)
            recorder.request(.max(1))
            return upstream.probe.cancellations
        }
        #expect(cancellations { $0.debounce(for: 1, scheduler: time) } == 1)
        #expect(cancellations { $0.throttle(for: 1, scheduler: time, latest: true) } == 1)
        #expect(cancellations { $0.delay(for: 1, scheduler: time) } == 0)
        #expect(cancellations { $0.receive(on: time) } == 0)
        #expect(cancellations { $0.timeout(1, scheduler: time) } == 0)
    }

    @Test("operators that go on after a failure with a value of their own ignore a value")
    func recovering() {
        #expect(seen(Hasty().replaceError(with: 9)) == ["2", "end"])
        #expect(seen(Hasty().asResult()) == ["success(2)", "end"])
    }

    @Test("merge, flatMap, combineLatest and zip take a value")
    func joining() {
        #expect(seen(Hasty().merge(with: Just(7).setFailureType(to: Oops.self))) == ["1", "2", "7", "end"])
        #expect(seen(Publishers.MergeMany(Hasty(), Hasty())) == ["1", "2", "1", "2", "end"])
        #expect(seen(Just(0).setFailureType(to: Oops.self).handleEvents().flatMap { _ in Hasty() }) == ["1", "2", "end"])
        #expect(seen(Hasty().combineLatest(Just(5).setFailureType(to: Oops.self)) { $0 * 10 + $1 }) == ["25", "end"])
        #expect(seen(Hasty().zip([5, 6].publisher.setFailureType(to: Oops.self)) { $0 * 10 + $1 }) == ["15", "26", "end"])
    }

    @Test("append, prefix(untilOutputFrom:) and drop(untilOutputFrom:) ignore a value")
    func fanningIn() {
        #expect(seen(Hasty().append(9)) == ["2", "9", "end"])
        #expect(seen(Hasty().prefix(untilOutputFrom: Empty<Int, Oops>(completeImmediately: false))) == ["2", "end"])
        #expect(seen(Hasty().drop(untilOutputFrom: Just(0).setFailureType(to: Oops.self))) == ["2", "end"])
    }
}
