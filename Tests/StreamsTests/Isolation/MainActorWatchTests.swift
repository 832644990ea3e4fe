import MoonlightTestSupport
import Streams
import Testing

@Suite("The warning about a blocked main actor")
struct MainActorWatchTests {
    private let time = VirtualTimeScheduler()
    private let lines = Log<String>()
    private let watch: MainActorWatch

    init() {
        let (time, lines) = (time, lines)
        watch = MainActorWatch(
            later: { seconds, look in time.schedule(after: time.now.advanced(by: .seconds(seconds)), look) },
            tell: { lines.append($0) })
    }

    private func pass(_ seconds: TimeStride) { time.advance(by: seconds) }

    @Test("A main actor that has begun nothing for three seconds is reported, with advice")
    func stands() {
        watch.sent()
        pass(2.999)
        expectEqual(lines.items, [])
        pass(0.001)
        expectEqual(lines.items.count, 1)
        expect(lines.items[0].contains("readLine()"))
        expect(lines.items[0].contains("Await lines and keys instead"))
    }

    @Test("A blocked main actor is reported once")
    func once() {
        for _ in 1...5 {
            watch.sent()
            pass(10)
        }
        watch.began()
        watch.sent()
        pass(10)
        expectEqual(lines.items.count, 1)
        expectEqual(time.pending, 0)
    }

    @Test("A main actor that is busy for less than three seconds is not reported, and nothing is watched while nothing waits")
    func busy() {
        for pause in [0, 0.5, 1.9, 2.1, 2.9] as [TimeStride] {
            for _ in 1...3 { watch.sent() }
            pass(pause)
            for _ in 1...3 { watch.began() }
            pass(10)
            expectEqual(time.pending, 0)
        }
        expectEqual(lines.items, [])
    }

    @Test("A main actor that is slow, but goes on, is not reported")
    func slow() {
        watch.sent()
        for _ in 1...20 {
            watch.sent()
            pass(1.4)
            watch.began()
        }
        expectEqual(lines.items, [])
        watch.began()
        pass(10)
        expectEqual(lines.items, [])
        expectEqual(time.pending, 0)
    }

    @Test("A main actor that blocks after it has begun something is reported within five seconds")
    func later() {
        watch.sent()
        pass(1)
        watch.began()
        watch.sent()
        pass(3.999)
        expectEqual(lines.items, [])
        pass(0.001)
        expectEqual(lines.items.count, 1)
    }

    @Test("A main actor that blocks long after it was busy is reported")
    func laterAgain() {
        watch.sent()
        watch.began()
        pass(100)
        watch.sent()
        pass(2.999)
        expectEqual(lines.items, [])
        pass(0.001)
        expectEqual(lines.items.count, 1)
    }

    @Test("One timer watches everything that waits")
    func oneLook() {
        for _ in 1...1000 { watch.sent() }
        expectEqual(time.pending, 1)
    }

    @MainActor
    @Test("Values that another thread sends to a sink of the main actor are watched until the actor goes on")
    func sink() async {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        let cancellable = subject.sink { seen.append($0) }
        await MainActorWatch.$current.withValue(watch) {
            send(1, 2, to: subject)
            pass(3)
            expectEqual(seen, [])
            expectEqual(lines.items.count, 1)
            await Task { @MainActor in }.value
            expectEqual(seen, [1, 2])
        }
        cancellable.cancel()
    }

    @MainActor
    @Test("Values that a sink of the main actor gets in time are not reported")
    func sinkInTime() async {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        let cancellable = subject.sink { seen.append($0) }
        await MainActorWatch.$current.withValue(watch) {
            for number in 1...3 {
                send(number, number, to: subject)
                await Task { @MainActor in }.value
                pass(2)
            }
        }
        pass(10)
        expectEqual(seen, [1, 1, 2, 2, 3, 3])
        expectEqual(lines.items, [])
        expectEqual(time.pending, 0)
        cancellable.cancel()
    }

    @MainActor
    private func send(_ first: Int, _ second: Int, to subject: PassthroughSubject<Int, Never>) {
        blockMainThread {
            subject.send(first)
            subject.send(second)
        }
    }
}
