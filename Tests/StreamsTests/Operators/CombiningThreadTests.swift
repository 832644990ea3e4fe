import Dispatch
import MoonlightTestSupport
import Streams
import Testing

@Suite("Rule 7: two upstreams on different threads", .timeLimit(.minutes(20)))
struct CombiningThreadTests {
    static let count = 5_000

    /// Sends on two threads at once.
    private func send(
        _ a: PassthroughSubject<Int, Oops>, _ b: PassthroughSubject<Int, Oops>,
        _ third: @escaping @Sendable () -> Void = {}
    ) {
        onThreads(3) { thread in
            if thread == 2 { return third() }
            for value in 1...Self.count { (thread == 0 ? a : b).send(value) }
        }
    }

    @Test("zip pairs all values, in order, one at a time")
    func zip() {
        let (a, b) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
        let recorder = Recorder<[Int], Oops>()
        a.zip(b) { [$0, $1] }.subscribe(recorder)
        send(a, b)
        let isRight = recorder.values == (1...Self.count).map { [$0, $0] }
        #expect(isRight)
        #expect(recorder.violations == [])
    }

    @Test("combineLatest never goes back, and ends with the last of both")
    func combineLatest() {
        let (a, b) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
        let recorder = Recorder<[Int], Oops>()
        a.combineLatest(b) { [$0, $1] }.subscribe(recorder)
        send(a, b)
        let rows = recorder.values
        let isRising = Swift.zip(rows, rows.dropFirst()).allSatisfy { $0[0] <= $1[0] && $0[1] <= $1[1] }
        #expect(isRising)
        #expect(rows.last == [Self.count, Self.count])
        #expect(recorder.violations == [])
    }

    @Test("withLatestFrom sends one for each value once the other has one")
    func withLatestFrom() {
        let (a, b) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
        let recorder = Recorder<[Int], Oops>()
        a.withLatestFrom(b) { [$0, $1] }.subscribe(recorder)
        b.send(0)
        send(a, b)
        #expect(recorder.values.map { $0[0] } == Array(1...Self.count))
        #expect(recorder.violations == [])
    }

    @Test("a switch delivers nothing of a publisher that was left after one of the next")
    func switchToLatest() {
        let outer = PassthroughSubject<Int, Oops>()
        let inner = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<[Int], Oops>()
        outer.map { number in inner.map { [number, $0] } }.switchToLatest().subscribe(recorder)
        send(outer, inner)
        let isRising = Swift.zip(recorder.values, recorder.values.dropFirst()).allSatisfy { $0[0] <= $1[0] }
        #expect(isRising)
        #expect(recorder.violations == [])
    }

    @Test("prefix and drop change over once, with a value or its end in one piece")
    func gates() {
        for _ in 0..<200 {
            let (a, b) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
            let (prefix, drop) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
            a.prefix(untilOutputFrom: b).subscribe(prefix)
            a.drop(untilOutputFrom: b).subscribe(drop)
            onThreads(2) { thread in
                if thread == 0 { for value in 0..<50 { a.send(value) } } else { b.send(1) }
            }
            #expect(prefix.isFinished)
            #expect(prefix.values == Array(0..<prefix.values.count))
            #expect(drop.values == Array((50 - drop.values.count)..<50))
            #expect(prefix.violations + drop.violations == [])
        }
    }

    @Test("cancelled by a third thread, nothing comes after that, and everything is let go")
    func cancelled() {
        for _ in 0..<50 {
            let (a, b) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
            weak var token: Token?
            let recorders = (0..<5).map { _ in Recorder<Int, Oops>() }
            do {
                let captured = Token()
                token = captured
                a.zip(b) { captured.pass($0 + $1) }.subscribe(recorders[0])
                a.combineLatest(b) { captured.pass($0 + $1) }.subscribe(recorders[1])
                a.flatMapLatest { captured.pass(b.prefix($0)) }.subscribe(recorders[2])
                a.withLatestFrom(b) { captured.pass($0 + $1) }.subscribe(recorders[3])
                a.map { captured.pass($0) }.merge(with: b).prefix(untilOutputFrom: Empty<Int, Never>()).subscribe(
                    recorders[4])
            }
            onThreads(3) { thread in
                if thread == 2 {
                    for recorder in recorders { recorder.cancel() }
                    return
                }
                for value in 1...200 { (thread == 0 ? a : b).send(value) }
            }
            let seen = recorders.map(\.values.count)
            a.send(1)
            b.send(1)
            #expect(recorders.map(\.values.count) == seen)
            #expect(recorders.flatMap(\.violations) == [])
            #expect(token == nil)
        }
    }
}
