import MoonlightTestSupport
import Streams
import Testing

@Suite("Operators `multicast`, `autoconnect` and `share`")
struct ShareTests {
    @Test("A multicast starts when it is connected, and serves all subscribers")
    func multicastWaits() {
        let probe = Probe<Int, Oops>()
        let multicast = probe.multicast { PassthroughSubject() }
        let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        multicast.subscribe(a)
        multicast.subscribe(b)
        expectEqual(probe.subscriptions, 0)
        let connection = multicast.connect()
        expectEqual(probe.subscriptions, 1)
        probe.sendOnDemand([1, 2])
        probe.send(completion: .finished)
        expectEqual(a.values, [1, 2])
        expectEqual(b.values, [1, 2])
        expect(a.isFinished)
        expect(b.isFinished)
        connection.cancel()
    }

    @Test(
        "Remaining subscribers of a share receive every value in the order of their subscription, whichever others cancel",
        arguments: Budget.seeds(6, least: 2))
    func leaving(_ seed: Int) {
        let subject = PassthroughSubject<Int, Never>()
        let shared = subject.share()
        var dice = Dice(seed: seed)
        var got: [Int] = []
        var sinks: [(number: Int, sink: AnyCancellable)] = []
        for number in 0..<200 {
            sinks.append((number, shared.sink { _ in got.append(number) }))
            // At first, more subscribe than cancel; then more cancel.
            while !sinks.isEmpty, Int.random(in: 0..<200, using: &dice) < number {
                sinks.remove(at: Int.random(in: sinks.indices, using: &dice))
            }
            got = []
            subject.send(number)
            expectEqual(got, sinks.map(\.number))
        }
    }

    @Test("Cancelling a connection cancels the upstream, and sends the subscribers no completion")
    func disconnect() {
        let probe = Probe<Int, Oops>()
        let multicast = probe.multicast(subject: PassthroughSubject())
        let recorder = Recorder<Int, Oops>()
        multicast.subscribe(recorder)
        multicast.connect().cancel()
        expectEqual(probe.cancellations, 1)
        expectEqual(recorder.completions, [])
        let connection = multicast.connect()
        probe.sendOnDemand([5])
        expectEqual(recorder.values, [5])
        connection.cancel()
    }

    @Test("A multicast creates its subject once, when it is first needed")
    func makesOnce() {
        let made = Log<Int>()
        let multicast = Empty<Int, Oops>(completeImmediately: false).multicast { () -> PassthroughSubject<Int, Oops> in
            made.append(1)
            return PassthroughSubject()
        }
        expectEqual(made.items, [])
        multicast.subscribe(Recorder<Int, Oops>())
        multicast.subscribe(Recorder<Int, Oops>())
        multicast.connect().cancel()
        expectEqual(made.items, [1])
    }

    @Test("A multicast requests everything from its upstream once a subscriber requests something")
    func multicastDemand() {
        let probe = Probe<Int, Oops>()
        let multicast = probe.multicast { PassthroughSubject() }
        let recorder = Recorder<Int, Oops>(Appetite(description: "", later: [.max(1)]))
        multicast.subscribe(recorder)
        let connection = multicast.connect()
        expectEqual(probe.requests, [])
        recorder.requestLater()
        expectEqual(probe.requests, [.unlimited])
        probe.sendOnDemand([1, 2])
        expectEqual(recorder.values, [1])
        expectEqual(recorder.violations, [])
        connection.cancel()
    }

    @Test("`autoconnect` connects for the first subscriber and disconnects after the last")
    func autoconnect() {
        let probe = Probe<Int, Oops>()
        let shared = probe.multicast { PassthroughSubject() }.autoconnect()
        let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        shared.subscribe(a)
        expectEqual(probe.subscriptions, 1)
        shared.subscribe(b)
        expectEqual(probe.subscriptions, 1)
        a.cancel()
        a.cancel()
        expectEqual(probe.cancellations, 0)
        b.cancel()
        expectEqual(probe.cancellations, 1)
    }

    @Test("`autoconnect` connects again, once, for subscribers that arrive after the last has cancelled")
    func reconnects() {
        let probe = Probe<Int, Oops>()
        let shared = probe.multicast { PassthroughSubject() }.autoconnect()
        for round in 1...3 {
            let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
            shared.subscribe(a)
            shared.subscribe(b)
            expectEqual(probe.subscriptions, round)
            probe.send(round)
            expectEqual(a.values, [round])
            expectEqual(b.values, [round])
            a.cancel()
            expectEqual(probe.cancellations, round - 1)
            b.cancel()
            expectEqual(probe.cancellations, round)
        }
    }

    @Test("`autoconnect` disconnects a connection whose subscriber has cancelled meanwhile")
    func autoconnectForNobody() {
        let source = Hasty()
        let recorder = Recorder<Int, Oops>()
        let shared = source.autoconnect()
        shared.prefix(1).subscribe(recorder)
        expectEqual(recorder.values, [1])
        expectEqual(source.log.items, ["connect", "disconnect"])
        shared.prefix(1).subscribe(Recorder<Int, Oops>())
        expectEqual(source.log.items, ["connect", "disconnect", "connect", "disconnect"])
    }

    @Test("`autoconnect` disconnects after the completion, and does not connect for a subscriber that receives it on arrival")
    func autoconnectToTheEnd() {
        let source = Hasty()
        let shared = source.autoconnect()
        shared.subscribe(Recorder<Int, Oops>())
        source.subject.send(completion: .finished)
        expectEqual(source.log.items, ["connect", "disconnect"])
        shared.subscribe(Recorder<Int, Oops>(.nothing))
        expectEqual(source.log.items, ["connect", "disconnect"])
    }

    @Test("`autoconnect` connects once, even if others subscribe during `connect()`")
    func autoconnectFromInside() {
        let source = Hasty()
        let shared = source.autoconnect()
        let late = Recorder<Int, Oops>()
        let first = Recorder<Int, Oops> { _, _ in shared.subscribe(late) }
        shared.subscribe(first)
        expectEqual(source.log.items, ["connect"])
        first.cancel()
        expectEqual(source.log.items, ["connect"])
        late.cancel()
        expectEqual(source.log.items, ["connect", "disconnect"])
    }

    @Test("`autoconnect` connects once, even if its subscriber cancels during `connect()` and another subscribes")
    func replaced() {
        let (connections, second) = (Log<Int>(), Recorder<Int, Never>())
        let upstream = Deferred {
            connections.append(1)
            return [1, 2, 3].publisher.append(Empty(completeImmediately: false))
        }
        let publisher = upstream.makeConnectable().autoconnect()
        let first = Recorder<Int, Never> { recorder, _ in
            recorder.cancel()
            publisher.subscribe(second)
        }
        publisher.subscribe(first)
        expectEqual(connections.items.count, 1)
        expectEqual(first.values, [1])
        expectEqual(second.values, [2, 3])
    }

    @Test("`autoconnect` does not connect for a subscriber that cancels as soon as it has its subscription")
    func autoconnectCancelledAtOnce() {
        let source = Hasty()
        let shared = source.autoconnect()
        shared.subscribe(AnySubscriber<Int, Oops>(receiveSubscription: { $0.cancel() }))
        expectEqual(source.log.items, [])
        let recorder = Recorder<Int, Oops>()
        shared.subscribe(recorder)
        recorder.cancel()
        expectEqual(source.log.items, ["connect", "disconnect"])
    }

    /// A publisher that sends during `connect()`, whose result does nothing when it is released.
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

    @Test("A share restarts its upstream for a subscriber that arrives after the last has cancelled")
    func reconnect() {
        let probe = Probe<Int, Oops>()
        let shared = probe.share()
        let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        shared.subscribe(a)
        a.cancel()
        shared.subscribe(b)
        expectEqual(probe.subscriptions, 2)
        probe.sendOnDemand([3])
        expectEqual(a.values, [])
        expectEqual(b.values, [3])
        b.cancel()
        expectEqual(probe.cancellations, 2)
    }

    @Test("A share requests everything from its upstream once, however many subscribers request")
    func asksOnce() {
        let probe = Probe<Int, Oops>()
        let shared = probe.share()
        let recorders = (0..<3).map { _ in
            Recorder<Int, Oops>(Appetite(description: "1, then 1", atStart: [.max(1)], later: [.max(1)]))
        }
        for recorder in recorders { shared.subscribe(recorder) }
        for recorder in recorders { recorder.requestLater() }
        expectEqual(probe.requests, [.unlimited])
    }

    @Test("A share serves two subscribers from one subscription")
    func share() {
        let probe = Probe<Int, Oops>()
        let shared = probe.share()
        let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        shared.subscribe(a)
        probe.sendOnDemand([1])
        shared.subscribe(b)
        probe.sendOnDemand([2, 3])
        probe.send(completion: .failure(.first))
        expectEqual(a.values, [1, 2, 3])
        expectEqual(b.values, [2, 3])
        expectEqual(a.failure, .first)
        expectEqual(b.failure, .first)
        expectEqual(a.violations + b.violations, [])
    }

    @Test("A share that is not retained continues for its subscriber, and cancels its upstream with it")
    func unheldShare() {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        probe.share().subscribe(recorder)
        probe.sendOnDemand([1, 2])
        expectEqual(recorder.values, [1, 2])
        recorder.cancel()
        expectEqual(probe.cancellations, 1)
    }

    @Test("An autoconnected multicast that is not retained cancels its upstream when its subscriber cancels")
    func unheldAutoconnect() {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        probe.multicast { PassthroughSubject() }.autoconnect().subscribe(recorder)
        recorder.cancel()
        expectEqual(probe.cancellations, 1)
    }

    @Test("A share sends a subscriber that arrives after the end the completion, and does not start the upstream")
    func afterTheEnd() {
        let probe = Probe<Int, Oops>()
        let shared = probe.share()
        let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        shared.subscribe(a)
        probe.send(completion: .finished)
        shared.subscribe(b)
        expect(b.isFinished)
        expectEqual(probe.subscriptions, 1)
    }

    @Test("A share of ready values sends them to the first subscriber")
    func synchronous() {
        let shared = OperatorCase.sequence([1, 2]).share()
        let (a, b) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        shared.subscribe(a)
        shared.subscribe(b)
        expectEqual(a.values, [1, 2])
        expect(a.isFinished)
        expectEqual(b.values, [])
        expect(b.isFinished)
    }

    @Test(
        "A share releases the upstream when its only subscriber has cancelled or the upstream has finished",
        arguments: [false, true])
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
        expectEqual(recorder.values, [1])
        expect(upstream == nil)
    }

    @Test("A multicast that is connected again releases the previous connection")
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
        expect(first == nil)
    }

    @Test("Values that another thread sends to a share during a subscribing are delivered on a background thread")
    func joining() {
        let subject = PassthroughSubject<Int, Never>()
        let shared = subject.share()
        let (first, threads) = (Recorder<Int, Never>(), Log<UInt>())
        shared.subscribe(first)
        shared.subscribe(
            AnySubscriber<Int, Never>(
                receiveSubscription: { subscription in
                    subscription.request(.unlimited)
                    elsewhere { for value in 1...3 { subject.send(value) } }
                },
                receiveValue: { _ in
                    threads.append(currentThread())
                    return .none
                }))
        settle()
        let here = currentThread()
        expectEqual(threads.items.map { $0 == here }, [false, false, false])
    }

    @Test("A subscriber that arrives while a share subscribes to its upstream uses the same subscription")
    func whileSubscribing() {
        final class Shared: @unchecked Sendable {
            // Sound: used by one thread.
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
        expectEqual(subscriptions.items.count, 1)
        expectEqual(recorder.values, [7])
        expectEqual(late.values, [7])
        shared.publisher = nil
    }
}
