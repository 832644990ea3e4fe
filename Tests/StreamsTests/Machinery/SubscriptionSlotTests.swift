import MoonlightTestSupport
import Testing

@testable import Streams

@Suite("Subscription slot of a sink")
struct SubscriptionSlotTests {
    @Test("A slot keeps the first subscription, and cancels each further one")
    func filled() {
        let (slot, log) = (SubscriptionSlot(), Log<String>())
        expect(!slot.isFilled)
        expect(!slot.isEnded)
        expect(slot.fill(NotingSubscription("a", in: log)))
        expect(slot.isFilled)
        expect(!slot.isEnded)
        expect(!slot.fill(NotingSubscription("b", in: log)))
        expectEqual(log.items, ["b cancelled"])
        slot.cancel()
        slot.cancel()
        expect(!slot.fill(NotingSubscription("c", in: log)))
        expectEqual(log.items, ["b cancelled", "a cancelled", "c cancelled"])
    }

    @Test("A slot ends once, by a completion, which cancels nothing, or by a cancellation", arguments: [false, true])
    func ended(isFilled: Bool) {
        let (log, finished, cancelled) = (Log<String>(), SubscriptionSlot(), SubscriptionSlot())
        if isFilled {
            for (slot, name) in [(finished, "a"), (cancelled, "b")] { expect(slot.fill(NotingSubscription(name, in: log))) }
        }
        expect(finished.finish())
        expect(!finished.finish())
        finished.cancel()
        cancelled.cancel()
        expect(!cancelled.finish())
        expect(log.items == (isFilled ? ["b cancelled"] : []))
        for slot in [finished, cancelled] {
            expect(slot.isEnded)
            expect(!slot.isFilled)
        }
    }
}
