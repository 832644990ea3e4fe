import Streams
import Testing

@Suite("TimerPublisher")
struct TimerPublisherTests {
    let time = VirtualTimeScheduler()
    typealias Time = VirtualTimeScheduler.SchedulerTimeType

    private func at(_ seconds: Int...) -> [Time] { seconds.map { Time(offset: .seconds($0)) } }

    @Test("it ticks while it is connected, exactly, and tells the time")
    func ticks() {
        let timer = TimerPublisher(every: .seconds(2), on: time)
        let recorder = Recorder<Time, Never>()
        timer.subscribe(recorder)
        time.advance(by: Ticks.seconds(9))
        #expect(recorder.values == [])
        #expect(time.pending == 0)
        let connection = timer.connect()
        time.advance(by: Ticks.nanoseconds(1_999_999_999))
        #expect(recorder.values == [])
        time.advance(by: Ticks.nanoseconds(1))
        time.advance(by: Ticks.seconds(5))
        #expect(recorder.values == at(11, 13, 15))
        connection.cancel()
        #expect(time.pending == 0)
        time.advance(by: Ticks.seconds(5))
        #expect(recorder.values == at(11, 13, 15))
        #expect(recorder.completions.isEmpty)
    }

    @Test("each subscriber gets the ticks it has asked for; it misses the others")
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
        #expect(all.values == at(1, 2, 3, 4, 5))
        #expect(two.values == at(1, 2, 4))
        #expect(two.violations == [])
        connection.cancel()
    }

    @Test("connected for its subscribers, it stops when the last has gone, and everything is let go")
    func autoconnect() {
        weak var subscriber: Recorder<Time, Never>?
        do {
            let timer = TimerPublisher(every: .seconds(1), on: time).autoconnect()
            let (a, b) = (Recorder<Time, Never>(), Recorder<Time, Never>())
            subscriber = a
            timer.subscribe(a)
            timer.subscribe(b)
            #expect(time.pending == 1)
            time.advance(by: Ticks.seconds(2))
            a.cancel()
            time.advance(by: Ticks.seconds(1))
            #expect(a.values == at(1, 2))
            #expect(b.values == at(1, 2, 3))
            b.cancel()
            #expect(time.pending == 0)
        }
        #expect(subscriber == nil)
    }

    @Test("a connection stops when it is released")
    func released() {
        let timer = TimerPublisher(every: .seconds(1), on: time)
        var connection: (any Cancellable)? = timer.connect()
        #expect(connection != nil)
        #expect(time.pending == 1)
        connection = nil
        #expect(time.pending == 0)
    }

    @Test("a subscriber may cancel from inside a tick")
    func cancelInside() {
        let timer = TimerPublisher(every: .seconds(1), tolerance: .milliseconds(1), on: time)
        let recorder = Recorder<Time, Never> { recorder, _ in if recorder.values.count == 2 { recorder.cancel() } }
        timer.autoconnect().subscribe(recorder)
        time.advance(by: Ticks.seconds(5))
        #expect(recorder.values == at(1, 2))
        #expect(time.pending == 0)
    }
}
