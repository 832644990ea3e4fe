import Testing

@testable import Moonlight

@Suite("The subscriptions of a loop")
struct LoopSourcesTests {
    private final class Source: LoopSource { func cancel() {} }

    @Test("a place that was left is used again, and no more are made than there are subscriptions at a time")
    func places() {
        var sources = LoopSources()
        #expect((0..<3).map { _ in sources.add(Source()) } == [0, 1, 2])
        sources.remove(at: 1)
        #expect(sources.add(Source()) == 1)
        #expect(sources.add(Source()) == 3)
        #expect(sources.close().count == 4)
        #expect(sources.add(Source()) == nil)
    }

    @Test("when all have left after a burst, their places are let go of")
    func burst() {
        var sources = LoopSources()
        for _ in 0..<100 { _ = sources.add(Source()) }
        for place in 0..<100 { sources.remove(at: place) }
        #expect(sources.members?.count == 0)
        #expect(sources.add(Source()) == 0)
    }

    @Test("the places of a few are kept, and so are those of many as long as one is taken", arguments: [(64, 64), (65, 0)])
    func threshold(count: Int, left: Int) {
        var sources = LoopSources()
        for _ in 0..<count { _ = sources.add(Source()) }
        for place in 1..<count { sources.remove(at: place) }
        #expect(sources.members?.count == count)
        sources.remove(at: 0)
        #expect(sources.members?.count == left)
        #expect(sources.free.count == left)
    }
}
