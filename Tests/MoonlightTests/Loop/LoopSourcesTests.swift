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
}
