import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

@Suite("Subscriptions of a loop")
struct LoopSourcesTests {
    private final class Source: Cancellable, Sendable { func cancel() {} }

    @Test("A free slot is reused, so that there are no more slots than simultaneous subscriptions")
    func places() {
        var sources = LoopSources()
        expectEqual((0..<3).map { _ in sources.add(Source()) }, [0, 1, 2])
        sources.remove(at: 1)
        expectEqual(sources.add(Source()), 1)
        expectEqual(sources.add(Source()), 3)
        expectEqual(sources.close().count, 4)
        expect(sources.add(Source()) == nil)
    }

    @Test("The slots of a burst of subscriptions are released when all have ended")
    func burst() {
        var sources = LoopSources()
        for _ in 0..<100 { _ = sources.add(Source()) }
        for place in 0..<100 { sources.remove(at: place) }
        expectEqual(sources.members?.count, 0)
        expectEqual(sources.add(Source()), 0)
    }

    @Test(
        "Up to 64 free slots are kept; more are released, but only when the last subscription has ended",
        arguments: [(64, 64), (65, 0)])
    func threshold(count: Int, left: Int) {
        var sources = LoopSources()
        for _ in 0..<count { _ = sources.add(Source()) }
        for place in 1..<count { sources.remove(at: place) }
        expectEqual(sources.members?.count, count)
        sources.remove(at: 0)
        expectEqual(sources.members?.count, left)
        expectEqual(sources.free.count, left)
    }
}
