import MoonlightTestSupport
import Testing

@testable import Streams

private struct Failed: Error {}

/// A subscriber that records its inputs, and requests only the given demand.
private final class Listener: Subscriber, @unchecked Sendable {
    // Sound: used by one thread.
    typealias Input = Int
    typealias Failure = Failed
    var log: [String] = []
    var subscription: (any Subscription)?
    /// The initial demand, and the demand returned for each value.
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

    /// The log without the beginnings of values.
    var seen: [String] { log.filter { !$0.hasSuffix("begins") } }
}

/// A subscription with its probe, and the number of its cancellations.
private struct Scene {
    let subscription: DeliverySubscription<Listener>
    let probe: Listener
    let cancellations = Counter()

    final class Counter { var count = 0 }

    init(_ first: Subscribers.Demand, more: Subscribers.Demand = .none, _ prepare: (Listener) -> Void = { _ in }) {
        probe = Listener(first, more: more)
        prepare(probe)
        subscription = DeliverySubscription(probe, named: "Delivery")
        subscription.start { [cancellations] in cancellations.count += 1 }
    }
}

@Suite("A subscription that delivers one value at a time")
struct DeliverySubscriptionTests {
    @Test("A subscription sends a value at once if it is requested")
    func sends() {
        let scene = Scene(.unlimited)
        scene.subscription.send(1)
        scene.subscription.send(2)
        expectEqual(scene.probe.seen, ["subscription", "1", "2"])
    }

    @Test("A subscription keeps values until they are requested, in order, and finishes after the last one")
    func keeps() {
        let scene = Scene(.max(1))
        for value in 1...3 { scene.subscription.send(value) }
        scene.subscription.finish(.finished)
        expectEqual(scene.probe.seen, ["subscription", "1"])
        scene.probe.subscription?.request(.max(1))
        expectEqual(scene.probe.seen, ["subscription", "1", "2"])
        scene.probe.subscription?.request(.max(1))
        expectEqual(scene.probe.seen, ["subscription", "1", "2", "3", "finished"])
        expectEqual(scene.cancellations.count, 0)
    }

    @Test("A request receives as many of the kept values as it demands")
    func sendsSeveral() {
        let scene = Scene(.none)
        for value in 1...5 { scene.subscription.send(value) }
        scene.probe.subscription?.request(.max(3))
        expectEqual(scene.probe.seen, ["subscription", "1", "2", "3"])
        scene.probe.subscription?.request(.max(1))
        expectEqual(scene.probe.seen, ["subscription", "1", "2", "3", "4"])
    }

    @Test("Sent values are passed on up to the demand, and the others are kept")
    func sendsAsRequested() {
        let scene = Scene(.max(2))
        for value in 1...3 { scene.subscription.send(value) }
        expectEqual(scene.probe.seen, ["subscription", "1", "2"])
        scene.probe.subscription?.request(.unlimited)
        expectEqual(scene.probe.seen, ["subscription", "1", "2", "3"])
    }

    @Test("Demand that is returned for a kept value is added to the request")
    func returnsDemandForTheKept() {
        let scene = Scene(.none, more: .max(1))
        for value in 1...3 { scene.subscription.send(value) }
        scene.probe.subscription?.request(.max(1))
        expectEqual(scene.probe.seen, ["subscription", "1", "2", "3"])
    }

    @Test("A subscription finishes without a request")
    func finishes() {
        let scene = Scene(.none)
        scene.subscription.finish(.finished)
        expectEqual(scene.probe.seen, ["subscription", "finished"])
    }

    @Test("A failure is sent at once and replaces the kept values")
    func fails() {
        let scene = Scene(.none)
        scene.subscription.send(1)
        scene.subscription.finish(.failure(Failed()))
        expectEqual(scene.probe.seen, ["subscription", "failed"])
    }

    @Test("Demand that is returned for a value is added to the request")
    func returnsDemand() {
        let scene = Scene(.max(1), more: .max(1))
        for value in 1...3 { scene.subscription.send(value) }
        expectEqual(scene.probe.seen, ["subscription", "1", "2", "3"])
    }

    @Test("Nothing is sent after the end")
    func ends() {
        let scene = Scene(.unlimited)
        scene.subscription.finish(.finished)
        scene.subscription.send(1)
        scene.subscription.finish(.failure(Failed()))
        expectEqual(scene.probe.seen, ["subscription", "finished"])
    }

    @Test("A value sent after `finish` is dropped, even while earlier values are still kept")
    func waitsForTheLast() {
        let scene = Scene(.none)
        scene.subscription.send(1)
        scene.subscription.finish(.finished)
        scene.subscription.send(2)
        scene.probe.subscription?.request(.unlimited)
        expectEqual(scene.probe.seen, ["subscription", "1", "finished"])
    }

    @Test("A value that is sent during a delivery follows after it")
    func isSerial() {
        let scene = Scene(.unlimited)
        scene.probe.whenReceived = { [subscription = scene.subscription] value in
            if value == 1 {
                subscription.send(2)
                subscription.finish(.finished)
            }
        }
        scene.subscription.send(1)
        expectEqual(scene.probe.log, ["subscription", "1 begins", "1", "2 begins", "2", "finished"])
    }

    @Test("A request during a delivery sends the next value after it")
    func requestsInside() {
        let scene = Scene(.none)
        scene.probe.whenReceived = { [probe = scene.probe] _ in probe.subscription?.request(.max(1)) }
        scene.subscription.send(1)
        scene.subscription.send(2)
        scene.probe.subscription?.request(.max(1))
        expectEqual(scene.probe.log, ["subscription", "1 begins", "1", "2 begins", "2"])
        scene.probe.whenReceived = { _ in }
    }

    @Test("A cancelled subscription sends nothing, and reports its cancellation once")
    func cancels() {
        let scene = Scene(.max(1))
        scene.subscription.send(1)
        scene.subscription.send(2)
        scene.probe.subscription?.cancel()
        scene.probe.subscription?.cancel()
        scene.probe.subscription?.request(.unlimited)
        scene.subscription.send(3)
        scene.subscription.finish(.finished)
        expectEqual(scene.probe.seen, ["subscription", "1"])
        expectEqual(scene.cancellations.count, 1)
    }

    @Test("A cancellation after the end is not reported")
    func cancelsAfterTheEnd() {
        let scene = Scene(.unlimited)
        scene.subscription.finish(.finished)
        scene.probe.subscription?.cancel()
        expectEqual(scene.cancellations.count, 0)
    }

    @Test("A cancellation during `receive(subscription:)` or during a delivery takes effect")
    func cancelsInside() {
        let early = Scene(.unlimited) { probe in probe.whenSubscribed = { probe.subscription?.cancel() } }
        early.subscription.send(1)
        expectEqual(early.probe.seen, ["subscription"])
        let late = Scene(.unlimited) { probe in probe.whenReceived = { _ in probe.subscription?.cancel() } }
        late.subscription.send(1)
        late.subscription.send(2)
        expectEqual(late.probe.seen, ["subscription", "1"])
        expectEqual([early, late].map(\.cancellations.count), [1, 1])
        early.probe.whenSubscribed = {}
        late.probe.whenReceived = { _ in }
    }

    @Test("A value that is sent during `receive(subscription:)` follows the subscription")
    func sendsEarly() {
        let probe = Listener(.unlimited)
        let subscription = DeliverySubscription(probe, named: "Delivery")
        probe.whenSubscribed = {
            subscription.send(1)
            probe.log.append("subscribed")
        }
        subscription.start()
        expectEqual(probe.seen, ["subscription", "subscribed", "1"])
        probe.whenSubscribed = {}
    }

    @Test("The subscriber is released at the end, by a cancellation, and with the subscription")
    func releases() {
        for way in 0..<3 {
            weak var probe: Listener?
            var subscription: DeliverySubscription<Listener>?
            do {
                let strong = Listener(.max(1))
                probe = strong
                subscription = DeliverySubscription(strong, named: "Delivery")
                subscription?.start()
                // The object that retains the subscription would retain the probe.
                strong.subscription = nil
            }
            expect(probe != nil)
            switch way {
            case 0: subscription?.finish(.finished)
            case 1: subscription?.cancel()
            default: subscription = nil
            }
            expect(probe == nil)
        }
    }
}
