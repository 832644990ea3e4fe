import MoonlightTestSupport
import Streams
import Testing

@Suite("Operator `share(replay:)`")
struct ShareReplayTests {
    @Test(
        "A late subscriber of `share(replay:)` receives the last values, then the later ones, then the completion",
        arguments: 0..<5)
    func late(replay: Int) {
        let probe = Probe<Int, Oops>()
        let shared = probe.share(replay: replay)
        let (a, b, c) = (Recorder<Int, Oops>(), Recorder<Int, Oops>(), Recorder<Int, Oops>())
        shared.subscribe(a)
        for value in 1...3 { probe.send(value) }
        shared.subscribe(b)
        expectEqual(b.values, Array([1, 2, 3].suffix(replay)))
        probe.send(4)
        expectEqual(b.values, [1, 2, 3].suffix(replay) + [4])
        probe.send(completion: .failure(.first))
        shared.subscribe(c)
        expectEqual(c.values, Array([1, 2, 3, 4].suffix(replay)))
        expectEqual(c.failure, .first)
        expectEqual(a.values, [1, 2, 3, 4])
        expectEqual(a.failure, .first)
        expectEqual(b.failure, .first)
        expectEqual(probe.subscriptions, 1)
        expectEqual(a.violations + b.violations + c.violations, [])
    }

    @Test("`share(replay:)` replays the last ready values of its upstream to later subscribers")
    func synchronous() {
        let shared = OperatorCase.sequence([1, 2, 3]).share(replay: 2)
        let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        shared.subscribe(a)
        shared.subscribe(b)
        expectEqual(a.values, [1, 2, 3])
        expect(a.isFinished)
        expectEqual(b.values, [2, 3])
        expect(b.isFinished)
    }

    @Test(
        "The first subscriber of `share(replay:)` starts the upstream, the last to cancel stops it, and the next one restarts it")
    func lifetime() {
        let probe = Probe<Int, Oops>()
        let shared = probe.share(replay: 2)
        let (a, b, c) = (Recorder<Int, Oops>(.nothing), Recorder<Int, Oops>(), Recorder<Int, Oops>())
        shared.subscribe(a)
        expectEqual(probe.subscriptions, 1)
        expectEqual(probe.requests, [])
        shared.subscribe(b)
        expectEqual(probe.requests, [.unlimited])
        probe.send(1)
        b.cancel()
        b.cancel()
        expectEqual(probe.cancellations, 0)
        a.cancel()
        expectEqual(probe.cancellations, 1)
        shared.subscribe(c)
        expectEqual(probe.subscriptions, 2)
        expectEqual(c.values, [])
        probe.send(5)
        expectEqual(c.values, [5])
        expectEqual(a.values, [])
        c.cancel()
        expectEqual(probe.cancellations, 2)
    }

    @Test("A slow subscriber of `share(replay:)` receives replayed values on request, and misses values that do not fit")
    func slow() {
        let probe = Probe<Int, Oops>()
        let shared = probe.share(replay: 3)
        let (quick, slow) = (Recorder<Int, Oops>(), Recorder<Int, Oops>(.nothing))
        shared.subscribe(quick)
        probe.send(1)
        probe.send(2)
        shared.subscribe(slow)
        for value in 3...6 { probe.send(value) }
        slow.request(.max(1))
        expectEqual(slow.values, [1])
        probe.send(7)
        probe.send(8)
        slow.request(.max(9))
        expectEqual(slow.values, [1, 2, 3, 7])
        probe.send(9)
        probe.send(completion: .finished)
        expectEqual(slow.values, [1, 2, 3, 7, 9])
        expect(slow.isFinished)
        expectEqual(slow.violations, [])
        expectEqual(quick.values, Array(1...9))
    }

    @Test("`share(replay:)` delivers the completion after replayed values that wait for demand")
    func endWaits() {
        let probe = Probe<Int, Oops>()
        let shared = probe.share(replay: 2)
        let (quick, slow, late) = (Recorder<Int, Oops>(), Recorder<Int, Oops>(.nothing), Recorder<Int, Oops>(.nothing))
        shared.subscribe(quick)
        probe.send(1)
        shared.subscribe(slow)
        probe.send(completion: .finished)
        shared.subscribe(late)
        expectEqual(slow.completions, [])
        expectEqual(late.completions, [])
        for recorder in [slow, late] {
            recorder.request(.max(1))
            expectEqual(recorder.values, [1])
            expect(recorder.isFinished)
        }
    }

    @Test("A subscriber of `share(replay:)` that subscribes or cancels during a delivery receives each value once, in order")
    func reentrant() {
        let subject = PassthroughSubject<Int, Oops>()
        let shared = subject.share(replay: 2)
        let (inner, other) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        let outer = Recorder<Int, Oops> { recorder, value in
            if value == 2 {
                shared.subscribe(inner)
                subject.send(3)
            }
            if value == 4 { recorder.cancel() }
        }
        shared.subscribe(outer)
        shared.subscribe(other)
        for value in [1, 2, 4, 5] { subject.send(value) }
        expectEqual(outer.values, [1, 2, 3, 4])
        expectEqual(other.values, [1, 2, 3, 4, 5])
        expectEqual(inner.values, [1, 2, 3, 4, 5])
        expectEqual(outer.violations + inner.violations + other.violations, [])
    }

    @Test(
        "A value that is sent while a subscriber of `share(replay:)` receives its subscription follows the replayed values",
        arguments: [0, 2])
    func duringSubscription(replay: Int) {
        let subject = PassthroughSubject<Int, Oops>()
        let shared = subject.share(replay: replay)
        shared.subscribe(Recorder())
        subject.send(1)
        subject.send(2)
        let events = Log<String>()
        let subscriber = AnySubscriber<Int, Oops>(
            receiveSubscription: { subscription in
                subject.send(3)
                subscription.request(.unlimited)
                subject.send(4)
                events.append("subscribed")
            },
            receiveValue: { value in
                events.append("\(value)")
                return .none
            })
        shared.subscribe(subscriber)
        expectEqual(events.items, ["subscribed"] + (replay == 0 ? [] : ["1", "2"]) + ["3", "4"])
    }

    @Test("`share(replay:)` keeps no more values than it replays, and none after the last subscriber has cancelled")
    func memory() {
        let subject = PassthroughSubject<Token, Oops>()
        let shared = subject.share(replay: 2)
        let recorders = [Recorder<Token, Oops>(.nothing), Recorder<Token, Oops>(.nothing)]
        recorders[0].request(.max(1))
        for recorder in recorders { shared.subscribe(recorder) }
        final class Weak { weak var token: Token? }
        var sent: [Weak] = []
        for _ in 0..<10 {
            let token = Token()
            let entry = Weak()
            entry.token = token
            sent.append(entry)
            subject.send(token)
        }
        // Without demand, two values wait for each subscriber, and the last two are kept for later subscribers.
        expect(sent.filter { $0.token != nil }.count <= 4)
        for recorder in recorders { recorder.cancel() }
        expect(sent.filter { $0.token != nil }.isEmpty)
    }

    @Test("`share(replay:)` releases its subscribers and its upstream at the end", arguments: [false, true], [0, 2])
    func release(cancels: Bool, replay: Int) {
        weak var (upstream, subscriber): (PassthroughSubject<Int, Oops>?, Recorder<Int, Oops>?)
        let kept = Recorder<Int, Oops>()
        do {
            let (subject, recorder) = (PassthroughSubject<Int, Oops>(), Recorder<Int, Oops>())
            (upstream, subscriber) = (subject, recorder)
            let shared = subject.share(replay: replay)
            shared.subscribe(recorder)
            shared.subscribe(kept)
            subject.send(1)
            if cancels {
                recorder.cancel()
                kept.cancel()
            } else {
                subject.send(completion: .finished)
            }
        }
        expect(upstream == nil)
        expect(subscriber == nil)
    }

    @Test("`share(replay:)` cancels a second subscription, and drops events after the completion")
    func deafUpstream() {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let shared = probe.share(replay: 1)
        let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        shared.subscribe(a)
        probe.subscribeAgain()
        expectEqual(probe.cancellations, 1)
        probe.send(1)
        probe.send(completion: .finished)
        probe.send(2)
        probe.send(completion: .failure(.first))
        shared.subscribe(b)
        expectEqual(a.values, [1])
        expect(a.isFinished)
        expectEqual(b.values, [1])
        expect(b.isFinished)
    }
}
