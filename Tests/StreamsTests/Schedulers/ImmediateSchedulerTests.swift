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
}
