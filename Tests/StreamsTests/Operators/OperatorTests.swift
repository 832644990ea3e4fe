import MoonlightTestSupport
import Streams
import Testing

@Suite("Single operators")
struct OperatorTests {
    private func values<P: Publisher>(_ publisher: P) -> [P.Output] where P.Failure == Never {
        var values: [P.Output] = []
        _ = publisher.sink { values.append($0) }
        return values
    }

    @Test("`collect`, `count` and `ignoreOutput` request everything, whatever the subscriber requests")
    func takeAll() {
        let probes = (0..<3).map { _ in Probe<Int, Oops>() }
        let (lists, counts) = (Recorder<[Int], Oops>(Appetite(description: "", atStart: [.max(1)])), Recorder<Int, Oops>())
        let nothing = Recorder<Never, Oops>(.nothing)
        probes[0].collect().subscribe(lists)
        probes[1].count().subscribe(counts)
        probes[2].ignoreOutput().subscribe(nothing)
        for probe in probes {
            expectEqual(probe.requests, [.unlimited])
            for value in 1...3 { probe.send(value) }
            expectEqual(probe.cancellations, 0)
            probe.send(completion: .finished)
        }
        expectEqual(lists.values, [[1, 2, 3]])
        expectEqual(counts.values, [3])
        expect(nothing.isFinished)
    }

    @Test("An operator that requests everything requests it once, even after a second subscription")
    func asksOnce() {
        let (probe, recorder) = (Probe<Int, Oops>(isDeaf: true), Recorder<Int, Oops>())
        probe.count().subscribe(recorder)
        probe.subscribeAgain()
        expectEqual(probe.requests, [.unlimited])
        expectEqual(probe.cancellations, 1)
    }

    @Test("`map` can change the type, and `compactMap` leaves out nil")
    func mapping() {
        expectEqual(values([1, 2].publisher.map { "\($0)" }), ["1", "2"])
        expectEqual(values(["1", "x", "3"].publisher.compactMap { Int($0) }), [1, 3])
    }

    @Test("Consecutive filters, throwing or not, pass on values that all of them accept, and fail with an error of either")
    func filters() {
        func outcome(_ publisher: some Publisher<Int, any Error>) -> [String] {
            var events: [String] = []
            let cancellable = publisher.sink {
                events.append("\($0)")
            } receiveValue: {
                events.append("\($0)")
            }
            cancellable.cancel()
            return events
        }
        let all = (1...9).publisher.handleEvents()
        let not7 = { @Sendable (value: Int) throws -> Bool in if value == 7 { throw Oops.first } else { value > 2 } }
        let isEven = { @Sendable (value: Int) -> Bool in value % 2 == 0 }
        expectEqual(values(all.filter { $0 > 2 }.filter(isEven)), [4, 6, 8])
        let failed = ["4", "6", "\(Subscribers.Completion<any Error>.failure(Oops.first))"]
        expectEqual(outcome(all.tryFilter(not7).filter(isEven)), failed)
        expectEqual(outcome(all.tryFilter(not7).tryFilter(isEven)), failed)
        // The later filter is not called for values that the earlier one has dropped.
        expectEqual(outcome(all.filter(isEven).tryFilter(not7)), ["4", "6", "8", "finished"])
        expectEqual(outcome(all.tryFilter(isEven).tryFilter(not7)), ["4", "6", "8", "finished"])
    }

    @Test("`scan` starts with its initial result for each subscriber")
    func scan() {
        let sums = (1...4).publisher.scan(0, +)
        expectEqual(values(sums), [1, 3, 6, 10])
        expectEqual(values(sums), [1, 3, 6, 10])
    }

    @Test("`removeDuplicates` compares with the previous value, sent or not, and starts again for each subscriber")
    func removeDuplicates() {
        let distinct = [1, 1, 2, 2, 1].publisher.removeDuplicates()
        expectEqual(values(distinct), [1, 2, 1])
        expectEqual(values(distinct), [1, 2, 1])
        expectEqual(values([1, 2, 3, 6].publisher.removeDuplicates { $1 - $0 < 2 }), [1, 6])
    }

    @Test("`removeDuplicates` keeps a first value that is nil")
    func removeDuplicatesOfNil() {
        expect(values([nil, nil, 1, nil].publisher.removeDuplicates()) == [nil, 1, nil] as [Int?])
    }

    /// Cards are compared by their rank.
    private struct Card: Comparable {
        let rank: Int
        let suit: String
        static func == (a: Card, b: Card) -> Bool { a.rank == b.rank }
        static func < (a: Card, b: Card) -> Bool { a.rank < b.rank }
    }

    @Test("`min` and `max` send the first of equal values")
    func firstOfEquals() {
        let cards = [Card(rank: 2, suit: "clubs"), Card(rank: 2, suit: "hearts")].publisher
        for best in [cards.min(), cards.max(), cards.min(by: <), cards.max(by: <)] {
            let recorder = Recorder<Card, Never>()
            best.subscribe(recorder)
            expectEqual(recorder.values.map(\.suit), ["clubs"])
        }
    }

    @Test("`first`, `prefix` and `output` complete over an endless upstream")
    func endless() {
        expectEqual(values((1...).publisher.first()), [1])
        expectEqual(values((1...).publisher.first { $0 % 7 == 0 }), [7])
        expectEqual(values((1...).publisher.prefix(3)), [1, 2, 3])
        expectEqual(values((1...).publisher.output(at: 4)), [5])
        expectEqual(values((1...3).publisher.output(at: .max)), [])
        expectEqual(values((1...).publisher.output(in: 2..<4)), [3, 4])
        expectEqual(values((1...).publisher.output(in: ...1)), [1, 2])
    }

    @Test("`prefix(0)` finishes without requesting anything, and cancels its upstream")
    func prefixZero() {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>(.nothing)
        probe.prefix(0).subscribe(recorder)
        expect(recorder.isFinished)
        expectEqual(probe.requests, [])
        expectEqual(probe.cancellations, 1)
    }

    @Test("`first` cancels its upstream before it sends the value")
    func firstCancelsFirst() {
        let log = Log<String>()
        let subject = PassthroughSubject<Int, Oops>()
        subject.handleEvents(receiveCancel: { log.append("cancel") }).first()
            .handleEvents(receiveOutput: { _ in log.append("value") }, receiveCompletion: { log.append("\($0)") })
            .subscribe(Recorder())
        subject.send(1)
        expectEqual(log.items, ["cancel", "value", "finished"])
    }

    @Test("`sink` receives the values and then the completion")
    func sink() {
        var events: [String] = []
        let cancellable = Just(1).sink {
            events.append("\($0)")
        } receiveValue: {
            events.append("\($0)")
        }
        expectEqual(events, ["1", "finished"])
        cancellable.cancel()
    }

    @Test("`sink` can be cancelled during a delivery")
    func sinkCancelsItself() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        var cancellable: AnyCancellable?
        cancellable = subject.sink { value in
            seen.append(value)
            if value == 2 { cancellable = nil }
        }
        for value in 1...3 { subject.send(value) }
        expectEqual(seen, [1, 2])
        expect(cancellable == nil)
    }

    @Test("`assign(to:on:)` writes each value to the property")
    func assign() {
        final class Label {
            var texts: [String] = []
            var text = "" { didSet { texts.append(text) } }
        }
        let label = Label()
        let cancellable = [1, 2].publisher.map { "\($0)" }.assign(to: \.text, on: label)
        expectEqual(label.texts, ["1", "2"])
        cancellable.cancel()
    }
}
