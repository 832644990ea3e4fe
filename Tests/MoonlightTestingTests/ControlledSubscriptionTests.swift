import Streams
import Testing

private struct Failed: Error {}

/// A subscriber that notes what it receives, and requests only what it is told to.
private final class Probe: Subscriber, @unchecked Sendable {
    // Sound: used by one thread.
    typealias Input = Int
    typealias Failure = Failed
    var log: [String] = []
    var subscription: (any Subscription)?
    /// What is requested at once, and what is returned for each value.
    let first: Subscribers.Demand
    let more: Subscribers.Demand
    /// Called with each value.
    var whenReceived: (Int) -> Void = { _ in }
    var whenSubscribed: () -> Void = {}

    init(_ first: Subscribers.Demand, more: Subscribers.Demand = .none) {
        self.first = first
        self.more = more
    }

    func receive(subscription: any Subscription) {
        log.append("subscription")
        self.subscription = subscription
        if first != .none { subscription.request(first) }
        whenSubscribed()
    }

    func receive(_ input: Int) -> Subscribers.Demand {
        log.append("\(input) begins")
        whenReceived(input)
        log.append("\(input)")
        return more
    }

    func receive(completion: Subscribers.Completion<Failed>) {
        if case .finished = completion { log.append("finished") } else { log.append("failed") }
    }

    /// The log without where values begin.
    var seen: [String] { log.filter { !$0.hasSuffix("begins") } }
}

/// A subscription with its probe, and how often it was cancelled.
private struct Scene {
    let subscription = ControlledSubscription<Probe>()
    let probe: Probe
    let cancellations = Counter()

    final class Counter { var count = 0 }

    init(_ first: Subscribers.Demand, more: Subscribers.Demand = .none, _ prepare: (Probe) -> Void = { _ in }) {
        probe = Probe(first, more: more)
        prepare(probe)
        subscription.start(probe) { [cancellations] in cancellations.count += 1 }
    }
}

@Suite("A controlled subscription")
struct ControlledSubscriptionTests {
    @Test("it sends a value that is requested at once")
    func sends() {
        let scene = Scene(.unlimited)
        scene.subscription.send(1)
        scene.subscription.send(2)
        #expect(scene.probe.seen == ["subscription", "1", "2"])
    }

    @Test("it keeps values until they are requested, in order, and finishes after the last")
    func keeps() {
        let scene = Scene(.max(1))
        for value in 1...3 { scene.subscription.send(value) }
        scene.subscription.finish(.finished)
        #expect(scene.probe.seen == ["subscription", "1"])
        scene.probe.subscription?.request(.max(1))
        #expect(scene.probe.seen == ["subscription", "1", "2"])
        scene.probe.subscription?.request(.max(1))
        #expect(scene.probe.seen == ["subscription", "1", "2", "3", "finished"])
        #expect(scene.cancellations.count == 0)
    }

    @Test("of the values that it keeps it sends as many as are requested")
    func sendsSeveral() {
        let scene = Scene(.none)
        for value in 1...5 { scene.subscription.send(value) }
        scene.probe.subscription?.request(.max(3))
        #expect(scene.probe.seen == ["subscription", "1", "2", "3"])
        scene.probe.subscription?.request(.max(1))
        #expect(scene.probe.seen == ["subscription", "1", "2", "3", "4"])
    }

    @Test("of the values that are sent, it sends on as many as are requested, and keeps the others")
    func sendsAsRequested() {
        let scene = Scene(.max(2))
        for value in 1...3 { scene.subscription.send(value) }
        #expect(scene.probe.seen == ["subscription", "1", "2"])
        scene.probe.subscription?.request(.unlimited)
        #expect(scene.probe.seen == ["subscription", "1", "2", "3"])
    }

    @Test("what is returned for a value that was kept is requested besides")
    func returnsDemandForTheKept() {
        let scene = Scene(.none, more: .max(1))
        for value in 1...3 { scene.subscription.send(value) }
        scene.probe.subscription?.request(.max(1))
        #expect(scene.probe.seen == ["subscription", "1", "2", "3"])
    }

    @Test("it finishes without a request")
    func finishes() {
        let scene = Scene(.none)
        scene.subscription.finish(.finished)
        #expect(scene.probe.seen == ["subscription", "finished"])
    }

    @Test("a failure is sent at once, in place of the values that are kept")
    func fails() {
        let scene = Scene(.none)
        scene.subscription.send(1)
        scene.subscription.finish(.failure(Failed()))
        #expect(scene.probe.seen == ["subscription", "failed"])
    }

    @Test("what a value returns is requested besides")
    func returnsDemand() {
        let scene = Scene(.max(1), more: .max(1))
        for value in 1...3 { scene.subscription.send(value) }
        #expect(scene.probe.seen == ["subscription", "1", "2", "3"])
    }

    @Test("after the end, nothing is sent")
    func ends() {
        let scene = Scene(.unlimited)
        scene.subscription.finish(.finished)
        scene.subscription.send(1)
        scene.subscription.finish(.failure(Failed()))
        #expect(scene.probe.seen == ["subscription", "finished"])
    }

    @Test("between the end and the last request, no further value is taken")
    func waitsForTheLast() {
        let scene = Scene(.none)
        scene.subscription.send(1)
        scene.subscription.finish(.finished)
        scene.subscription.send(2)
        scene.probe.subscription?.request(.unlimited)
        #expect(scene.probe.seen == ["subscription", "1", "finished"])
    }

    @Test("a value that is sent from inside a delivery waits for its end")
    func isSerial() {
        let scene = Scene(.unlimited)
        scene.probe.whenReceived = { [subscription = scene.subscription] value in
            if value == 1 {
                subscription.send(2)
                subscription.finish(.finished)
            }
        }
        scene.subscription.send(1)
        #expect(scene.probe.log == ["subscription", "1 begins", "1", "2 begins", "2", "finished"])
    }

    @Test("a request from inside a delivery sends the next value after it")
    func requestsInside() {
        let scene = Scene(.none)
        scene.probe.whenReceived = { [probe = scene.probe] _ in probe.subscription?.request(.max(1)) }
        scene.subscription.send(1)
        scene.subscription.send(2)
        scene.probe.subscription?.request(.max(1))
        #expect(scene.probe.log == ["subscription", "1 begins", "1", "2 begins", "2"])
        scene.probe.whenReceived = { _ in }
    }

    @Test("after a cancellation nothing is sent, and it is told once")
    func cancels() {
        let scene = Scene(.max(1))
        scene.subscription.send(1)
        scene.subscription.send(2)
        scene.probe.subscription?.cancel()
        scene.probe.subscription?.cancel()
        scene.probe.subscription?.request(.unlimited)
        scene.subscription.send(3)
        scene.subscription.finish(.finished)
        #expect(scene.probe.seen == ["subscription", "1"])
        #expect(scene.cancellations.count == 1)
    }

    @Test("a cancellation after the end is not told")
    func cancelsAfterTheEnd() {
        let scene = Scene(.unlimited)
        scene.subscription.finish(.finished)
        scene.probe.subscription?.cancel()
        #expect(scene.cancellations.count == 0)
    }

    @Test("a cancellation from inside receive(subscription:), or from inside a delivery, holds")
    func cancelsInside() {
        let early = Scene(.unlimited) { probe in probe.whenSubscribed = { probe.subscription?.cancel() } }
        early.subscription.send(1)
        #expect(early.probe.seen == ["subscription"])
        let late = Scene(.unlimited) { probe in probe.whenReceived = { _ in probe.subscription?.cancel() } }
        late.subscription.send(1)
        late.subscription.send(2)
        #expect(late.probe.seen == ["subscription", "1"])
        #expect([early, late].map(\.cancellations.count) == [1, 1])
        early.probe.whenSubscribed = {}
        late.probe.whenReceived = { _ in }
    }

    @Test("a value that is sent while the subscription is handed over follows it")
    func sendsEarly() {
        let subscription = ControlledSubscription<Probe>()
        let probe = Probe(.unlimited)
        probe.whenSubscribed = {
            subscription.send(1)
            probe.log.append("subscribed")
        }
        subscription.start(probe, whenCancelled: {})
        #expect(probe.seen == ["subscription", "subscribed", "1"])
        probe.whenSubscribed = {}
    }

    @Test("the subscriber is released at the end and by a cancellation, and with the subscription")
    func releases() {
        for way in 0..<3 {
            weak var probe: Probe?
            var subscription: ControlledSubscription<Probe>? = ControlledSubscription<Probe>()
            do {
                let strong = Probe(.max(1))
                probe = strong
                subscription?.start(strong, whenCancelled: {})
                // What keeps the subscription would keep the probe.
                strong.subscription = nil
            }
            #expect(probe != nil)
            switch way {
            case 0: subscription?.finish(.finished)
            case 1: subscription?.cancel()
            default: subscription = nil
            }
            #expect(probe == nil)
        }
    }
}

@Suite("A subscriber that tells of the end")
struct EndSubscriberTests {
    @Test("it passes on what comes, and tells of a completion once, before it passes it on")
    func completes() {
        let (probe, upstream) = (Probe(.unlimited), PassthroughSubject<Int, Failed>())
        let end = EndSubscriber(probe) { probe.log.append("end") }
        upstream.receive(subscriber: end)
        upstream.send(1)
        upstream.send(completion: .finished)
        probe.subscription?.cancel()
        #expect(probe.seen == ["subscription", "1", "end", "finished"])
    }

    @Test("it tells of a cancellation once, and then passes nothing on")
    func cancels() {
        let (probe, upstream) = (Probe(.unlimited), PassthroughSubject<Int, Failed>())
        let end = EndSubscriber(probe) { probe.log.append("end") }
        upstream.receive(subscriber: end)
        probe.subscription?.cancel()
        probe.subscription?.cancel()
        upstream.send(1)
        upstream.send(completion: .finished)
        _ = end.receive(2)
        end.receive(completion: .finished)
        #expect(probe.seen == ["subscription", "end"])
    }

    @Test("it passes on requests, and no second subscription")
    func requests() {
        let probe = Probe(.none)
        let end = EndSubscriber(probe) {}
        let controlled = ControlledSubscription<EndSubscriber<Probe>>()
        controlled.start(end, whenCancelled: {})
        controlled.send(1)
        #expect(probe.seen == ["subscription"])
        probe.subscription?.request(.max(1))
        #expect(probe.seen == ["subscription", "1"])
        var cancelled = 0
        ControlledSubscription<EndSubscriber<Probe>>().start(end) { cancelled += 1 }
        #expect(probe.seen == ["subscription", "1"])
        #expect(cancelled == 1)
    }
}
