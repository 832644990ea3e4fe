import MoonlightTestSupport
import Streams
import Testing

@Suite("Ready values")
struct ReadyValuesTests {
    enum Step: CaseIterable {
        case map, filter, compactMap, scan
    }

    /// All chains of up to a number of steps.
    private static func chains(upTo length: Int) -> [[Step]] {
        length == 0 ? [[]] : chains(upTo: length - 1).flatMap { chain in [chain] + Step.allCases.map { chain + [$0] } }
    }

    /// Appends steps to a publisher, each as the operator of its name, and passes the chain, unerased, to a closure.
    private func chain<P: Publisher<Int, Never> & Sendable>(
        _ steps: ArraySlice<Step>, behind publisher: P, _ look: (any Publisher<Int, Never> & Sendable) -> Void
    ) {
        switch steps.first {
        case .map: chain(steps.dropFirst(), behind: publisher.map { $0 + 1 }, look)
        case .filter: chain(steps.dropFirst(), behind: publisher.filter { $0 % 3 != 0 }, look)
        case .compactMap: chain(steps.dropFirst(), behind: publisher.compactMap { $0 % 2 == 0 ? $0 / 2 : nil }, look)
        case .scan: chain(steps.dropFirst(), behind: publisher.scan(1, +), look)
        case nil: look(publisher)
        }
    }

    private func sunk<P: Publisher<Int, Never> & Sendable>(_ publisher: P) -> [Int?] {
        var got: [Int?] = []
        _ = publisher.sink(receiveCompletion: { _ in got.append(nil) }, receiveValue: { got.append($0) })
        return got
    }

    private func recorded<P: Publisher<Int, Never> & Sendable>(_ publisher: P) -> [Int?] {
        let recorder = Recorder<Int, Never>(.unlimited)
        publisher.subscribe(recorder)
        return recorder.values + (recorder.isFinished ? [nil] : [])
    }

    @Test("A sink receives the same values of a chain as any other subscriber, and one completion", arguments: chains(upTo: 3))
    func sinks(_ steps: [Step]) {
        for publisher in [Publishers.Sequence<[Int], Never>(sequence: []), .init(sequence: [4]), .init(sequence: Array(-5..<15))]
        {
            chain(steps[...], behind: publisher) { expectEqual(sunk($0), recorded($0)) }
            chain(steps[...], behind: publisher.eraseToAnyPublisher()) { expectEqual(sunk($0), recorded($0)) }
        }
    }

    @Test(
        "Values that `flatMap` postpones because an element arrives pass through the rest of the chain",
        arguments: chains(upTo: 2))
    func leftovers(_ steps: [Step]) {
        for interruption in 1...4 {
            chain(steps[...], behind: Array(1...12).publisher) { inner in
                expectEqual(interrupted(inner, at: interruption), interrupted(unready(inner), at: interruption))
            }
        }
    }

    /// Returns the values of `flatMap` over a publisher, for an element and for another one that is sent after a number of
    /// values.
    private func interrupted<P: Publisher<Int, Never> & Sendable>(_ inner: P, at count: Int) -> [Int] {
        let elements = Probe<Int, Never>()
        var got: [Int] = []
        let sink = elements.flatMap { _ in inner }.sink {
            got.append($0)
            if got.count == count { elements.send(2) }
        }
        elements.send(1)
        withExtendedLifetime(sink) {}
        return got
    }

    /// The same values, none of which is ready.
    private func unready<P: Publisher<Int, Never> & Sendable>(_ publisher: P) -> some Publisher<Int, Never> & Sendable {
        publisher.handleEvents()
    }

    @Test("A sequence whose values are all dropped by a filter stops at the cancellation, even in `flatMap`")
    func leftOut() {
        expectTheEnd(of: { look in (0...1_000).publisher.filter(look) })
        expectTheEnd(of: { look in (0...1_000).publisher.compactMap { look($0) ? $0 : nil } })
    }

    /// Runs a publisher in `flatMap` with a filter that drops all values, and cancels at the hundredth.
    private func expectTheEnd<P: Publisher<Int, Never> & Sendable>(of leaving: (@escaping @Sendable (Int) -> Bool) -> P) {
        let (recorder, tried) = (Recorder<Int, Never>(), Log<Int>())
        let publisher = leaving {
            tried.append($0)
            if $0 == 100 { recorder.cancel() }
            return false
        }
        Just(1).handleEvents().flatMap { _ in publisher }.subscribe(recorder)
        expectEqual(recorder.values, [])
        expect(!recorder.isFinished)
        expectEqual(tried.items.count, 101)
    }

    @Test("A custom publisher is not asked for ready values unless it declares that it has them")
    func unready() {
        struct Own: Publisher, Sendable {
            typealias Output = Int
            typealias Failure = Never
            func receive<S: Subscriber<Int, Never>>(subscriber: S) { [1, 2].publisher.subscribe(subscriber) }
        }
        guard case .unready = Own()._sendReady(to: { _ in true }) else {
            Issue.record("the values must come by a subscription")
            return
        }
        expectEqual(sunk(Own().map { $0 + 1 }), [2, 3, nil])
    }

    @Test("A sequence stops after the ready value for which the closure returns false, and keeps the rest")
    func leaving() {
        var taken: [Int] = []
        let ready = (1...6).publisher._sendReady {
            taken.append($0)
            return $0 != 4
        }
        guard case .left(let rest) = ready else {
            Issue.record("the rest must be left")
            return
        }
        expectEqual(taken, [1, 2, 3, 4])
        expectEqual(recorded(AnyPublisher(left: rest)), [5, 6, nil])
    }
}
