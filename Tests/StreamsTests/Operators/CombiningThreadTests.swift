import Dispatch
import MoonlightTestSupport
import Streams
import Testing

@Suite("Contract, rule 7: two upstreams on different threads")
struct CombiningThreadTests {
    static let count = Budget.size(5_000, quick: 1_000)

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

    @Test("`zip` pairs all values of two threads in order, one row at a time")
    func zip() {
        let (a, b) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
        let recorder = Recorder<[Int], Oops>()
        a.zip(b) { [$0, $1] }.subscribe(recorder)
        send(a, b)
        let isRight = recorder.values == (1...Self.count).map { [$0, $0] }
        expect(isRight)
        expectEqual(recorder.violations, [])
    }

    @Test("`combineLatest` of two threads never sends an older value, and ends with the last value of both")
    func combineLatest() {
        let (a, b) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
        let recorder = Recorder<[Int], Oops>()
        a.combineLatest(b) { [$0, $1] }.subscribe(recorder)
        send(a, b)
        let rows = recorder.values
        let isRising = Swift.zip(rows, rows.dropFirst()).allSatisfy { $0[0] <= $1[0] && $0[1] <= $1[1] }
        expect(isRising)
        expectEqual(rows.last, [Self.count, Self.count])
        expectEqual(recorder.violations, [])
    }

    @Test("`withLatestFrom` sends one row for each value of one thread once the other has sent a value")
    func withLatestFrom() {
        let (a, b) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
        let recorder = Recorder<[Int], Oops>()
        a.withLatestFrom(b) { [$0, $1] }.subscribe(recorder)
        b.send(0)
        send(a, b)
        expectEqual(recorder.values.map { $0[0] }, Array(1...Self.count))
        expectEqual(recorder.violations, [])
    }

    @Test("`switchToLatest` sends no value of an earlier publisher after a value of the next one")
    func switchToLatest() {
        let outer = PassthroughSubject<Int, Oops>()
        let inner = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<[Int], Oops>()
        outer.map { number in inner.map { [number, $0] } }.switchToLatest().subscribe(recorder)
        send(outer, inner)
        let isRising = Swift.zip(recorder.values, recorder.values.dropFirst()).allSatisfy { $0[0] <= $1[0] }
        expect(isRising)
        expectEqual(recorder.violations, [])
    }

    @Test("`prefix(untilOutputFrom:)` ends and `drop(untilOutputFrom:)` begins at one value, whichever thread is first")
    func gates() {
        for _ in 0..<Budget.rounds(200, least: 40) {
            let (a, b) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
            let (prefix, drop) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
            a.prefix(untilOutputFrom: b).subscribe(prefix)
            a.drop(untilOutputFrom: b).subscribe(drop)
            onThreads(2) { thread in
                if thread == 0 { for value in 0..<50 { a.send(value) } } else { b.send(1) }
            }
            expect(prefix.isFinished)
            expectEqual(prefix.values, Array(0..<prefix.values.count))
            expectEqual(drop.values, Array((50 - drop.values.count)..<50))
            expectEqual(prefix.violations + drop.violations, [])
        }
    }

    @Test("Operators that a third thread cancels send nothing afterwards, and release everything")
    func cancelled() {
        for _ in 0..<Budget.rounds(50, least: 10) {
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
            expectEqual(recorders.map(\.values.count), seen)
            expectEqual(recorders.flatMap(\.violations), [])
            expect(token == nil)
        }
    }
}
