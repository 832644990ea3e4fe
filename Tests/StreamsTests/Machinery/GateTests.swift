import MoonlightTestSupport
import Testing

@testable import Streams

@Suite("Operators with a gate: `prefix(untilOutputFrom:)`, `drop(untilOutputFrom:)` and `withLatestFrom`")
struct GateTests {
    @Test("`prefix(untilOutputFrom:)` ends with the first value of the other publisher, and cancels its upstream")
    func prefix() {
        let values = Probe<Int, Oops>()
        let stop = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        values.prefix(untilOutputFrom: stop).subscribe(recorder)
        values.send(1)
        stop.send(0)
        values.send(2)
        expectEqual(recorder.values, [1])
        expect(recorder.isFinished)
        expectEqual(values.cancellations, 1)
    }

    @Test("`prefix(untilOutputFrom:)` continues when the other publisher ends or fails", arguments: [false, true])
    func prefixOtherEnds(fails: Bool) {
        let values = PassthroughSubject<Int, Never>()
        let stop = Probe<String, Oops>()
        let recorder = Recorder<Int, Never>()
        values.prefix(untilOutputFrom: stop).subscribe(recorder)
        expectEqual(stop.requests, [.max(1)])
        stop.send(completion: fails ? .failure(.first) : .finished)
        stop.send("x")
        values.send(1)
        expectEqual(recorder.values, [1])
        expectEqual(recorder.completions, [])
        values.send(completion: .finished)
        expect(recorder.isFinished)
    }

    @Test("`prefix(untilOutputFrom:)` that ends before its upstream's subscription completes once the subscription has arrived")
    func prefixEndsEarly() {
        let values = Late()
        let recorder = Recorder<Int, Oops>()
        values.prefix(untilOutputFrom: OperatorCase.sequence([1])).subscribe(recorder)
        expect(!recorder.isSubscribed)
        expectEqual(recorder.completions, [])
        values.arrive()
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
        expectEqual(values.probe.cancellations, 1)
    }

    @Test("`drop(untilOutputFrom:)` and `withLatestFrom` send their subscription before their upstream sends one")
    func subscribedEarly() {
        let (dropping, latest) = (Recorder<Int, Oops>(.nothing), Recorder<Int, Oops>(.nothing))
        Late().drop(untilOutputFrom: Probe<Int, Oops>()).subscribe(dropping)
        Late().withLatestFrom(Probe<Int, Oops>()).subscribe(latest)
        expect(dropping.isSubscribed)
        expect(latest.isSubscribed)
    }

    @Test("`drop(untilOutputFrom:)` begins with the first value of the other publisher, and ignores its end")
    func drop() {
        let values = PassthroughSubject<Int, Oops>()
        let start = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        values.drop(untilOutputFrom: start).subscribe(recorder)
        values.send(1)
        start.send(0)
        values.send(2)
        start.send(completion: .failure(.first))
        values.send(3)
        expectEqual(recorder.values, [2, 3])
        expectEqual(recorder.completions, [])
    }

    @Test("`drop(untilOutputFrom:)` releases the other publisher after its first value")
    func dropLetsGoOfTheOther() {
        let (values, start, foreign) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>(), Probe<Int, Oops>())
        let cancelled = Log<Int>()
        let (one, other) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        values.drop(untilOutputFrom: start.handleEvents(receiveCancel: { cancelled.append(1) })).subscribe(one)
        values.drop(untilOutputFrom: foreign).subscribe(other)
        start.send(0)
        foreign.send(0)
        expectEqual(cancelled.items, [1])
        // It has sent the one requested value, and is not cancelled, as in Combine.
        expectEqual(foreign.cancellations, 0)
        expect(!foreign.isSubscriptionAlive)
        values.send(1)
        expectEqual(one.values, [1])
        expectEqual(other.values, [1])
    }

    @Test("`prefix(untilOutputFrom:)` does not restart when its upstream sends a second subscription")
    func prefixStartsOnce() {
        let values = Probe<Int, Oops>(isDeaf: true)
        let recorder = Recorder<Int, Oops>()
        values.prefix(untilOutputFrom: PassthroughSubject<Int, Oops>()).subscribe(recorder)
        values.subscribeAgain()
        expectEqual(recorder.violations, [])
        expectEqual(values.cancellations, 1)
        values.send(1)
        expectEqual(recorder.values, [1])
    }

    @Test(
        "`drop(untilOutputFrom:)` completes with the other publisher if that completes without a value", arguments: [false, true])
    func dropOtherEnds(fails: Bool) {
        let (values, start) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(.nothing)
        values.drop(untilOutputFrom: start).subscribe(recorder)
        start.send(completion: fails ? .failure(.second) : .finished)
        expectEqual(recorder.completions, [fails ? .failure(.second) : .finished])
        expectEqual(values.cancellations, 1)
    }

    @Test("`drop(untilOutputFrom:)` requests the dropped values again once values may pass and its upstream has no demand left")
    func dropMakesUp() {
        let (values, start) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(3)]))
        values.drop(untilOutputFrom: start).subscribe(recorder)
        values.sendOnDemand([1, 2])
        start.send(0)
        expectEqual(values.requests, [.max(3)])
        values.sendOnDemand([3])
        expectEqual(values.demand, .max(2))
        values.sendOnDemand([4, 5, 6])
        expectEqual(recorder.values, [3, 4, 5])
        let slow = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(2)]))
        values.drop(untilOutputFrom: start).subscribe(slow)
        values.sendOnDemand([1, 2, 3])
        expectEqual(values.demand, .none)
        start.send(0)
        expectEqual(values.demand, .max(2))
    }

    @Test("`drop(untilOutputFrom:)` that has dropped the only requested value requests it again")
    func dropRequestsAgain() {
        let (values, start) = (Probe<Int, Never>(), PassthroughSubject<Int, Never>())
        let recorder = Recorder<Int, Never>(.nothing)
        values.drop(untilOutputFrom: start).subscribe(recorder)
        recorder.request(.max(1))
        values.send(1)
        expectEqual(values.requests, [.max(1)])
        start.send(0)
        expectEqual(values.requests, [.max(1), .max(1)])
        values.send(2)
        expectEqual(recorder.values, [2])
    }

    @Test("`withLatestFrom` combines each value with the latest one of the other publisher")
    func withLatest() {
        let values = PassthroughSubject<Int, Oops>()
        let other = CurrentValueSubject<String, Oops>("a")
        let (latest, both) = (Recorder<String, Oops>(), Recorder<String, Oops>())
        values.withLatestFrom(other).subscribe(latest)
        values.withLatestFrom(other) { "\($0)\($1)" }.subscribe(both)
        values.send(1)
        other.send("b")
        other.send("c")
        values.send(2)
        other.send(completion: .finished)
        values.send(3)
        expectEqual(latest.values, ["a", "c", "c"])
        expectEqual(both.values, ["1a", "2c", "3c"])
        values.send(completion: .finished)
        expect(latest.isFinished)
        expect(both.isFinished)
    }

    @Test("`withLatestFrom` drops values while the other publisher has none, and requests others in their place")
    func withLatestReplaces() {
        let (values, other) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)]))
        values.withLatestFrom(other).subscribe(recorder)
        expectEqual(values.requests, [.max(1)])
        expectEqual(other.requests, [.unlimited])
        values.send(1)
        expectEqual(values.demand, .max(1))
        other.send(9)
        values.send(2)
        expectEqual(recorder.values, [9])
        expectEqual(values.demand, .none)
        expectEqual(recorder.violations, [])
    }

    @Test("`withLatestFrom` fails when the other publisher fails")
    func withLatestFails() {
        let (values, other) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(.nothing)
        values.withLatestFrom(other).subscribe(recorder)
        other.send(completion: .failure(.first))
        expectEqual(recorder.failure, .first)
        expectEqual(values.cancellations, 1)
    }

    @Test("`prefix(untilOutputFrom:)` can be ended during a delivery")
    func fromInside() {
        let (values, stop) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
        let recorder = Recorder<Int, Oops> { _, value in if value == 2 { stop.send(0) } }
        values.prefix(untilOutputFrom: stop).subscribe(recorder)
        for value in 1...3 { values.send(value) }
        expectEqual(recorder.values, [1, 2])
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    @Test(
        "The completion of a publisher that has opened a gate is ignored, even if both arrived while the gate was busy",
        arguments: [nil, Oops.first])
    func endBehindTheKey(_ error: Oops?) {
        let (values, keys) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
        let recorder = Recorder<Int, Oops>()
        let upstream = Deferred {
            keys.send(0)
            keys.send(completion: error.map { .failure($0) } ?? .finished)
            return values
        }
        upstream.drop(untilOutputFrom: keys).subscribe(recorder)
        values.send(1)
        values.send(completion: .finished)
        expectEqual(recorder.values, [1])
        expect(recorder.isFinished)
    }
}

/// A publisher that sends its subscription later.
final class Late: Publisher, @unchecked Sendable {
    // Sound: used by one thread.
    typealias Output = Int
    typealias Failure = Oops
    let probe = Probe<Int, Oops>()
    private var subscriber: AnySubscriber<Int, Oops>?

    func receive<S: Subscriber<Int, Oops>>(subscriber: S) { self.subscriber = AnySubscriber(subscriber) }
    func arrive() { if let subscriber { probe.subscribe(subscriber) } }
}
