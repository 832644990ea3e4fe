import MoonlightTestSupport
import Streams
import Testing

@Suite("Contract, rule 2: demand")
struct DemandTests {
    static let lists = [[], [4], [1, 2], [5, 5, 6, 1, 2, 2, 8, 9, 3, 3]]

    @Test("A source sends as many values as are requested, at the time of the request", arguments: SourceCase.all)
    func sources(_ source: SourceCase) {
        for values in Self.lists {
            for appetite in Appetite.all {
                expectServed(source.make(values), as: values, appetite, "\(source) of \(values)")
            }
        }
    }

    /// The cases for an operator: each source of each list, and each appetite.
    private static let scripts: [(source: SourceCase, values: [Int], appetite: Appetite)] = SourceCase.all.flatMap { source in
        lists.flatMap { values in Appetite.all.map { appetite in (source, values, appetite) } }
    }

    @Test("An operator sends as many values as are requested, at the time of the request", arguments: OperatorCase.all)
    func operators(_ operation: OperatorCase) {
        for (source, values, appetite) in Budget.sample(Self.scripts, least: 56) {
            expectServed(
                operation.apply(source.make(values), Token()), as: operation.model(values, false), appetite,
                "\(operation) of \(source) of \(values)")
        }
    }

    @Test(
        "A random chain of two to four operators sends as many values as are requested", arguments: Budget.seeds(300, least: 50))
    func chains(seed: Int) throws {
        var random = Dice(seed: seed)
        let list = (0..<Int.random(in: 0..<12, using: &random)).map { _ in Int.random(in: 0..<9, using: &random) }
        let source = try #require(SourceCase.all.randomElement(using: &random))
        var (chain, values, name) = (source.make(list), list, "\(source) of \(list)")
        for _ in 0..<Int.random(in: 2...4, using: &random) {
            let operation = try #require(OperatorCase.all.randomElement(using: &random))
            chain = operation.apply(chain, Token())
            values = operation.model(values, false)
            name += ", \(operation)"
        }
        for appetite in Appetite.all { expectServed(chain, as: values, appetite, name) }
    }

    private func expectServed(_ publisher: Ints, as values: [Int], _ appetite: Appetite, _ name: String) {
        let recorder = Recorder<Int, Oops>(appetite)
        publisher.subscribe(recorder)
        let context: Comment = "\(name), asked for \(appetite)"
        expectEqual(recorder.values, Array(values.prefix(appetite.served(of: values.count, afterLater: 0))), context)
        recorder.requestLater()
        expectEqual(recorder.values, Array(values.prefix(appetite.served(of: values.count))), context)
        expectEqual(recorder.violations, [], context)
        let asked = (appetite.atStart + appetite.later + appetite.returned).reduce(.none, +)
        if asked == .unlimited, appetite.inside.isEmpty, appetite.returned.isEmpty {
            expectEqual(recorder.completions, [.finished], context)
        } else if recorder.values.count < values.count {
            expectEqual(recorder.completions, [], context)
        }
    }

    @Test("`map`, `scan` and `print` request exactly the demand of their subscriber", arguments: ["map", "scan", "print"])
    func passesDemand(name: String) throws {
        let operation = try #require(OperatorCase.all.first { $0.description == name })
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>(
            Appetite(description: "", atStart: [.max(2)], returned: [.max(3)], later: [.max(4)]))
        operation.apply(probe.eraseToAnyPublisher(), Token()).subscribe(recorder)
        expectEqual(probe.requests, [.max(2)])
        probe.send(1)
        expectEqual(probe.demand, .max(4))
        recorder.requestLater()
        expectEqual(probe.requests, [.max(2), .max(4)])
    }

    @Test(
        "`filter` and `compactMap` request another value for each one that they drop", arguments: ["filter", "compactMap"])
    func replaces(name: String) throws {
        let operation = try #require(OperatorCase.all.first { $0.description == name })
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)]))
        operation.apply(probe.eraseToAnyPublisher(), Token()).subscribe(recorder)
        probe.send(3)
        expectEqual(recorder.values, operation.model([3], false))
        expect(probe.demand == (recorder.values.isEmpty ? .max(1) : .none))
        probe.send(9)
        expect(probe.demand == (recorder.values.isEmpty ? .max(1) : .none))
    }

    @Test("`flatMap` requests as many values as it may have inner publishers")
    func flatMapAsks() {
        let probe = Probe<Int, Oops>()
        let inner = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        probe.flatMap(maxPublishers: .max(2)) { _ in inner }.subscribe(recorder)
        expectEqual(probe.demand, .max(2))
        probe.sendOnDemand([1, 2, 3])
        expectEqual(probe.demand, .none)
        inner.send(completion: .finished)
        expectEqual(probe.demand, .max(2))
    }

    @Test("`merge` requests at most one value of each upstream in advance")
    func mergeTakesOneAhead() {
        let (a, b) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(Appetite(description: "", later: [.max(3)]))
        a.merge(with: b).subscribe(recorder)
        a.sendOnDemand([1, 2])
        b.sendOnDemand([10, 20])
        expectEqual(recorder.values, [])
        expectEqual(a.demand, .none)
        expectEqual(b.demand, .none)
        recorder.requestLater()
        expectEqual(recorder.values, [1, 10])
        a.sendOnDemand([2, 3])
        expectEqual(recorder.values, [1, 10, 2])
        expectEqual(recorder.violations, [])
    }

    @Test("A passthrough subject drops values for a subscriber without demand")
    func passthroughDrops() {
        let subject = PassthroughSubject<Int, Oops>()
        let slow = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)], later: [.max(1)]))
        let fast = Recorder<Int, Oops>()
        subject.subscribe(slow)
        subject.subscribe(fast)
        for value in 1...3 { subject.send(value) }
        slow.requestLater()
        subject.send(4)
        expectEqual(slow.values, [1, 4])
        expectEqual(fast.values, [1, 2, 3, 4])
        expectEqual(slow.violations + fast.violations, [])
    }

    @Test("A current value subject sends a late request the current value, once")
    func currentValueOnDemand() {
        let subject = CurrentValueSubject<Int, Oops>(0)
        let recorder = Recorder<Int, Oops>(.nothing)
        subject.subscribe(recorder)
        for value in 1...3 { subject.send(value) }
        recorder.request(.max(2))
        expectEqual(recorder.values, [3])
        subject.send(4)
        subject.send(5)
        recorder.request(.max(1))
        expectEqual(recorder.values, [3, 4, 5])
        recorder.request(.unlimited)
        expectEqual(recorder.values, [3, 4, 5])
        expectEqual(recorder.violations, [])
    }

    @Test("Demand that a subscriber returns for a value counts like demand that it requests", arguments: [false, true])
    func subjectCountsReturned(keepsCurrent: Bool) {
        for appetite in Appetite.all where appetite.later.isEmpty {
            let subject = AnySubject(keepsCurrent: keepsCurrent)
            let recorder = Recorder<Int, Oops>(appetite)
            subject.publisher.subscribe(recorder)
            for value in 1...9 { subject.send(value) }
            let values = keepsCurrent ? Array(0...9) : Array(1...9)
            expectEqual(recorder.values, Array(values.prefix(appetite.served(of: values.count))), "\(appetite)")
            expectEqual(recorder.violations, [])
        }
    }

    @Test("A future keeps its value until it is requested")
    func futureWaits() {
        let future = Future<Int, Oops> { $0(.success(7)) }
        let recorder = Recorder<Int, Oops>(Appetite(description: "", later: [.max(1)]))
        future.subscribe(recorder)
        expectEqual(recorder.values, [])
        expectEqual(recorder.completions, [])
        recorder.requestLater()
        expectEqual(recorder.values, [7])
        expect(recorder.isFinished)
    }

    @Test("A completion is delivered without demand")
    func endNeedsNoDemand() {
        let publishers: [Ints] = [
            Empty().eraseToAnyPublisher(), Fail(error: .first).eraseToAnyPublisher(),
            OperatorCase.sequence([]).eraseToAnyPublisher(),
            Future { $0(.failure(.first)) }.eraseToAnyPublisher(),
            Empty().append(Empty()).eraseToAnyPublisher(),
        ]
        for publisher in publishers {
            let recorder = Recorder<Int, Oops>(.nothing)
            publisher.subscribe(recorder)
            expectEqual(recorder.completions.count, 1)
        }
    }

    @Test("`append`, `prefix(untilOutputFrom:)` and `withLatestFrom` pass a request for `.none` to their upstream")
    func nothing() {
        let operators: [(Probe<Int, Oops>) -> Ints] = [
            { $0.append(Empty()).eraseToAnyPublisher() },
            { $0.prefix(untilOutputFrom: Probe<Int, Oops>()).eraseToAnyPublisher() },
            { $0.withLatestFrom(Probe<Int, Oops>()) { one, _ in one }.eraseToAnyPublisher() },
        ]
        for make in operators {
            let probe = Probe<Int, Oops>()
            let recorder = Recorder<Int, Oops>(.nothing)
            make(probe).subscribe(recorder)
            recorder.subscription.request(.none)
            expectEqual(probe.requests, [.none])
        }
    }
}
