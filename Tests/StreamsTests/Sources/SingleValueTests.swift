import MoonlightTestSupport
import Streams
import Testing

/// Operators on a single value, compared with the same ones on a list of it.
@Suite("Operators on single values")
struct SingleValueTests {
    /// Checks that a publisher sends what another sends.
    private func same<P: Publisher, Q: Publisher>(
        _ own: P, _ general: Q, at place: SourceLocation = #_sourceLocation
    ) where P.Output: Equatable, Q.Output == P.Output {
        let (mine, others) = (sent(own), sent(general))
        expectEqual(mine.values, others.values, sourceLocation: place)
        expectEqual(mine.end, others.end, sourceLocation: place)
    }

    private func sent<P: Publisher>(_ publisher: P) -> (values: [P.Output], end: String) {
        var (values, end): ([P.Output], String) = ([], "")
        publisher.sink(receiveCompletion: { end = "\($0)" }, receiveValue: { values.append($0) }).cancel()
        return (values, end)
    }

    private func fussy(_ value: Int) throws(Oops) -> Bool { if value == 4 { throw .second } else { value > 0 } }

    @Test("`output(in:)` with a range from the greatest position sends nothing for a single value or a list")
    func lastPosition() {
        same(Just(1).output(in: Int.max...), [1].publisher.output(in: Int.max...))
        same(Optional(1).publisher.output(in: Int.max...), [1].publisher.output(in: Int.max...))
        expectEqual(sent([1].publisher.output(in: Int.max...)).values, [])
    }

    @Test("`output(in:)` with a range that ends with the greatest position sends the rest")
    func throughTheLastPosition() {
        for start in [0, 1] {
            let range = start...Int.max
            expectEqual(sent([4, 5, 6].publisher.output(in: range)).values, [4, 5, 6].dropFirst(start).map { $0 })
            same(Just(4).output(in: range), [4].publisher.output(in: range))
            same(Optional(4).publisher.output(in: range), [4].publisher.output(in: range))
        }
        expectEqual(sent([4, 5, 6].publisher.output(in: ...Int.max)).values, [4, 5, 6])
        expectEqual(sent(Just(4).output(in: ...Int.max)).values, [4])
        expectEqual(sent([4].publisher.output(in: Int.max...Int.max)).values, [])
    }

    @Test(
        "`output(in:)` with a range that has no lower bound and ends below 0 sends nothing",
        arguments: [0, -1, Int.min + 1, .min])
    func endsBelowZero(_ end: Int) {
        expectEqual(sent([4, 5, 6].publisher.output(in: ..<end)).values, [])
        expectEqual(sent(Just(4).output(in: ..<end)).end, "finished")
        expectEqual(sent([4, 5, 6].publisher.output(in: ...(end == .min ? end : end - 1))).values, [])
    }

    @Test("`output(in:)` with a range that begins before the first position sends nothing", arguments: [-3, .min])
    func negativePositions(_ start: Int) {
        for end in [-1, 0, 10] {
            expectEqual(sent(Just(4).output(in: start..<end)).end, "finished")
            for range in [start...end, start...(end - 1)] {
                expectEqual(sent(Just(4).output(in: range)).values, [])
                expectEqual(sent([4, 5].publisher.eraseToAnyPublisher().output(in: range)).values, [])
            }
        }
        expectEqual(sent([4, 5].publisher.output(in: start...)).values, [])
    }

    @Test("Operators on `Just` behave as for a list of one value", arguments: [0, 4])
    func just(_ value: Int) {
        let (one, list) = (Just(value), [value].publisher)
        same(one.map { "\($0)" }, list.map { "\($0)" })
        same(one.count(), list.count())
        same(one.reduce(1, +), list.reduce(1, +))
        same(one.scan(1, +), list.scan(1, +))
        same(one.setFailureType(to: Oops.self), list)
        same(one.prepend(1, 2), list.prepend(1, 2))
        same(one.append(1, 2), list.append(1, 2))
        same(one.filter { $0 > 1 }, list.filter { $0 > 1 })
        same(one.tryMap(fussy), list.tryMap(fussy))
        same(one.retry(3), list)
        for place in 0...1 {
            same(one.dropFirst(place), list.dropFirst(place))
            same(one.output(in: place...), list.output(in: place...))
        }
    }

    @Test("Operators on `Optional.Publisher` behave as for a list of one value or none", arguments: [nil, 0, 4])
    func optional(_ value: Int?) {
        let (one, list) = (value.publisher, (value.map { [$0] } ?? []).publisher)
        same(one.map { "\($0)" }, list.map { "\($0)" })
        same(one.filter { $0 > 1 }, list.filter { $0 > 1 })
        same(one.replaceEmpty(with: 7), list.replaceEmpty(with: 7))
        same(one.count(), list.count())
        same(one.reduce(1, +), list.reduce(1, +))
    }

    @Test(
        "Operators on `Result.Publisher` behave as for a record of one value or a failure",
        arguments: [.success(0), .success(4), .failure(.first)] as [Result<Int, Oops>])
    func result(_ result: Result<Int, Oops>) {
        let one = result.publisher
        let list = Record(output: (try? result.get()).map { [$0] } ?? [], completion: end(of: result))
        same(one.map { "\($0)" }, list.map { "\($0)" })
        same(one.tryMap(fussy), list.tryMap(fussy))
        same(one.count(), list.count())
        same(one.mapError { _ in Oops.second }, list.mapError { _ in Oops.second })
        same(one.replaceError(with: 7), list.replaceError(with: 7))
    }

    private func end(of result: Result<Int, Oops>) -> Subscribers.Completion<Oops> {
        if case .failure(let error) = result { .failure(error) } else { .finished }
    }

    @Test("The closure of `Just.map` runs once, when the operator is called")
    func eager() {
        var count = 0
        let counted = Just(1).map { value in
            count += 1
            return value
        }
        expectEqual(count, 1)
        expectEqual(sent(counted).values, [1])
        expectEqual(sent(counted).values, [1])
        expectEqual(count, 1)
    }

    @Test("Single values and short arrays pass through `flatMap` without a subscription, as they are requested")
    func ready() {
        let recorder = Recorder<Int, Never>(.nothing)
        [0, 1, 2, 3].publisher.flatMap { number -> AnyPublisher<Int, Never> in
            switch number {
            case 0: Just(1).eraseToAnyPublisher()
            case 1: Int?.some(2).publisher.eraseToAnyPublisher()
            case 2: [3, 4, 5].publisher.eraseToAnyPublisher()
            default: Int?.none.publisher.eraseToAnyPublisher()
            }
        }.subscribe(recorder)
        expectEqual(recorder.values, [])
        recorder.request(.max(2))
        recorder.request(.max(2))
        expectEqual(recorder.values, [1, 2, 3, 4])
        expectEqual(recorder.completions, [])
        recorder.request(.max(2))
        expectEqual(recorder.values, [1, 2, 3, 4, 5])
        expectEqual(recorder.completions, [.finished])
    }
}
