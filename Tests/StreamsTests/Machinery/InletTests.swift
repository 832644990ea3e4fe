import MoonlightTestSupport
import Testing

@testable import Streams

/// An inlet with a log of the calls of its subscriptions.
private struct Scene {
    let inlet: Inlet
    let log = Log<String>()

    init(isOpen: Bool = false) { inlet = Inlet(isOpen: isOpen) }

    var isEnded: Bool { inlet.isEnded }
    var isAwaiting: Bool { inlet.isAwaiting }
    var wasFilled: Bool { inlet.wasFilled }
    var isFilled: Bool { inlet.isFilled }
    func fill(_ name: String) -> Bool { inlet.fill(NotingSubscription(name, in: log)) }
    func finish() -> Bool { inlet.finish() }
    func cancel() -> Bool { inlet.cancelOnce() }
}

@Suite("Inlet: an operator's connection to an upstream")
struct InletTests {
    @Test("Requests before the subscription are combined into one when it arrives")
    func early() {
        let scene = Scene()
        scene.inlet.request(.max(1))
        scene.inlet.request(.none)
        scene.inlet.request(.max(2))
        expect(scene.fill("a"))
        scene.inlet.request(.max(4))
        expectEqual(scene.log.items, ["a max(3)", "a max(4)"])
        let unasked = Scene()
        expect(unasked.fill("a"))
        expectEqual(unasked.log.items, [])
    }

    @Test("`request` ignores a demand of `.none`, and `pass` passes it on")
    func nothing() {
        let scene = Scene()
        expect(scene.fill("a"))
        scene.inlet.request(.none)
        scene.inlet.pass(.none)
        expectEqual(scene.log.items, ["a max(0)"])
    }

    @Test("A second subscription is cancelled, and so is one that arrives after the end", arguments: [false, true])
    func second(isOpen: Bool) {
        let scene = Scene(isOpen: isOpen)
        expect(scene.fill("a"))
        expect(!scene.fill("b"))
        expect(scene.cancel())
        expect(!scene.fill("c"))
        expectEqual(scene.log.items, ["b cancelled", "a cancelled", "c cancelled"])
        let late = Scene(isOpen: isOpen)
        expect(late.cancel())
        expect(!late.fill("a"))
        expect(late.isEnded)
        expectEqual(late.log.items, ["a cancelled"])
    }

    @Test("An inlet drops values after the end, and before the subscription unless it is open from the beginning")
    func values() {
        let (strict, open) = (Scene(), Scene(isOpen: true))
        expect(strict.isEnded)
        expect(strict.isAwaiting)
        expect(!strict.wasFilled)
        expect(!open.isEnded)
        expect(!open.isAwaiting)
        for scene in [strict, open] {
            expect(!scene.isFilled)
            expect(scene.fill("a"))
            expect(!scene.isEnded)
            expect(!scene.isAwaiting)
            expect(scene.isFilled)
            expect(scene.finish())
            expect(scene.isEnded)
            expect(!scene.isAwaiting)
            expect(scene.wasFilled)
            expect(!scene.isFilled)
        }
    }

    @Test("A completion ends an inlet once and cancels nothing; before the subscription, it ends only an open one")
    func completion() {
        let (strict, open) = (Scene(), Scene(isOpen: true))
        expect(!strict.finish())
        expect(open.finish())
        expect(strict.fill("a"))
        expect(!open.fill("b"))
        expect(strict.finish())
        expect(!strict.finish())
        expect(!strict.cancel())
        strict.inlet.request(.max(1))
        expectEqual(strict.log.items, [])
        expectEqual(open.log.items, ["b cancelled"])
    }

    @Test("A cancellation ends an inlet once")
    func cancellation() {
        let scene = Scene()
        expect(scene.fill("a"))
        expect(scene.cancel())
        expect(!scene.cancel())
        expect(!scene.finish())
        scene.inlet.cancel()
        scene.inlet.request(.max(1))
        expect(!scene.isFilled)
        expectEqual(scene.log.items, ["a cancelled"])
    }

    @Test("An inlet that needs no more values cancels a subscription of this module, and releases a foreign one")
    func retiring() {
        let (scene, foreign) = (Scene(), Scene())
        let probe = Probe<Int, Never>()
        var subscription: ProbeSubscription<Int, Never>? = ProbeSubscription(probe)
        weak let alive = subscription
        expect(scene.fill("a"))
        if let subscription { foreign.inlet.fill(subscription) }
        subscription = nil
        expect(alive != nil)
        for scene in [scene, foreign] { scene.inlet.retire() }
        expectEqual(scene.log.items, ["a cancelled"])
        expectEqual(probe.cancellations, 0)
        expect(alive == nil)
    }
}
