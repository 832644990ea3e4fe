import MoonlightTestSupport
import Streams
import Testing

@Suite("ImmediateScheduler")
struct ImmediateSchedulerTests {
    @Test("The immediate scheduler runs everything at once, and a repeating closure once")
    func atOnce() {
        let scheduler = ImmediateScheduler.shared
        let log = Log<Int>()
        scheduler.schedule { log.append(1) }
        scheduler.schedule(after: scheduler.now.advanced(by: .seconds(9))) { log.append(2) }
        let timer = scheduler.schedule(after: scheduler.now, interval: .seconds(1)) { log.append(3) }
        expectEqual(log.items, [1, 2, 3])
        timer.cancel()
    }

    @Test("The time of the immediate scheduler does not change")
    func time() {
        let now = ImmediateScheduler.shared.now
        expectEqual(now.advanced(by: .seconds(5)), now)
        expectEqual(now.distance(to: now), 0)
        expectEqual(ImmediateScheduler.shared.minimumTolerance, 0)
    }
}
