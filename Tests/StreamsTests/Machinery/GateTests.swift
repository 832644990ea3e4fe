import Testing

@testable import Streams

@Suite("prefix(untilOutputFrom:), drop(untilOutputFrom:), withLatestFrom")
struct GateTests {
    @Test("prefix ends with the first value of the other, and cancels both")
    func prefix() {
        let values = Probe<Int, Oops>()
        let stop = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        values.prefix(untilOutputFrom: stop).subscribe(recorder)
        values.send(1)
        stop.send(0)
        values.send(2)
        #expect(recorder.values == [1])
        #expect(recorder.isFinished)
        #expect(values.cancellations == 1)
    }

    @Test("prefix does not mind how the other ends, which may fail in its own way", arguments: [false, true])
    func prefixOtherEnds(fails: Bool) {
        let values = PassthroughSubject<Int, Never>()
        let stop = Probe<String, Oops>()
        let recorder = Recorder<Int, Never>()
        values.prefix(untilOutputFrom: stop).subscribe(recorder)
        #expect(stop.requests == [.max(1)])
        stop.send(completion: fails ? .failure(.first) : .finished)
        stop.send("x")
        values.send(1)
        #expect(recorder.values == [1])
        #expect(recorder.completions == [])
        values.send(completion: .finished)
        #expect(recorder.isFinished)
    }

    @Test("prefix that is ended before its upstream sends a subscription gets that first")
    func prefixEndsEarly() {
        let values = Late()
        let recorder = Recorder<Int, Oops>()
        values.prefix(untilOutputFrom: OperatorCase.sequence([1])).subscribe(recorder)
        #expect(!recorder.isSubscribed)
        #expect(recorder.completions == [])
        values.arrive()
        #expect(recorder.isFinished)
        #expect(recorder.violations == [])
        #expect(values.probe.cancellations == 1)
    }

    @Test("drop and withLatestFrom hand over their subscription before their upstream sends one")
    func subscribedEarly() {
        let (dropping, latest) = (Recorder<Int, Oops>(.nothing), Recorder<Int, Oops>(.nothing))
        Late().drop(untilOutputFrom: Probe<Int, Oops>()).subscribe(dropping)
        Late().withLatestFrom(Probe<Int, Oops>()).subscribe(latest)
        #expect(dropping.isSubscribed)
        #expect(latest.isSubscribed)
    }

    @Test("drop begins with the first value of the other, which is no longer needed then")
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
        #expect(recorder.values == [2, 3])
        #expect(recorder.completions == [])
    }

    @Test("the first value of the other lets go of it, while the values go on")
    func dropLetsGoOfTheOther() {
        let (values, start, foreign) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>(), Probe<Int, Oops>())
        let cancelled = Log<Int>()
        let (one, other) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        values.drop(untilOutputFrom: start.handleEvents(receiveCancel: { cancelled.append(1) })).subscribe(one)
        values.drop(untilOutputFrom: foreign).subscribe(other)
        start.send(0)
        foreign.send(0)
        #expect(cancelled.items == [1])
        // It was asked for one value, and has sent it: as in Combine, it is not cancelled.
        #expect(foreign.cancellations == 0)
        #expect(!foreign.isSubscriptionAlive)
        values.send(1)
        #expect(one.values == [1])
        #expect(other.values == [1])
    }

    @Test("an upstream that sends a second subscription does not start prefix again")
    func prefixStartsOnce() {
        let values = Probe<Int, Oops>(isDeaf: true)
        let recorder = Recorder<Int, Oops>()
        values.prefix(untilOutputFrom: PassthroughSubject<Int, Oops>()).subscribe(recorder)
        values.subscribeAgain()
        #expect(recorder.violations == [])
        #expect(values.cancellations == 1)
        values.send(1)
        #expect(recorder.values == [1])
    }

    @Test("drop ends if the other ends without a value, as that ends", arguments: [false, true])
    func dropOtherEnds(fails: Bool) {
        let (values, start) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(.nothing)
        values.drop(untilOutputFrom: start).subscribe(recorder)
        start.send(completion: fails ? .failure(.second) : .finished)
        #expect(recorder.completions == [fails ? .failure(.second) : .finished])
        #expect(values.cancellations == 1)
    }

    @Test("what was dropped is made up for when values may pass and the upstream has nothing left to send")
    func dropMakesUp() {
        let (values, start) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(3)]))
        values.drop(untilOutputFrom: start).subscribe(recorder)
        values.sendOnDemand([1, 2])
        start.send(0)
        #expect(values.requests == [.max(3)])
        values.sendOnDemand([3])
        #expect(values.demand == .max(2))
        values.sendOnDemand([4, 5, 6])
        #expect(recorder.values == [3, 4, 5])
        let slow = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(2)]))
        values.drop(untilOutputFrom: start).subscribe(slow)
        values.sendOnDemand([1, 2, 3])
        #expect(values.demand == .none)
        start.send(0)
        #expect(values.demand == .max(2))
    }

    @Test("withLatestFrom takes the latest of the other at each value")
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
        #expect(latest.values == ["a", "c", "c"])
        #expect(both.values == ["1a", "2c", "3c"])
        values.send(completion: .finished)
        #expect(latest.isFinished)
        #expect(both.isFinished)
    }

    @Test("withLatestFrom drops values as long as the other has none, and asks for others in their place")
    func withLatestReplaces() {
        let (values, other) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)]))
        values.withLatestFrom(other).subscribe(recorder)
        #expect(values.requests == [.max(1)])
        #expect(other.requests == [.unlimited])
        values.send(1)
        #expect(values.demand == .max(1))
        other.send(9)
        values.send(2)
        #expect(recorder.values == [9])
        #expect(values.demand == .none)
        #expect(recorder.violations == [])
    }

    @Test("withLatestFrom fails with the other")
    func withLatestFails() {
        let (values, other) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(.nothing)
        values.withLatestFrom(other).subscribe(recorder)
        other.send(completion: .failure(.first))
        #expect(recorder.failure == .first)
        #expect(values.cancellations == 1)
    }

    @Test("who asks from inside a delivery, or cancels, is heard")
    func fromInside() {
        let (values, stop) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
        let recorder = Recorder<Int, Oops> { _, value in if value == 2 { stop.send(0) } }
        values.prefix(untilOutputFrom: stop).subscribe(recorder)
        for value in 1...3 { values.send(value) }
        #expect(recorder.values == [1, 2])
        #expect(recorder.isFinished)
        #expect(recorder.violations == [])
    }

    @Test("the parts have Combine's names, and equal parts make equal wholes")
    func parts() {
        let prefix = [1].publisher.prefix(untilOutputFrom: [2].publisher)
        #expect(prefix.upstream == [1].publisher)
        #expect(prefix.other == [2].publisher)
        #expect(prefix == Publishers.PrefixUntilOutput(upstream: [1].publisher, other: [2].publisher))
        let drop = [1].publisher.drop(untilOutputFrom: [2].publisher)
        #expect(drop == Publishers.DropUntilOutput(upstream: [1].publisher, other: [2].publisher))
        #expect(drop != Publishers.DropUntilOutput(upstream: [1].publisher, other: [3].publisher))
    }

    @Test(
        "the end of what has opened a gate does not matter, though both came while the gate was busy",
        arguments: [nil, Oops.first])
    func endBehindTheKey(_ error: Oops?) {
        let (values, keys) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
        let recorder = Recorder<Int, Oops>()
        // As if another thread was at work in it: it is born busy, and what comes waits until the upstream has its subscription.
        let logic = GateLogic<Int, Void, AnySubscriber<Int, Oops>>(.opens) { value, key in key == nil ? nil : value }
        let gate = FanIn(logic, AnySubscriber(recorder), named: "DropUntilOutput", passesNothing: true)
        let upstream = Deferred {
            keys.send(0)
            keys.send(completion: error.map { .failure($0) } ?? .finished)
            return values
        }
        gate.run(upstream, keys, asking: .max(1), waits: true) { _ in }
        values.send(1)
        values.send(completion: .finished)
        #expect(recorder.values == [1])
        #expect(recorder.isFinished)
    }
}

/// A publisher whose subscription comes late.
final class Late: Publisher, @unchecked Sendable {
    // Sound: a test uses one thread.
    typealias Output = Int
    typealias Failure = Oops
    let probe = Probe<Int, Oops>()
    private var subscriber: AnySubscriber<Int, Oops>?

    func receive<S: Subscriber<Int, Oops>>(subscriber: S) { self.subscriber = AnySubscriber(subscriber) }
    func arrive() { if let subscriber { probe.subscribe(subscriber) } }

    @Test("what drop has dropped of the only value that is asked for is asked for again")
    func dropRequestsAgain() {
        let (values, start) = (Probe<Int, Never>(), PassthroughSubject<Int, Never>())
        let recorder = Recorder<Int, Never>(.nothing)
        values.drop(untilOutputFrom: start).subscribe(recorder)
        recorder.request(.max(1))
        values.send(1)
        #expect(values.requests == [.max(1)])
        start.send(0)
        #expect(values.requests == [.max(1), .max(1)])
        values.send(2)
        #expect(recorder.values == [2])
    }
}
