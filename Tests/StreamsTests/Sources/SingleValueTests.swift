import MoonlightTestSupport
import Streams
import Testing

/// Operators on single values, compared with the general ones on a list of one value.
@Suite("Operators on single values")
struct SingleValueTests {
    /// Expects that a publisher has a type, and sends the same as another one.
    private func same<P: Publisher, Q: Publisher>(
        _ own: P, _ general: Q, as kind: P.Type, at place: SourceLocation = #_sourceLocation
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
        same(Just(1).output(in: Int.max...), [1].publisher.output(in: Int.max...), as: Int?.Publisher.self)
        same(Optional(1).publisher.output(in: Int.max...), [1].publisher.output(in: Int.max...), as: Int?.Publisher.self)
        expectEqual(sent([1].publisher.output(in: Int.max...)).values, [])
    }

    @Test("`output(in:)` with a range that ends with the greatest position sends the rest")
    func throughTheLastPosition() {
        for start in [0, 1] {
            let range = start...Int.max
            expectEqual(sent([4, 5, 6].publisher.output(in: range)).values, [4, 5, 6].dropFirst(start).map { $0 })
            same(Just(4).output(in: range), [4].publisher.output(in: range), as: Int?.Publisher.self)
            same(Optional(4).publisher.output(in: range), [4].publisher.output(in: range), as: Int?.Publisher.self)
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

    @Test("`Just.output(in:)` sends nothing for a range that starts below 0, as in Combine")
    func negativePositions() {
        for range in [-10..<10, -1..<0, Int.min..<Int.max] {
            expectEqual(sent(Just(12).output(in: range)).values, [])
            expectEqual(sent(Just(12).output(in: range)).end, "finished")
        }
        expectEqual(sent(Just(12).output(in: (-1)...)).values, [])
        expectEqual(sent(Just(12).output(in: -1...Int.max)).values, [])
    }

    @Test("Operators on `Just` behave as for a list of one value", arguments: [0, 4])
    func just(_ value: Int) {
        let (one, list) = (Just(value), [value].publisher)
        same(one.map { "\($0)" }, list.map { "\($0)" }, as: Just<String>.self)
        same(one.count(), list.count(), as: Just<Int>.self)
        same(one.collect(), list.collect(), as: Just<[Int]>.self)
        same(one.allSatisfy { $0 > 1 }, list.allSatisfy { $0 > 1 }, as: Just<Bool>.self)
        same(one.contains { $0 > 1 }, list.contains { $0 > 1 }, as: Just<Bool>.self)
        same(one.contains(4), list.contains(4), as: Just<Bool>.self)
        same(one.reduce(1, +), list.reduce(1, +), as: Result<Int, Never>.Publisher.self)
        same(one.scan(1, +), list.scan(1, +), as: Result<Int, Never>.Publisher.self)
        same(one.mapError { _ -> Oops in }, list, as: Result<Int, Oops>.Publisher.self)
        same(one.setFailureType(to: Oops.self), list, as: Result<Int, Oops>.Publisher.self)
        same(one.prepend(1, 2), list.prepend(1, 2), as: Publishers.Sequence<[Int], Never>.self)
        same(one.append(1, 2), list.append(1, 2), as: Publishers.Sequence<[Int], Never>.self)
        same(
            one.append([1].publisher), list.append(1),
            as: Publishers.Concatenate<Just<Int>, Publishers.Sequence<[Int], Never>>.self)
        for own in [
            one.first(), one.last(), one.min(), one.max(), one.min(by: <), one.max(by: <), one.removeDuplicates(),
            one.removeDuplicates(by: <), one.retry(3), one.replaceError(with: 1), one.replaceEmpty(with: 1),
        ] { same(own, list, as: Just<Int>.self) }
        same(one.ignoreOutput().map { _ in 0 }, list.filter { _ in false }, as: Publishers.Map<Empty<Int, Never>, Int>.self)
    }

    @Test("Operators on `Just` that can drop its value behave as for a list", arguments: [0, 4])
    func cutting(_ value: Int) {
        let (one, list, kind) = (Just(value), [value].publisher, Int?.Publisher.self)
        same(one.compactMap { $0 > 1 ? $0 + 1 : nil }, list.compactMap { $0 > 1 ? $0 + 1 : nil }, as: kind)
        same(one.filter { $0 > 1 }, list.filter { $0 > 1 }, as: kind)
        same(one.first { $0 > 1 }, list.first { $0 > 1 }, as: kind)
        same(one.last { $0 > 1 }, list.last { $0 > 1 }, as: kind)
        same(one.prefix { $0 > 1 }, list.prefix { $0 > 1 }, as: kind)
        same(one.drop { $0 > 1 }, list.drop { $0 > 1 }, as: kind)
        for place in 0...1 {
            same(one.dropFirst(place), list.dropFirst(place), as: kind)
            same(one.prefix(place), list.prefix(place), as: kind)
            same(one.output(at: place), list.output(at: place), as: kind)
            same(one.output(in: place...), list.output(in: place...), as: kind)
            same(Int?.Publisher(value).output(in: place...), list.output(in: place...), as: kind)
            same(Int?.Publisher(value).output(in: place..<Int.max), list.output(in: place...), as: kind)
        }
    }

    @Test("Operators on `Just` with a throwing closure behave as for a list", arguments: [0, 4])
    func throwing(_ value: Int) {
        let (one, list, kind) = (Just(value), [value].publisher, Result<Bool, Oops>.Publisher.self)
        same(one.tryMap(fussy), list.tryMap(fussy), as: kind)
        let add = { @Sendable (sum: Int, value: Int) throws(Oops) in try fussy(value) ? sum : sum + 1 }
        same(one.tryReduce(1, add), list.tryReduce(1, add), as: Result<Int, Oops>.Publisher.self)
        same(one.tryScan(1, add), list.tryScan(1, add), as: Result<Int, Oops>.Publisher.self)
        let compared = one.tryRemoveDuplicates { try fussy($0) || $1 > 9 }
        expect(sent(compared).values == (value == 4 ? [] : [value]))
        // An untyped `throws` has the failure type `any Error`.
        let kinds = (one.tryMap { try fussy($0) }, one.tryAllSatisfy { try fussy($0) }, one.tryContains { try fussy($0) })
        expect(
            type(of: kinds.0) == Result<Bool, any Error>.Publisher.self
                && type(of: compared) == Result<Int, any Error>.Publisher.self)
        same(kinds.1, kinds.2, as: Result<Bool, any Error>.Publisher.self)
    }

    @Test("Operators on `Optional.Publisher` behave as for a list of one value or none", arguments: [nil, 0, 4])
    func optional(_ value: Int?) {
        let (one, list) = (value.publisher, (value.map { [$0] } ?? []).publisher)
        same(one.map { "\($0)" }, list.map { "\($0)" }, as: String?.Publisher.self)
        same(one.collect(), list.collect(), as: [Int]?.Publisher.self)
        same(one.scan(1, +), list.scan(1, +), as: Int?.Publisher.self)
        same(one.filter { $0 > 1 }, list.filter { $0 > 1 }, as: Int?.Publisher.self)
        same(one.replaceEmpty(with: 7), list.replaceEmpty(with: 7), as: Just<Int>.self)
        for own in [one.first(), one.last(), one.min(), one.max(), one.retry(3), one.replaceError(with: 1)] {
            same(own, list, as: Int?.Publisher.self)
        }
        // Unlike an empty list, a missing value is not counted, reduced or tested, as in Combine.
        expectEqual(one.count(), .init(value.map { _ in 1 }))
        expectEqual(one.reduce(1, +), .init(value.map { $0 + 1 }))
        expectEqual(one.allSatisfy { $0 > 1 }, .init(value.map { $0 > 1 }))
        expectEqual(one.contains(4), .init(value.map { $0 == 4 }))
        expectEqual(one.contains { $0 > 1 }, .init(value.map { $0 > 1 }))
    }

    @Test(
        "Operators on `Result.Publisher` behave as for a record of one value or a failure",
        arguments: [.success(0), .success(4), .failure(.first)] as [Result<Int, Oops>])
    func result(_ result: Result<Int, Oops>) {
        let one = result.publisher
        let list = Record(output: (try? result.get()).map { [$0] } ?? [], completion: end(of: result))
        same(one.map { "\($0)" }, list.map { "\($0)" }, as: Result<String, Oops>.Publisher.self)
        same(one.tryMap(fussy), list.tryMap { try fussy($0) }, as: Result<Bool, any Error>.Publisher.self)
        same(one.count(), list.count(), as: Result<Int, Oops>.Publisher.self)
        same(one.collect(), list.collect(), as: Result<[Int], Oops>.Publisher.self)
        same(one.allSatisfy { $0 > 1 }, list.allSatisfy { $0 > 1 }, as: Result<Bool, Oops>.Publisher.self)
        same(one.contains { $0 > 1 }, list.contains { $0 > 1 }, as: Result<Bool, Oops>.Publisher.self)
        same(one.contains(4), list.contains(4), as: Result<Bool, Oops>.Publisher.self)
        same(one.reduce(1, +), list.reduce(1, +), as: Result<Int, Oops>.Publisher.self)
        same(one.scan(1, +), list.scan(1, +), as: Result<Int, Oops>.Publisher.self)
        same(one.mapError { _ in Oops.second }, list.mapError { _ in Oops.second }, as: Result<Int, Oops>.Publisher.self)
        same(one.replaceError(with: 7), list.replaceError(with: 7), as: Result<Int, Never>.Publisher.self)
        same(one.replaceEmpty(with: 7), list.replaceEmpty(with: 7), as: Result<Int, Oops>.Publisher.self)
        for own in [one.tryMin { try fussy($0) || $1 > 9 }, one.tryMax { try fussy($0) || $1 > 9 }] {
            same(own, list.tryMap { if try fussy($0) { $0 } else { $0 } }, as: Result<Int, any Error>.Publisher.self)
        }
    }

    private func end(of result: Result<Int, Oops>) -> Subscribers.Completion<Oops> {
        if case .failure(let error) = result { .failure(error) } else { .finished }
    }

    @Test("The closure of an operator on `Just` runs once, when the operator is called")
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
