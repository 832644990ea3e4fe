import MoonlightTestSupport
import Streams
import Testing

@Suite("Serial logic: one upstream after another")
struct SerialLogicTests {
    @Test("An upstream that has ended is released, and receives no more requests, before the next one arrives")
    func betweenTwo() {
        let (log, recorder) = (Log<String>(), Recorder<Int, Oops>())
        let (first, second) = (Silent(), Silent())
        first.catch { _ in second }.subscribe(recorder)
        weak var ended: NotingSubscription?
        do {
            let subscription = NotingSubscription("first", in: log)
            ended = subscription
            first.subscribers.items[0].receive(subscription: subscription)
        }
        expect(ended != nil)
        first.subscribers.items[0].receive(completion: .failure(.first))
        expect(ended == nil)
        recorder.request(.max(1))
        second.subscribers.items[0].receive(subscription: NotingSubscription("second", in: log))
        expectEqual(log.items, ["first unlimited", "second unlimited"])
    }

    /// A publisher that only stores its subscribers.
    private struct Silent: Publisher {
        typealias Output = Int
        typealias Failure = Oops

        let subscribers = Log<AnySubscriber<Int, Oops>>()

        func receive<S: Subscriber<Int, Oops>>(subscriber: S) { subscribers.append(AnySubscriber(subscriber)) }
    }
}
