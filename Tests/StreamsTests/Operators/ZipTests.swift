import MoonlightTestSupport
import Streams
import Testing

@Suite("Operator `zip`")
struct ZipTests {
    /// Zips a number of the subjects into lists.
    private func zipped(_ count: Int, of s: [PassthroughSubject<Int, Oops>]) -> AnyPublisher<[Int], Oops> {
        switch count {
        case 2: s[0].zip(s[1]).map { [$0.0, $0.1] }.eraseToAnyPublisher()
        case 3: s[0].zip(s[1], s[2]).map { [$0.0, $0.1, $0.2] }.eraseToAnyPublisher()
        default: s[0].zip(s[1], s[2], s[3]).map { [$0.0, $0.1, $0.2, $0.3] }.eraseToAnyPublisher()
        }
    }

    @Test("`zip` sends a row when each upstream has sent a value for it", arguments: 2...4)
    func rows(count: Int) {
        let subjects = (0..<4).map { _ in PassthroughSubject<Int, Oops>() }
        let recorder = Recorder<[Int], Oops>()
        zipped(count, of: subjects).subscribe(recorder)
        for index in (0..<count).reversed() {
            subjects[index].send(index)
            subjects[index].send(index + 10)
            expect(recorder.values.count == (index == 0 ? 2 : 0))
        }
        expectEqual(recorder.values, [Array(0..<count), Array(10..<10 + count)])
    }

    @Test("A subscriber of `zip` that cancels during its last row receives no completion")
    func cancelledOnLastRow() {
        let (left, right) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
        let recorder = Recorder<(Int, Int), Oops> { recorder, _ in recorder.cancel() }
        left.zip(right).subscribe(recorder)
        left.send(1)
        left.send(completion: .finished)
        right.send(2)
        expectEqual(recorder.values.map { [$0.0, $0.1] }, [[1, 2]])
        expect(recorder.completions.isEmpty)
    }

    @Test("`zip` finishes when an upstream has finished and its values are used up", arguments: 2...4)
    func finishes(count: Int) {
        for finisher in 0..<count {
            let subjects = (0..<4).map { _ in PassthroughSubject<Int, Oops>() }
            let recorder = Recorder<[Int], Oops>()
            zipped(count, of: subjects).subscribe(recorder)
            subjects[finisher].send(5)
            subjects[finisher].send(completion: .finished)
            expectEqual(recorder.completions, [])
            for index in 0..<count where index != finisher { subjects[index].send(5) }
            expectEqual(recorder.values, [Array(repeating: 5, count: count)])
            expect(recorder.isFinished)
        }
    }

    @Test("`zip` with a closure sends the closure's results")
    func transforms() {
        let (a, b, c, d) = ([1, 2].publisher, ["x", "y"].publisher, [true, false].publisher, [0.5, 1].publisher)
        let (two, three, four) = (Recorder<String, Never>(), Recorder<String, Never>(), Recorder<String, Never>())
        a.zip(b) { "\($0)\($1)" }.subscribe(two)
        a.zip(b, c) { "\($0)\($1)\($2)" }.subscribe(three)
        a.zip(b, c, d) { "\($0)\($1)\($2)\($3)" }.subscribe(four)
        expectEqual(two.values, ["1x", "2y"])
        expectEqual(three.values, ["1xtrue", "2yfalse"])
        expectEqual(four.values, ["1xtrue0.5", "2yfalse1.0"])
    }

    @Test("`zip` requests the subscriber's demand of each upstream, including demand returned for a row")
    func demand() {
        let (a, b) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<[Int], Oops>(
            Appetite(description: "", atStart: [.max(2)], returned: [.max(3)], later: [.max(4)]))
        a.zip(b) { [$0, $1] }.subscribe(recorder)
        expectEqual(a.requests, [.max(2)])
        expectEqual(b.requests, [.max(2)])
        a.send(1)
        b.send(2)
        expectEqual(a.requests, [.max(2), .max(3)])
        expectEqual(a.demand, .max(4))
        expectEqual(b.requests, [.max(2)])
        expectEqual(b.demand, .max(4))
        recorder.requestLater()
        expectEqual(a.demand, .max(8))
        expectEqual(b.demand, .max(8))
    }

    @Test("`zip` requests demand from inside a delivery of each upstream once", arguments: [false, true])
    func demandFromInside(unlimited: Bool) {
        let (a, b) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<[Int], Oops>(
            Appetite(description: "", atStart: [.max(1)], inside: [0: unlimited ? .unlimited : .max(5)]))
        a.zip(b) { [$0, $1] }.subscribe(recorder)
        a.send(1)
        b.send(2)
        expect(a.demand == (unlimited ? .unlimited : .max(5)))
        expect(b.demand == (unlimited ? .unlimited : .max(5)))
    }

    @Test("`zip` finishes and fails without demand")
    func endsWithoutDemand() {
        for fails in [false, true] {
            let (a, b) = (Probe<Int, Oops>(), Probe<Int, Oops>())
            let recorder = Recorder<[Int], Oops>(.nothing)
            a.zip(b) { [$0, $1] }.subscribe(recorder)
            b.send(completion: fails ? .failure(.second) : .finished)
            expectEqual(recorder.completions, [fails ? .failure(.second) : .finished])
            expectEqual(a.cancellations, 1)
        }
    }

    @Test("`zip` ignores an upstream after its end, and cancels its second subscription")
    func brokenUpstream() {
        let (a, b) = (Probe<Int, Oops>(isDeaf: true), Probe<Int, Oops>())
        let recorder = Recorder<[Int], Oops>()
        a.zip(b) { [$0, $1] }.subscribe(recorder)
        a.subscribeAgain()
        expectEqual(a.cancellations, 1)
        a.send(1)
        a.send(completion: .finished)
        a.send(2)
        a.send(completion: .failure(.first))
        b.send(3)
        b.send(4)
        expectEqual(recorder.values, [[1, 3]])
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    @Test("`zip` releases an unpaired value on cancellation")
    func waitingValueIsLetGo() {
        weak var waiting: Token?
        let (a, b) = (PassthroughSubject<Token, Oops>(), PassthroughSubject<Int, Oops>())
        let recorder = Recorder<Int, Oops>()
        a.zip(b) { $1 }.subscribe(recorder)
        do {
            let token = Token()
            waiting = token
            a.send(token)
        }
        expect(waiting != nil)
        recorder.cancel()
        expect(waiting == nil)
    }
}
