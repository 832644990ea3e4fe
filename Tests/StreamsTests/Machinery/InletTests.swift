import Testing

@testable import Streams

/// A subscription that notes what is asked of it.
private final class Noting: SubscriptionCore, @unchecked Sendable {
    // Sound: the log guards itself.
    let log: Log<String>
    let name: String

    init(_ name: String, in log: Log<String>) { (self.name, self.log) = (name, log) }

    override func request(_ demand: Subscribers.Demand) { log.append("\(name) \(demand)") }
    override func cancel() { log.append("\(name) cancelled") }
}

/// An inlet with a log of what its subscriptions are asked. As an object, since expectations copy what they look at.
private final class Scene {
    let inlet: Inlet
    let log = Log<String>()

    init(isOpen: Bool = false) { inlet = Inlet(isOpen: isOpen) }

    var isEnded: Bool { inlet.isEnded }
    var isAwaiting: Bool { inlet.isAwaiting }
    var wasFilled: Bool { inlet.wasFilled }
    func fill(_ name: String) -> Bool { inlet.fill(Noting(name, in: log)) }
    func finish() -> Bool { inlet.finish() }
    func cancel() -> Bool { inlet.cancel() }
}

/// The upstreams of an operator, as an object.
private final class Sources {
    private let sources = FanInSources()
    var members: [FanInSourceCore?] { sources.members }
    subscript(place: Int) -> FanInSourceCore? { sources[place] }
    func admit(_ source: FanInSourceCore) -> Bool { sources.admit(source) }
    func forget(_ source: FanInSourceCore) { sources.forget(source) }
    func close() { sources.close() }
}

@Suite("What an operator keeps of an upstream")
struct InletTests {
    @Test("what is requested before the subscription is requested when that comes, at once")
    func early() {
        let scene = Scene()
        scene.inlet.request(.max(1))
        scene.inlet.request(.none)
        scene.inlet.request(.max(2))
        #expect(scene.fill("a"))
        scene.inlet.request(.max(4))
        #expect(scene.log.items == ["a max(3)", "a max(4)"])
        let unasked = Scene()
        #expect(unasked.fill("a"))
        #expect(unasked.log.items == [])
    }

    @Test("a request of nothing is passed on only where the source is to decide what it means")
    func nothing() {
        let scene = Scene()
        #expect(scene.fill("a"))
        scene.inlet.request(.none)
        scene.inlet.pass(.none)
        #expect(scene.log.items == ["a max(0)"])
    }

    @Test("a second subscription is cancelled, and so is one that comes after the end", arguments: [false, true])
    func second(isOpen: Bool) {
        let scene = Scene(isOpen: isOpen)
        #expect(scene.fill("a"))
        #expect(!scene.fill("b"))
        #expect(scene.cancel())
        #expect(!scene.fill("c"))
        #expect(scene.log.items == ["b cancelled", "a cancelled", "c cancelled"])
        let late = Scene(isOpen: isOpen)
        #expect(late.cancel())
        #expect(!late.fill("a"))
        #expect(late.isEnded)
        #expect(late.log.items == ["a cancelled"])
    }

    @Test("values are dropped after the end, and before the subscription unless it was open from the beginning")
    func values() {
        let (strict, open) = (Scene(), Scene(isOpen: true))
        #expect(strict.isEnded)
        #expect(strict.isAwaiting)
        #expect(!strict.wasFilled)
        #expect(!open.isEnded)
        #expect(!open.isAwaiting)
        for scene in [strict, open] {
            #expect(scene.fill("a"))
            #expect(!scene.isEnded)
            #expect(!scene.isAwaiting)
            #expect(scene.finish())
            #expect(scene.isEnded)
            #expect(!scene.isAwaiting)
            #expect(scene.wasFilled)
        }
    }

    @Test("a completion ends it once, and cancels nothing; before the subscription only one that was open")
    func completion() {
        let (strict, open) = (Scene(), Scene(isOpen: true))
        #expect(!strict.finish())
        #expect(open.finish())
        #expect(strict.fill("a"))
        #expect(!open.fill("b"))
        #expect(strict.finish())
        #expect(!strict.finish())
        #expect(!strict.cancel())
        strict.inlet.request(.max(1))
        #expect(strict.log.items == [])
        #expect(open.log.items == ["b cancelled"])
    }

    @Test("a cancellation ends it once")
    func cancellation() {
        let scene = Scene()
        #expect(scene.fill("a"))
        #expect(scene.cancel())
        #expect(!scene.cancel())
        #expect(!scene.finish())
        scene.inlet.request(.max(1))
        #expect(scene.log.items == ["a cancelled"])
    }

    @Test("when all that is wanted has been sent, a subscription of this module is cancelled, and any other is released")
    func retiring() {
        let (scene, foreign) = (Scene(), Scene())
        let probe = Probe<Int, Never>()
        var subscription: ProbeSubscription<Int, Never>? = ProbeSubscription(probe)
        weak let alive = subscription
        #expect(scene.fill("a"))
        if let subscription { foreign.inlet.fill(subscription) }
        subscription = nil
        #expect(alive != nil)
        for inlet in [scene, foreign] {
            inlet.inlet.retire()
        }
        #expect(scene.log.items == ["a cancelled"])
        #expect(probe.cancellations == 0)
        #expect(alive == nil)
    }
}

@Suite("The upstreams of an operator that has several")
struct FanInSourcesTests {
    /// A source whose subscription notes what is asked of it.
    private func source(_ name: String, in log: Log<String>) -> FanInSourceCore {
        let source = FanInSourceCore(isAsked: true, isStrict: false)
        source.inlet.fill(Noting(name, in: log))
        return source
    }

    @Test("each has a place until it is forgotten; the place is then another's")
    func places() {
        let (sources, log) = (Sources(), Log<String>())
        let all = ["a", "b", "c", "d"].map { source($0, in: log) }
        for source in all.prefix(3) { #expect(sources.admit(source)) }
        #expect(all.map(\.place) == [0, 1, 2, -1])
        sources.forget(all[1])
        // Once is enough.
        sources.forget(all[1])
        sources.forget(all[3])
        #expect(sources.members.map { $0 === all[0] || $0 === all[2] } == [true, false, true])
        #expect(sources[1] == nil)
        #expect(sources.admit(all[3]))
        #expect(all.map(\.place) == [0, -1, 2, 1])
        #expect(sources[1] === all[3])
        #expect(sources.admit(all[1]))
        #expect(sources.members.count == 4)
    }

    @Test("the first may be forgotten like any other")
    func forgetsTheFirst() {
        let (sources, log) = (Sources(), Log<String>())
        let only = source("a", in: log)
        #expect(sources.admit(only))
        sources.forget(only)
        #expect(sources[0] == nil)
        #expect(only.place == -1)
    }

    @Test("at the end all are cancelled, the last first, and none is kept or taken any more")
    func end() {
        let (sources, log) = (Sources(), Log<String>())
        let all = ["a", "b", "c"].map { source($0, in: log) }
        for source in all { #expect(sources.admit(source)) }
        sources.forget(all[1])
        sources.close()
        #expect(log.items == ["c cancelled", "a cancelled"])
        #expect(sources.members.isEmpty)
        #expect(sources[0] == nil)
        sources.forget(all[0])
        let late = source("d", in: log)
        #expect(!sources.admit(late))
        sources.close()
        #expect(log.items == ["c cancelled", "a cancelled"])
    }
}

@Suite("Where a sink keeps its subscription")
struct SubscriptionSlotTests {
    @Test("it is filled once, and cancels what comes besides")
    func filled() {
        let (slot, log) = (SubscriptionSlot(), Log<String>())
        #expect(!slot.isFilled)
        #expect(!slot.isEnded)
        #expect(slot.fill(Noting("a", in: log)))
        #expect(slot.isFilled)
        #expect(!slot.isEnded)
        #expect(!slot.fill(Noting("b", in: log)))
        #expect(log.items == ["b cancelled"])
        slot.cancel()
        slot.cancel()
        #expect(!slot.fill(Noting("c", in: log)))
        #expect(log.items == ["b cancelled", "a cancelled", "c cancelled"])
    }

    @Test("it ends once, by a completion, which cancels nothing, or by a cancellation", arguments: [false, true])
    func ended(isFilled: Bool) {
        let (log, finished, cancelled) = (Log<String>(), SubscriptionSlot(), SubscriptionSlot())
        if isFilled { for (slot, name) in [(finished, "a"), (cancelled, "b")] { #expect(slot.fill(Noting(name, in: log))) } }
        #expect(finished.finish())
        #expect(!finished.finish())
        finished.cancel()
        cancelled.cancel()
        #expect(!cancelled.finish())
        #expect(log.items == (isFilled ? ["b cancelled"] : []))
        for slot in [finished, cancelled] {
            #expect(slot.isEnded)
            #expect(!slot.isFilled)
        }
    }
}
