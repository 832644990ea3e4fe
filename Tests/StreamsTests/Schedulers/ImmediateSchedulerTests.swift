import Streams
import Testing

@Suite("ImmediateScheduler")
struct ImmediateSchedulerTests {
    @Test("it runs everything at once, a repeating closure once")
    func atOnce() {
        let scheduler = ImmediateScheduler.shared
        let log = Log<Int>()
        scheduler.schedule { log.append(1) }
        scheduler.schedule(after: scheduler.now.advanced(by: .seconds(9))) { log.append(2) }
        let timer = scheduler.schedule(after: scheduler.now, interval: .seconds(1)) { log.append(3) }
        #expect(log.items == [1, 2, 3])
        timer.cancel()
    }

    @Test("its time stands still")
    func time() {
        let now = ImmediateScheduler.shared.now
        #expect(now.advanced(by: .seconds(5)) == now)
        #expect(now.distance(to: now) == 0)
        #expect(ImmediateScheduler.shared.minimumTolerance == 0)
    }

    @Test("its spans are counts, and all spans of time are zero")
    func strides() {
        typealias Stride = ImmediateScheduler.SchedulerTimeType.Stride
        #expect(Stride.seconds(2) == 0)
        #expect(Stride.seconds(0.5) == 0)
        #expect(Stride.milliseconds(1) == 0)
        var product = Stride(2)
        product *= 3
        #expect(product == 6)
        #expect(Stride(2) + 3.7 == 5)
        #expect(Stride(2) - 3 == -1)
        #expect(Stride(2) * 3 == 6)
        #expect(Stride(1) < 2)
        #expect(!(Stride(2) < 2))
        #expect(Stride(exactly: 7) == 7)
        #expect(Stride(exactly: UInt64.max) == nil)
        #expect((-Stride(4)).magnitude == -4)
    }
}
