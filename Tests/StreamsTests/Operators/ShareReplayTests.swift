import Streams
import Testing

@Suite("share(replay:)")
struct ShareReplayTests {
    @Test("a late subscriber gets the last values, then what follows, then the end", arguments: 0..<5)
    func late(replay: Int) {
        let probe = Probe<Int, Oops>()
        let shared = probe.share(replay: replay)
        let (a, b, c) = (Recorder<Int, Oops>(), Recorder<Int, Oops>(), Recorder<Int, Oops>())
        shared.subscribe(a)
        for value in 1...3 { probe.send(value) }
        shared.subscribe(b)
        #expect(b.values == Array([1, 2, 3].suffix(replay)))
        probe.send(4)
        #expect(b.values == [1, 2, 3].suffix(replay) + [4])
        probe.send(completion: .failure(.first))
        shared.subscribe(c)
        #expect(c.values == Array([1, 2, 3, 4].suffix(replay)))
        #expect(c.failure == .first)
        #expect(a.values == [1, 2, 3, 4])
        #expect(a.failure == .first)
        #expect(b.failure == .first)
        #expect(probe.subscriptions == 1)
        #expect(a.violations + b.violations + c.violations == [])
    }

    @Test("an upstream that sends at once gives its last values to all who come later")
    func synchronous() {
        let shared = OperatorCase.sequence([1, 2, 3]).share(replay: 2)
        let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        shared.subscribe(a)
        shared.subscribe(b)
        #expect(a.values == [1, 2, 3])
        #expect(a.isFinished)
        #expect(b.values == [2, 3])
        #expect(b.isFinished)
    }

    @Test("the first to ask starts the upstream, the last to go stops it, and the next starts anew")
    func lifetime() {
        let probe = Probe<Int, Oops>()
        let shared = probe.share(replay: 2)
        let (a, b, c) = (Recorder<Int, Oops>(.nothing), Recorder<Int, Oops>(), Recorder<Int, Oops>())
        shared.subscribe(a)
        #expect(probe.subscriptions == 1)
        #expect(probe.requests == [])
        shared.subscribe(b)
        #expect(probe.requests == [.unlimited])
        probe.send(1)
        b.cancel()
        b.cancel()
        #expect(probe.cancellations == 0)
        a.cancel()
        #expect(probe.cancellations == 1)
        shared.subscribe(c)
        #expect(probe.subscriptions == 2)
        #expect(c.values == [])
        probe.send(5)
        #expect(c.values == [5])
        #expect(a.values == [])
        c.cancel()
        #expect(probe.cancellations == 2)
    }

    @Test("a slow subscriber gets the values that were there before it when it asks, and misses what finds no room")
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
        #expect(slow.values == [1])
        probe.send(7)
        probe.send(8)
        slow.request(.max(9))
        #expect(slow.values == [1, 2, 3, 7])
        probe.send(9)
        probe.send(completion: .finished)
        #expect(slow.values == [1, 2, 3, 7, 9])
        #expect(slow.isFinished)
        #expect(slow.violations == [])
        #expect(quick.values == Array(1...9))
    }

    @Test("the end waits for the values that wait")
    func endWaits() {
        let probe = Probe<Int, Oops>()
        let shared = probe.share(replay: 2)
        let (quick, slow, late) = (Recorder<Int, Oops>(), Recorder<Int, Oops>(.nothing), Recorder<Int, Oops>(.nothing))
        shared.subscribe(quick)
        probe.send(1)
        shared.subscribe(slow)
        probe.send(completion: .finished)
        shared.subscribe(late)
        #expect(slow.completions == [])
        #expect(late.completions == [])
        for recorder in [slow, late] {
            recorder.request(.max(1))
            #expect(recorder.values == [1])
            #expect(recorder.isFinished)
        }
    }

    @Test("who subscribes or cancels from inside a delivery gets each value once and in order")
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
        #expect(outer.values == [1, 2, 3, 4])
        #expect(other.values == [1, 2, 3, 4, 5])
        #expect(inner.values == [1, 2, 3, 4, 5])
        #expect(outer.violations + inner.violations + other.violations == [])
    }

    @Test("a value sent while a subscriber takes its subscription comes after that", arguments: [0, 2])
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
        #expect(events.items == ["subscribed"] + (replay == 0 ? [] : ["1", "2"]) + ["3", "4"])
    }

    @Test("no more values are kept than may be replayed, and none after the last has cancelled")
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
        // Nobody has asked for anything, so that two wait for each, and the last two are kept for those who come.
        #expect(sent.filter { $0.token != nil }.count <= 4)
        for recorder in recorders { recorder.cancel() }
        #expect(sent.filter { $0.token != nil }.isEmpty)
    }

    @Test("share lets go of its upstream and its subscribers at the end", arguments: [false, true], [0, 2])
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
        #expect(upstream == nil)
        #expect(subscriber == nil)
    }

    @Test("what an upstream sends after its completion, or before its subscription, goes nowhere")
    func deafUpstream() {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let shared = probe.share(replay: 1)
        let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        shared.subscribe(a)
        probe.subscribeAgain()
        #expect(probe.cancellations == 1)
        probe.send(1)
        probe.send(completion: .finished)
        probe.send(2)
        probe.send(completion: .failure(.first))
        shared.subscribe(b)
        #expect(a.values == [1])
        #expect(a.isFinished)
        #expect(b.values == [1])
        #expect(b.isFinished)
    }
}
