import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Programs: the rate of frames")
struct FrameLimitTests {
    private let start = ContinuousClock.now

    @Test("A few frames are made at once, and then one in each interval")
    func flood() {
        var limit = FrameLimit()
        for _ in 0..<FrameLimit.atOnce { expect(limit.wait(at: start) == nil) }
        expectEqual(limit.wait(at: start), .milliseconds(8))
        expectEqual(limit.wait(at: start + .milliseconds(5)), .milliseconds(3))
        expect(limit.wait(at: start + .milliseconds(8)) == nil)
        expectEqual(limit.wait(at: start + .milliseconds(9)), .milliseconds(7))
    }

    @Test("A few frames are made at once again after a rest, and no more than that")
    func rest() {
        var limit = FrameLimit()
        for _ in 0..<FrameLimit.atOnce { expect(limit.wait(at: start) == nil) }
        let later = start + .seconds(60)
        for _ in 0..<FrameLimit.atOnce { expect(limit.wait(at: later) == nil) }
        expectEqual(limit.wait(at: later), .milliseconds(8))
    }

    @Test("A flood of a second makes about one frame in each interval")
    func second() {
        var limit = FrameLimit()
        let frames = (0..<10_000).count { limit.wait(at: start + .microseconds($0 * 100)) == nil }
        expect((124...130).contains(frames))
    }

    @Test("Frames that are made at once for keys count towards the limit, but not for long")
    func keys() {
        var limit = FrameLimit()
        expect(limit.wait(at: start) == nil)
        for _ in 0..<10 { limit.count() }
        expectEqual(limit.wait(at: start + .milliseconds(1)), .milliseconds(7))
        expect(limit.wait(at: start + .milliseconds(8)) == nil)
    }
}
