import MoonlightTestSupport
import Streams
import Testing

@Suite("Operator `combineLatest`")
struct CombineLatestTests {
    private func combined(_ count: Int, of s: [PassthroughSubject<Int, Oops>]) -> AnyPublisher<[Int], Oops> {
        switch count {
        case 2: s[0].combineLatest(s[1]).map { [$0.0, $0.1] }.eraseToAnyPublisher()
        case 3: s[0].combineLatest(s[1], s[2]).map { [$0.0, $0.1, $0.2] }.eraseToAnyPublisher()
        default: s[0].combineLatest(s[1], s[2], s[3]).map { [$0.0, $0.1, $0.2, $0.3] }.eraseToAnyPublisher()
        }
    }

    @Test(
        "`combineLatest` sends each new value with the latest ones of the others, once every upstream has sent a value",
        arguments: 2...4)
    func rows(count: Int) {
        let subjects = (0..<4).map { _ in PassthroughSubject<Int, Oops>() }
        let recorder = Recorder<[Int], Oops>()
        combined(count, of: subjects).subscribe(recorder)
        for index in 0..<count {
            expectEqual(recorder.values, [])
            subjects[index].send(99)
            subjects[index].send(index)
        }
        var row = Array(0..<count)
        var rows = [row.dropLast() + [99], row]
        for index in 0..<count {
            row[index] += 10
            subjects[index].send(row[index])
            rows.append(row)
        }
        expectEqual(recorder.values, rows.map { Array($0) })
    }

    @Test("`combineLatest` finishes when all upstreams have finished, with or without values", arguments: 2...4)
    func finishes(count: Int) {
        let subjects = (0..<4).map { _ in PassthroughSubject<Int, Oops>() }
        let recorder = Recorder<[Int], Oops>()
        combined(count, of: subjects).subscribe(recorder)
        for index in 0..<count {
            expectEqual(recorder.completions, [])
            subjects[index].send(completion: .finished)
        }
        expect(recorder.isFinished)
    }

    @Test("A failure of one upstream fails `combineLatest` at once, without demand, and cancels the others")
    func fails() {
        let (a, b) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<[Int], Oops>(.nothing)
        a.combineLatest(b) { [$0, $1] }.subscribe(recorder)
        b.send(completion: .failure(.second))
        expectEqual(recorder.failure, .second)
        expectEqual(a.cancellations, 1)
    }

    @Test("`combineLatest` with a closure sends the closure's results")
    func transforms() {
        let (a, b, c, d) = ([1].publisher, ["x"].publisher, [true].publisher, [0.5].publisher)
        let (two, three, four) = (Recorder<String, Never>(), Recorder<String, Never>(), Recorder<String, Never>())
        a.combineLatest(b) { "\($0)\($1)" }.subscribe(two)
        a.combineLatest(b, c) { "\($0)\($1)\($2)" }.subscribe(three)
        a.combineLatest(b, c, d) { "\($0)\($1)\($2)\($3)" }.subscribe(four)
        expectEqual(two.values, ["1x"])
        expectEqual(three.values, ["1xtrue"])
        expectEqual(four.values, ["1xtrue0.5"])
        expect(two.isFinished)
        expect(three.isFinished)
        expect(four.isFinished)
    }

    @Test("`combineLatest` requests the subscriber's demand of each upstream, including demand returned for a value")
    func demand() {
        let (a, b) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<[Int], Oops>(
            Appetite(description: "", atStart: [.max(2)], returned: [.max(3)], later: [.max(4)]))
        a.combineLatest(b) { [$0, $1] }.subscribe(recorder)
        expectEqual(a.requests, [.max(2)])
        expectEqual(b.requests, [.max(2)])
        a.send(1)
        b.send(2)
        expectEqual(a.demand, .max(4))
        expectEqual(b.demand, .max(4))
        recorder.requestLater()
        expectEqual(a.demand, .max(8))
        expectEqual(b.demand, .max(8))
    }

    @Test("`combineLatest` without demand keeps the latest values, and sends them before the end when they are requested")
    func keepsLatest() {
        let (a, b) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<[Int], Oops>(Appetite(description: "", atStart: [.max(2)], later: [.max(1)]))
        a.combineLatest(b) { [$0, $1] }.subscribe(recorder)
        a.sendOnDemand([1])
        b.sendOnDemand([10])
        a.sendOnDemand([2])
        b.sendOnDemand([20])
        expectEqual(recorder.values, [[1, 10], [2, 10]])
        a.send(completion: .finished)
        b.send(completion: .finished)
        expectEqual(recorder.completions, [])
        recorder.requestLater()
        expectEqual(recorder.values, [[1, 10], [2, 10], [2, 20]])
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    @Test(
        "`combineLatest` requests demand again that was used up before the first row, in any order of the upstreams",
        arguments: [false, true])
    func makesUp(isFirstLast: Bool) {
        let b = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<[Int], Oops>(Appetite(description: "", atStart: [.max(3)]))
        let a = OperatorCase.sequence(Array(1...9))
        if isFirstLast {
            b.combineLatest(a) { [$1, $0] }.subscribe(recorder)
        } else {
            a.combineLatest(b) { [$0, $1] }.subscribe(recorder)
        }
        expectEqual(recorder.values, [])
        b.send(10)
        expectEqual(recorder.values, [[3, 10], [4, 10], [5, 10]])
        expectEqual(recorder.violations, [])
    }

    @Test("`combineLatest` releases the latest values on cancellation")
    func letsGo() {
        weak var kept: Token?
        let (a, b) = (PassthroughSubject<Token, Oops>(), PassthroughSubject<Int, Oops>())
        let recorder = Recorder<Int, Oops>()
        a.combineLatest(b) { $1 }.subscribe(recorder)
        do {
            let token = Token()
            kept = token
            a.send(token)
            b.send(1)
        }
        expect(kept != nil)
        recorder.cancel()
        expect(kept == nil)
    }

    @Test("`combineLatest` of four renews the demand for a value that is replaced before the first row", arguments: 0..<4)
    func replaced(place: Int) {
        let probes = (0..<4).map { _ in Probe<Int, Oops>() }
        let recorder = Recorder<Int, Oops>(Appetite(description: "3", atStart: [.max(3)]))
        probes[0].combineLatest(probes[1], probes[2], probes[3]) { $0 + $1 + $2 + $3 }.subscribe(recorder)
        probes[place].send(100)
        for probe in [probes[place]] + probes.filter({ $0 !== probes[place] }) { probe.send(1) }
        expectEqual(recorder.values, [4])
        expectEqual(Set(probes.map { "\($0.demand)" }).count, 1)
    }
}
