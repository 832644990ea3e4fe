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

    @Test("Strides of the immediate scheduler are counts, and all strides of time are zero")
    func strides() {
        typealias Stride = ImmediateScheduler.SchedulerTimeType.Stride
        expectEqual(Stride.seconds(2), 0)
        expectEqual(Stride.seconds(0.5), 0)
        expectEqual(Stride.milliseconds(1), 0)
        var product = Stride(2)
        product *= 3
        expectEqual(product, 6)
        expectEqual(Stride(2) + 3.7, 5)
        expectEqual(Stride(2) - 3, -1)
        expectEqual(Stride(2) * 3, 6)
        expect(Stride(1) < 2)
        expect(!(Stride(2) < 2))
        expectEqual(Stride(exactly: 7), 7)
        expect(Stride(exactly: UInt64.max) == nil)
        expectEqual((-Stride(4)).magnitude, -4)
    }
}
