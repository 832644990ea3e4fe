import MoonlightTestSupport
import Streams
import Testing

@Suite("Rule 2: demand")
struct DemandTests {
    static let lists = [[], [4], [1, 2], [5, 5, 6, 1, 2, 2, 8, 9, 3, 3]]

    @Test("a source sends as much as is asked for, when it is asked for", arguments: SourceCase.all)
    func sources(_ source: SourceCase) {
        for values in Self.lists {
            for appetite in Appetite.all {
                expectServed(source.make(values), as: values, appetite, "\(source) of \(values)")
            }
        }
    }

    @Test("an operator sends as much as is asked for, when it is asked for", arguments: OperatorCase.all)
    func operators(_ operation: OperatorCase) {
        for source in SourceCase.all {
            for values in Self.lists {
                for appetite in Appetite.all {
                    expectServed(
                        operation.apply(source.make(values), Token()), as: operation.model(values, false), appetite,
                        "\(operation) of \(source) of \(values)")
                }
            }
        }
    }

    @Test("chains of two to four operators drawn at random send as much as is asked for", arguments: 0..<300)
    func chains(seed: Int) throws {
        var random = Dice(seed: UInt64(seed))
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
        #expect(recorder.values == Array(values.prefix(appetite.served(of: values.count, afterLater: 0))), context)
        recorder.requestLater()
        #expect(recorder.values == Array(values.prefix(appetite.served(of: values.count))), context)
        #expect(recorder.violations == [], context)
        let asked = (appetite.atStart + appetite.later + appetite.returned).reduce(.none, +)
        if asked == .unlimited, appetite.inside.isEmpty, appetite.returned.isEmpty {
            #expect(recorder.completions == [.finished], context)
        } else if recorder.values.count < values.count {
            #expect(recorder.completions == [], context)
        }
    }

    @Test("what passes on each value asks for what it was asked for, no more", arguments: ["map", "scan", "print"])
    func passesDemand(name: String) throws {
        let operation = try #require(OperatorCase.all.first { $0.description == name })
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>(
            Appetite(description: "", atStart: [.max(2)], returned: [.max(3)], later: [.max(4)]))
        operation.apply(probe.eraseToAnyPublisher(), Token()).subscribe(recorder)
        #expect(probe.requests == [.max(2)])
        probe.send(1)
        #expect(probe.demand == .max(4))
        recorder.requestLater()
        #expect(probe.requests == [.max(2), .max(4)])
    }

    @Test("what leaves a value out asks for another in its place", arguments: ["filter", "compactMap"])
    func replaces(name: String) throws {
        let operation = try #require(OperatorCase.all.first { $0.description == name })
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)]))
        operation.apply(probe.eraseToAnyPublisher(), Token()).subscribe(recorder)
        probe.send(3)
        #expect(recorder.values == operation.model([3], false))
        #expect(probe.demand == (recorder.values.isEmpty ? .max(1) : .none))
        probe.send(9)
        #expect(probe.demand == (recorder.values.isEmpty ? .max(1) : .none))
    }

    @Test("flatMap asks for as many values as it may run publishers")
    func flatMapAsks() {
        let probe = Probe<Int, Oops>()
        let inner = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        probe.flatMap(maxPublishers: .max(2)) { _ in inner }.subscribe(recorder)
        #expect(probe.demand == .max(2))
        probe.sendOnDemand([1, 2, 3])
        #expect(probe.demand == .none)
        inner.send(completion: .finished)
        #expect(probe.demand == .max(2))
    }

    @Test("merge takes at most one value ahead of each upstream")
    func mergeTakesOneAhead() {
        let (a, b) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(Appetite(description: "", later: [.max(3)]))
        a.merge(with: b).subscribe(recorder)
        a.sendOnDemand([1, 2])
        b.sendOnDemand([10, 20])
        #expect(recorder.values == [])
        #expect(a.demand == .none)
        #expect(b.demand == .none)
        recorder.requestLater()
        #expect(recorder.values == [1, 10])
        a.sendOnDemand([2, 3])
        #expect(recorder.values == [1, 10, 2])
        #expect(recorder.violations == [])
    }

    @Test("a passthrough subject drops what a subscriber has no demand for")
    func passthroughDrops() {
        let subject = PassthroughSubject<Int, Oops>()
        let slow = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)], later: [.max(1)]))
        let fast = Recorder<Int, Oops>()
        subject.subscribe(slow)
        subject.subscribe(fast)
        for value in 1...3 { subject.send(value) }
        slow.requestLater()
        subject.send(4)
        #expect(slow.values == [1, 4])
        #expect(fast.values == [1, 2, 3, 4])
        #expect(slow.violations + fast.violations == [])
    }

    @Test("a current value subject gives a subscriber that asks late the value of that moment, once")
    func currentValueOnDemand() {
        let subject = CurrentValueSubject<Int, Oops>(0)
        let recorder = Recorder<Int, Oops>(.nothing)
        subject.subscribe(recorder)
        for value in 1...3 { subject.send(value) }
        recorder.request(.max(2))
        #expect(recorder.values == [3])
        subject.send(4)
        subject.send(5)
        recorder.request(.max(1))
        #expect(recorder.values == [3, 4, 5])
        recorder.request(.unlimited)
        #expect(recorder.values == [3, 4, 5])
        #expect(recorder.violations == [])
    }

    @Test("demand returned for a value counts like demand that is requested", arguments: [false, true])
    func subjectCountsReturned(keepsCurrent: Bool) {
        for appetite in Appetite.all where appetite.later.isEmpty {
            let subject = AnySubject(keepsCurrent: keepsCurrent)
            let recorder = Recorder<Int, Oops>(appetite)
            subject.publisher.subscribe(recorder)
            for value in 1...9 { subject.send(value) }
            let values = keepsCurrent ? Array(0...9) : Array(1...9)
            #expect(recorder.values == Array(values.prefix(appetite.served(of: values.count))), "\(appetite)")
            #expect(recorder.violations == [])
        }
    }

    @Test("a future keeps its value until it is asked for")
    func futureWaits() {
        let future = Future<Int, Oops> { $0(.success(7)) }
        let recorder = Recorder<Int, Oops>(Appetite(description: "", later: [.max(1)]))
        future.subscribe(recorder)
        #expect(recorder.values == [])
        #expect(recorder.completions == [])
        recorder.requestLater()
        #expect(recorder.values == [7])
        #expect(recorder.isFinished)
    }

    @Test("an end needs no demand")
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
            #expect(recorder.completions.count == 1)
        }
    }

    @Test("an upstream is asked for nothing where the subscriber asks for nothing, if it decides what that means")
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
            #expect(probe.requests == [.none])
        }
    }

    @Test("to ask a future or a catch for nothing is a programmer's mistake")
    func nothingTraps() async {
        await #expect(processExitsWith: .failure) {
            Future<Int, Never> { _ in }.subscribe(AnySubscriber(receiveSubscription: { $0.request(.none) }))
        }
        await #expect(processExitsWith: .failure) {
            Probe<Int, Oops>().catch { _ in Just(1) }
                .subscribe(AnySubscriber(receiveSubscription: { $0.request(.none) }))
        }
    }
}
