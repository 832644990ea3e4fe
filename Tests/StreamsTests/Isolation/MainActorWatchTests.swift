import MoonlightTestSupport
import Streams
import Testing

@Suite("A main actor that does not turn", .timeLimit(.minutes(20)))
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

    @Test("when it has begun nothing for three seconds, that is told, with what to do about it")
    func stands() {
        watch.sent()
        pass(2.999)
        #expect(lines.items == [])
        pass(0.001)
        #expect(lines.items.count == 1)
        #expect(lines.items[0].contains("readLine()"))
        #expect(lines.items[0].contains("Await lines and keys instead"))
    }

    @Test("it is told once")
    func once() {
        for _ in 1...5 {
            watch.sent()
            pass(10)
        }
        watch.began()
        watch.sent()
        pass(10)
        #expect(lines.items.count == 1)
        #expect(time.pending == 0)
    }

    @Test("of one that is busy for a moment nothing is told, and when nothing waits nobody looks")
    func busy() {
        for pause in [0, 0.5, 1.9, 2.1, 2.9] as [TimeStride] {
            for _ in 1...3 { watch.sent() }
            pass(pause)
            for _ in 1...3 { watch.began() }
            pass(10)
            #expect(time.pending == 0)
        }
        #expect(lines.items == [])
    }

    @Test("of one that is slow, but turns, nothing is told")
    func slow() {
        watch.sent()
        for _ in 1...20 {
            watch.sent()
            pass(1.4)
            watch.began()
        }
        #expect(lines.items == [])
        watch.began()
        pass(10)
        #expect(lines.items == [])
        #expect(time.pending == 0)
    }

    @Test("one that has turned, and then turns no more, is told of within five seconds")
    func later() {
        watch.sent()
        pass(1)
        watch.began()
        watch.sent()
        pass(3.999)
        #expect(lines.items == [])
        pass(0.001)
        #expect(lines.items.count == 1)
    }

    @Test("one that was busy for a moment, and much later begins nothing, is told of")
    func laterAgain() {
        watch.sent()
        watch.began()
        pass(100)
        watch.sent()
        pass(2.999)
        #expect(lines.items == [])
        pass(0.001)
        #expect(lines.items.count == 1)
    }

    @Test("a look is taken once for all that waits")
    func oneLook() {
        for _ in 1...1000 { watch.sent() }
        #expect(time.pending == 1)
    }

    @MainActor
    @Test("what others send to a sink of the main actor is watched, until the actor turns")
    func sink() async {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        let cancellable = subject.sink { seen.append($0) }
        await MainActorWatch.$current.withValue(watch) {
            send(1, 2, to: subject)
            pass(3)
            #expect(seen == [])
            #expect(lines.items.count == 1)
            await Task { @MainActor in }.value
            #expect(seen == [1, 2])
        }
        cancellable.cancel()
    }

    @MainActor
    @Test("what a sink of the main actor gets in time is not told of")
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
        #expect(seen == [1, 1, 2, 2, 3, 3])
        #expect(lines.items == [])
        #expect(time.pending == 0)
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
