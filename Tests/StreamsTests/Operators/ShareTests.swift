import MoonlightTestSupport
import Streams
import Testing

@Suite("multicast, autoconnect, share")
struct ShareTests {
    @Test("a multicast starts when it is connected, and serves all who are there")
    func multicastWaits() {
        let probe = Probe<Int, Oops>()
        let multicast = probe.multicast { PassthroughSubject() }
        let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        multicast.subscribe(a)
        multicast.subscribe(b)
        #expect(probe.subscriptions == 0)
        let connection = multicast.connect()
        #expect(probe.subscriptions == 1)
        probe.sendOnDemand([1, 2])
        probe.send(completion: .finished)
        #expect(a.values == [1, 2])
        #expect(b.values == [1, 2])
        #expect(a.isFinished)
        #expect(b.isFinished)
        connection.cancel()
    }

    @Test("those that stay, whoever leaves in whatever order, get every value in the order in which they came", arguments: 0..<6)
    func leaving(_ seed: UInt64) {
        let subject = PassthroughSubject<Int, Never>()
        let shared = subject.share()
        var dice = Dice(seed: seed)
        var got: [Int] = []
        var sinks: [(number: Int, sink: AnyCancellable)] = []
        for number in 0..<200 {
            sinks.append((number, shared.sink { _ in got.append(number) }))
            // At first more come than leave, then more leave.
            while !sinks.isEmpty, Int.random(in: 0..<200, using: &dice) < number {
                sinks.remove(at: Int.random(in: sinks.indices, using: &dice))
            }
            got = []
            subject.send(number)
            #expect(got == sinks.map(\.number))
        }
    }

    @Test("a connection that is cancelled cancels the upstream and leaves the subscribers waiting")
    func disconnect() {
        let probe = Probe<Int, Oops>()
        let multicast = probe.multicast(subject: PassthroughSubject())
        let recorder = Recorder<Int, Oops>()
        multicast.subscribe(recorder)
        multicast.connect().cancel()
        #expect(probe.cancellations == 1)
        #expect(recorder.completions == [])
        let connection = multicast.connect()
        probe.sendOnDemand([5])
        #expect(recorder.values == [5])
        connection.cancel()
    }

    @Test("a multicast makes its subject once, when it is first needed")
    func makesOnce() {
        let made = Log<Int>()
        let multicast = Empty<Int, Oops>(completeImmediately: false).multicast { () -> PassthroughSubject<Int, Oops> in
            made.append(1)
            return PassthroughSubject()
        }
        #expect(made.items == [])
        multicast.subscribe(Recorder<Int, Oops>())
        multicast.subscribe(Recorder<Int, Oops>())
        multicast.connect().cancel()
        #expect(made.items == [1])
    }

    @Test("the upstream of a multicast is asked once a subscriber asks, without limit")
    func multicastDemand() {
        let probe = Probe<Int, Oops>()
        let multicast = probe.multicast { PassthroughSubject() }
        let recorder = Recorder<Int, Oops>(Appetite(description: "", later: [.max(1)]))
        multicast.subscribe(recorder)
        let connection = multicast.connect()
        #expect(probe.requests == [])
        recorder.requestLater()
        #expect(probe.requests == [.unlimited])
        probe.sendOnDemand([1, 2])
        #expect(recorder.values == [1])
        #expect(recorder.violations == [])
        connection.cancel()
    }

    @Test("autoconnect connects for the first subscriber and disconnects after the last")
    func autoconnect() {
        let probe = Probe<Int, Oops>()
        let shared = probe.multicast { PassthroughSubject() }.autoconnect()
        let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        shared.subscribe(a)
        #expect(probe.subscriptions == 1)
        shared.subscribe(b)
        #expect(probe.subscriptions == 1)
        a.cancel()
        a.cancel()
        #expect(probe.cancellations == 0)
        b.cancel()
        #expect(probe.cancellations == 1)
    }

    @Test("autoconnect connects again for who comes after the last has left, each time once")
    func reconnects() {
        let probe = Probe<Int, Oops>()
        let shared = probe.multicast { PassthroughSubject() }.autoconnect()
        for round in 1...3 {
            let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
            shared.subscribe(a)
            shared.subscribe(b)
            #expect(probe.subscriptions == round)
            probe.send(round)
            #expect(a.values == [round])
            #expect(b.values == [round])
            a.cancel()
            #expect(probe.cancellations == round - 1)
            b.cancel()
            #expect(probe.cancellations == round)
        }
    }

    @Test("autoconnect disconnects what it has connected for one who has left meanwhile")
    func autoconnectForNobody() {
        let source = Hasty()
        let recorder = Recorder<Int, Oops>()
        let shared = source.autoconnect()
        shared.prefix(1).subscribe(recorder)
        #expect(recorder.values == [1])
        #expect(source.log.items == ["connect", "disconnect"])
        shared.prefix(1).subscribe(Recorder<Int, Oops>())
        #expect(source.log.items == ["connect", "disconnect", "connect", "disconnect"])
    }

    @Test("autoconnect disconnects after the completion, and does not connect for one who receives it as he subscribes")
    func autoconnectToTheEnd() {
        let source = Hasty()
        let shared = source.autoconnect()
        shared.subscribe(Recorder<Int, Oops>())
        source.subject.send(completion: .finished)
        #expect(source.log.items == ["connect", "disconnect"])
        shared.subscribe(Recorder<Int, Oops>(.nothing))
        #expect(source.log.items == ["connect", "disconnect"])
    }

    @Test("autoconnect connects once, also for those who come from inside `connect()`")
    func autoconnectFromInside() {
        let source = Hasty()
        let shared = source.autoconnect()
        let late = Recorder<Int, Oops>()
        let first = Recorder<Int, Oops> { _, _ in shared.subscribe(late) }
        shared.subscribe(first)
        #expect(source.log.items == ["connect"])
        first.cancel()
        #expect(source.log.items == ["connect"])
        late.cancel()
        #expect(source.log.items == ["connect", "disconnect"])
    }

    @Test("autoconnect does not connect for one who cancels as soon as he has his subscription")
    func autoconnectCancelledAtOnce() {
        let source = Hasty()
        let shared = source.autoconnect()
        shared.subscribe(AnySubscriber<Int, Oops>(receiveSubscription: { $0.cancel() }))
        #expect(source.log.items == [])
        let recorder = Recorder<Int, Oops>()
        shared.subscribe(recorder)
        recorder.cancel()
        #expect(source.log.items == ["connect", "disconnect"])
    }

    /// It sends from inside `connect()`, and what that returns does nothing by itself when it is released.
    private struct Hasty: ConnectablePublisher {
        typealias Output = Int
        typealias Failure = Oops
        let subject = PassthroughSubject<Int, Oops>()
        let log = Log<String>()
        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Oops { subject.subscribe(subscriber) }
        func connect() -> any Cancellable {
            log.append("connect")
            subject.send(1)
            return Connection(log: log)
        }
    }

    private struct Connection: Cancellable {
        let log: Log<String>
        func cancel() { log.append("disconnect") }
    }

    @Test("after the last has gone, the next subscriber connects anew")
    func reconnect() {
        let probe = Probe<Int, Oops>()
        let shared = probe.share()
        let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        shared.subscribe(a)
        a.cancel()
        shared.subscribe(b)
        #expect(probe.subscriptions == 2)
        probe.sendOnDemand([3])
        #expect(a.values == [])
        #expect(b.values == [3])
        b.cancel()
        #expect(probe.cancellations == 2)
    }

    @Test("share asks its upstream once, without limit, however many subscribers ask")
    func asksOnce() {
        let probe = Probe<Int, Oops>()
        let shared = probe.share()
        let recorders = (0..<3).map { _ in
            Recorder<Int, Oops>(Appetite(description: "1, then 1", atStart: [.max(1)], later: [.max(1)]))
        }
        for recorder in recorders { shared.subscribe(recorder) }
        for recorder in recorders { recorder.requestLater() }
        #expect(probe.requests == [.unlimited])
    }

    @Test("share serves two subscribers from one subscription")
    func share() {
        let probe = Probe<Int, Oops>()
        let shared = probe.share()
        let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        shared.subscribe(a)
        probe.sendOnDemand([1])
        shared.subscribe(b)
        probe.sendOnDemand([2, 3])
        probe.send(completion: .failure(.first))
        #expect(a.values == [1, 2, 3])
        #expect(b.values == [2, 3])
        #expect(a.failure == .first)
        #expect(b.failure == .first)
        #expect(a.violations + b.violations == [])
    }

    @Test("a share that nobody holds goes on for its subscriber, and stops its upstream when that one cancels")
    func unheldShare() {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        probe.share().subscribe(recorder)
        probe.sendOnDemand([1, 2])
        #expect(recorder.values == [1, 2])
        recorder.cancel()
        #expect(probe.cancellations == 1)
    }

    @Test("an autoconnected multicast that nobody holds stops its upstream when its subscriber cancels")
    func unheldAutoconnect() {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        probe.multicast { PassthroughSubject() }.autoconnect().subscribe(recorder)
        recorder.cancel()
        #expect(probe.cancellations == 1)
    }

    @Test("a subscriber that comes after the end gets the end, and the upstream is not started for it")
    func afterTheEnd() {
        let probe = Probe<Int, Oops>()
        let shared = probe.share()
        let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        shared.subscribe(a)
        probe.send(completion: .finished)
        shared.subscribe(b)
        #expect(b.isFinished)
        #expect(probe.subscriptions == 1)
    }

    @Test("sharing a publisher that sends at once gives its values to the first subscriber")
    func synchronous() {
        let shared = OperatorCase.sequence([1, 2]).share()
        let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        shared.subscribe(a)
        shared.subscribe(b)
        #expect(a.values == [1, 2])
        #expect(a.isFinished)
        #expect(b.values == [])
        #expect(b.isFinished)
    }

    @Test("a share is equal to itself alone")
    func equality() {
        let probe = Probe<Int, Oops>()
        let shared = probe.share()
        #expect(shared == shared)
        #expect(shared != probe.share())
    }

    @Test("share lets go of the upstream when its only subscriber has gone", arguments: [false, true])
    func release(cancels: Bool) {
        let recorder = Recorder<Int, Oops>()
        weak var upstream: PassthroughSubject<Int, Oops>?
        do {
            let subject = PassthroughSubject<Int, Oops>()
            upstream = subject
            subject.share().subscribe(recorder)
            subject.send(1)
            if cancels { recorder.cancel() } else { subject.send(completion: .finished) }
        }
        #expect(recorder.values == [1])
        #expect(upstream == nil)
    }

    @Test("connecting again and again leaves no more behind than the last connection")
    func connectionsAreLetGo() {
        let multicast = Probe<Int, Oops>().multicast(subject: PassthroughSubject())
        multicast.subscribe(Recorder())
        weak var first: AnyObject?
        do {
            let connection = multicast.connect()
            first = connection as AnyObject
            connection.cancel()
        }
        multicast.connect().cancel()
        #expect(first == nil)
    }

    @Test("who comes while the upstream is being subscribed to shares that subscription")
    func whileSubscribing() {
        final class Shared: @unchecked Sendable {
            // Sound: one thread uses it.
            var publisher: Publishers.Share<Deferred<Probe<Int, Oops>>>?
        }
        let (shared, probe, late) = (Shared(), Probe<Int, Oops>(), Recorder<Int, Oops>())
        let subscriptions = Log<Int>()
        shared.publisher = Deferred {
            subscriptions.append(1)
            if subscriptions.items.count == 1 { shared.publisher?.subscribe(late) }
            return probe
        }.share()
        let recorder = Recorder<Int, Oops>()
        shared.publisher?.subscribe(recorder)
        probe.send(7)
        #expect(subscriptions.items.count == 1)
        #expect(recorder.values == [7])
        #expect(late.values == [7])
        shared.publisher = nil
    }
}
