import MoonlightTestSupport
import Testing

@testable import Streams

@Suite("Serial subscription: one upstream after another")
struct SerialSubscriptionTests {
    @Test("An upstream that has ended is released, and receives no more requests, before the next one arrives")
    func betweenTwo() {
        let (log, recorder) = (Log<String>(), Receiver())
        let serial = SerialSubscription(recorder, named: "Serial")
        let upstream = SerialUpstreamSubscriber<Never, Receiver>(serial) { _ in }
        weak var first: NotingSubscription?
        do {
            let subscription = NotingSubscription("first", in: log)
            first = subscription
            upstream.receive(subscription: subscription)
        }
        expect(first != nil)
        upstream.receive(completion: .finished)
        expect(first == nil)
        recorder.request(.max(1))
        upstream.receive(subscription: NotingSubscription("second", in: log))
        expectEqual(log.items, ["first unlimited", "second unlimited"])
    }
}

private typealias Receiver = Recorder<Int, Never>
