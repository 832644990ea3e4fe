import MoonlightTestSupport
import Streams
import Testing

@Suite("TimerPublisher")
struct TimerPublisherTests {
    let time = VirtualTimeScheduler()
    typealias Time = VirtualTimeScheduler.SchedulerTimeType

    private func at(_ seconds: Int...) -> [Time] { seconds.map { Time(offset: .seconds($0)) } }

    @Test("A timer publisher sends the time at each interval while it is connected")
    func ticks() {
        let timer = TimerPublisher(every: .seconds(2), on: time)
        let recorder = Recorder<Time, Never>()
        timer.subscribe(recorder)
        time.advance(by: Ticks.seconds(9))
        expectEqual(recorder.values, [])
        expectEqual(time.pending, 0)
        let connection = timer.connect()
        time.advance(by: Ticks.nanoseconds(1_999_999_999))
        expectEqual(recorder.values, [])
        time.advance(by: Ticks.nanoseconds(1))
        time.advance(by: Ticks.seconds(5))
        expectEqual(recorder.values, at(11, 13, 15))
        connection.cancel()
        expectEqual(time.pending, 0)
        time.advance(by: Ticks.seconds(5))
        expectEqual(recorder.values, at(11, 13, 15))
        expect(recorder.completions.isEmpty)
    }

    @Test("Each subscriber of a timer receives the ticks that it has requested, and misses the others")
    func demand() {
        let timer = TimerPublisher(every: .seconds(1), on: time)
        let all = Recorder<Time, Never>()
        let two = Recorder<Time, Never>(
            Appetite(description: "", atStart: [.max(1)], returned: [.max(1)], later: [.max(1)]))
        timer.subscribe(all)
        timer.subscribe(two)
        let connection = timer.connect()
        time.advance(by: Ticks.seconds(3))
        two.requestLater()
        time.advance(by: Ticks.seconds(2))
        expectEqual(all.values, at(1, 2, 3, 4, 5))
        expectEqual(two.values, at(1, 2, 4))
        expectEqual(two.violations, [])
        connection.cancel()
    }

    @Test("A timer with `autoconnect` stops when its last subscriber cancels, and releases everything")
    func autoconnect() {
        weak var subscriber: Recorder<Time, Never>?
        do {
            let timer = TimerPublisher(every: .seconds(1), on: time).autoconnect()
            let (a, b) = (Recorder<Time, Never>(), Recorder<Time, Never>())
            subscriber = a
            timer.subscribe(a)
            timer.subscribe(b)
            expectEqual(time.pending, 1)
            time.advance(by: Ticks.seconds(2))
            a.cancel()
            time.advance(by: Ticks.seconds(1))
            expectEqual(a.values, at(1, 2))
            expectEqual(b.values, at(1, 2, 3))
            b.cancel()
            expectEqual(time.pending, 0)
        }
        expect(subscriber == nil)
    }

    @Test("A timer stops when its connection is released")
    func released() {
        let timer = TimerPublisher(every: .seconds(1), on: time)
        var connection: (any Cancellable)? = timer.connect()
        expect(connection != nil)
        expectEqual(time.pending, 1)
        connection = nil
        expectEqual(time.pending, 0)
    }

    @Test("A subscriber of a timer can cancel during a tick")
    func cancelInside() {
        let timer = TimerPublisher(every: .seconds(1), tolerance: .milliseconds(1), on: time)
        let recorder = Recorder<Time, Never> { recorder, _ in if recorder.values.count == 2 { recorder.cancel() } }
        timer.autoconnect().subscribe(recorder)
        time.advance(by: Ticks.seconds(5))
        expectEqual(recorder.values, at(1, 2))
        expectEqual(time.pending, 0)
    }
}
