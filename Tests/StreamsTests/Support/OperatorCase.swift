import Streams

typealias Ints = AnyPublisher<Int, Oops>

/// An operator, and its output for a list: the tests of the contract run over all of them.
struct OperatorCase: Sendable, CustomStringConvertible {
    let description: String
    /// Indicates whether the operator itself obeys the grammar, even if its upstream does not.
    var isGuarded = true
    /// Applies the operator; its closures capture the token.
    let apply: @Sendable (Ints, Token) -> Ints
    /// Its values for those of an upstream that then finishes or fails.
    let model: @Sendable (_ values: [Int], _ fails: Bool) -> [Int]
    /// Indicates whether it finishes before the upstream does.
    var finishesEarly: @Sendable ([Int]) -> Bool = { _ in false }

    static func sequence(_ values: [Int]) -> Publishers.Sequence<[Int], Oops> { Publishers.Sequence(sequence: values) }

    static let all = transforming + cutting + joining + combining + passing

    static let transforming: [OperatorCase] = [
        OperatorCase(description: "map", isGuarded: false) { upstream, token in
            upstream.map { token.pass($0 * 2 + 1) }.eraseToAnyPublisher()
        } model: { values, _ in
            values.map { $0 * 2 + 1 }
        },
        OperatorCase(description: "filter", isGuarded: false) { upstream, token in
            upstream.filter { token.pass($0 % 2 == 0) }.eraseToAnyPublisher()
        } model: { values, _ in
            values.filter { $0 % 2 == 0 }
        },
        OperatorCase(description: "compactMap", isGuarded: false) { upstream, token in
            upstream.compactMap { token.pass($0 % 3 == 0 ? nil : $0 + 1) }.eraseToAnyPublisher()
        } model: { values, _ in
            values.compactMap { $0 % 3 == 0 ? nil : $0 + 1 }
        },
        OperatorCase(description: "scan", isGuarded: false) { upstream, token in
            upstream.scan(10) { token.pass($0 + $1) }.eraseToAnyPublisher()
        } model: { values, _ in
            values.indices.map { 10 + values[...$0].reduce(0, +) }
        },
        OperatorCase(description: "removeDuplicates", isGuarded: false) { upstream, _ in
            upstream.removeDuplicates().eraseToAnyPublisher()
        } model: { values, _ in
            values.indices.filter { $0 == 0 || values[$0 - 1] != values[$0] }.map { values[$0] }
        },
        OperatorCase(description: "removeDuplicates(by:)", isGuarded: false) { upstream, token in
            upstream.removeDuplicates { token.pass($0 / 2 == $1 / 2) }.eraseToAnyPublisher()
        } model: { values, _ in
            var kept: [Int] = []
            for value in values where kept.last.map({ $0 / 2 != value / 2 }) ?? true { kept.append(value) }
            return kept
        },
        OperatorCase(description: "flatMap, one at a time") { upstream, token in
            upstream.flatMap(maxPublishers: .max(1)) { sequence(Array(repeating: token.pass($0), count: $0 % 3)) }
                .eraseToAnyPublisher()
        } model: { values, _ in
            values.flatMap { Array(repeating: $0, count: $0 % 3) }
        },
        OperatorCase(description: "flatMap to Just") { upstream, token in
            upstream.flatMap { sequence([token.pass($0) + 5]) }.eraseToAnyPublisher()
        } model: { values, _ in
            values.map { $0 + 5 }
        },
    ]

    static let cutting: [OperatorCase] = [
        cut("prefix(0)", 0..<0) { upstream, _ in upstream.prefix(0).eraseToAnyPublisher() },
        cut("prefix(3)", 0..<3) { upstream, _ in upstream.prefix(3).eraseToAnyPublisher() },
        cut("output(at:)", 2..<3) { upstream, _ in upstream.output(at: 2).eraseToAnyPublisher() },
        cut("output(in: 1..<4)", 1..<4) { upstream, _ in upstream.output(in: 1..<4).eraseToAnyPublisher() },
        cut("output(in: 2...)", 2..<Int.max) { upstream, _ in upstream.output(in: 2...).eraseToAnyPublisher() },
        cut("first", 0..<1) { upstream, _ in upstream.first().eraseToAnyPublisher() },
        OperatorCase(description: "first(where:)") { upstream, token in
            upstream.first { token.pass($0 > 3) }.eraseToAnyPublisher()
        } model: { values, _ in
            Array(values.filter { $0 > 3 }.prefix(1))
        } finishesEarly: {
            $0.contains { $0 > 3 }
        },
    ]

    private static func cut(
        _ name: String, _ range: Range<Int>, apply: @escaping @Sendable (Ints, Token) -> Ints
    ) -> OperatorCase {
        OperatorCase(description: name, apply: apply) { values, _ in
            values.indices.filter(range.contains).map { values[$0] }
        } finishesEarly: {
            $0.count >= range.upperBound
        }
    }

    static let joining: [OperatorCase] = [
        OperatorCase(description: "append values") { upstream, _ in
            upstream.append(70, 71).eraseToAnyPublisher()
        } model: { values, fails in
            values + (fails ? [] : [70, 71])
        },
        OperatorCase(description: "append a publisher") { upstream, token in
            upstream.append(Deferred { sequence([token.pass(70)]) }).eraseToAnyPublisher()
        } model: { values, fails in
            values + (fails ? [] : [70])
        },
        OperatorCase(description: "prepend values") { upstream, _ in
            upstream.prepend(80, 81).eraseToAnyPublisher()
        } model: { values, _ in
            [80, 81] + values
        },
        OperatorCase(description: "prepend nothing") { upstream, _ in
            upstream.prepend([]).eraseToAnyPublisher()
        } model: { values, _ in
            values
        },
        OperatorCase(description: "merge with nothing") { upstream, _ in
            upstream.merge(with: Empty<Int, Oops>()).eraseToAnyPublisher()
        } model: { values, _ in
            values
        },
        OperatorCase(description: "merge of one") { upstream, _ in
            Publishers.MergeMany(upstream).eraseToAnyPublisher()
        } model: { values, _ in
            values
        },
    ]

    static let passing: [OperatorCase] = [
        OperatorCase(description: "handleEvents") { upstream, token in
            upstream.handleEvents(
                receiveSubscription: { _ in token.pass(()) }, receiveOutput: { _ in token.pass(()) },
                receiveCompletion: { _ in token.pass(()) }, receiveCancel: { token.pass(()) },
                receiveRequest: { _ in token.pass(()) }
            ).eraseToAnyPublisher()
        } model: { values, _ in
            values
        },
        same("print") { upstream, _ in upstream.print("", to: Silence()).eraseToAnyPublisher() },
        same("receive(on:)") { upstream, _ in upstream.receive(on: ImmediateScheduler.shared).eraseToAnyPublisher() },
        same("delay") { upstream, _ in
            upstream.delay(for: .seconds(1), scheduler: ImmediateScheduler.shared).eraseToAnyPublisher()
        },
        OperatorCase(description: "Deferred", isGuarded: false) { upstream, token in
            Deferred { token.pass(upstream) }.eraseToAnyPublisher()
        } model: { values, _ in
            values
        },
    ]

    private static func same(_ name: String, apply: @escaping @Sendable (Ints, Token) -> Ints) -> OperatorCase {
        OperatorCase(description: name, apply: apply) { values, _ in values }
    }
}

/// A stream that ignores written text.
struct Silence: TextOutputStream {
    mutating func write(_ string: String) {}
}

/// The source of the values of a generated test.
struct SourceCase: Sendable, CustomStringConvertible {
    let description: String
    let make: @Sendable ([Int]) -> Ints

    static let all: [SourceCase] = [
        SourceCase(description: "an erased sequence") { OperatorCase.sequence($0).eraseToAnyPublisher() },
        SourceCase(description: "a lazy sequence") {
            Publishers.Sequence<LazyMapSequence<[Int], Int>, Oops>(sequence: $0.lazy.map { $0 }).eraseToAnyPublisher()
        },
        SourceCase(description: "two halves") {
            let middle = $0.count / 2
            return OperatorCase.sequence(Array($0[..<middle])).append(Array($0[middle...])).eraseToAnyPublisher()
        },
        SourceCase(description: "a foreign publisher") { Pulled(values: $0).eraseToAnyPublisher() },
    ]
}

/// A publisher of a list, written without the module's machinery.
struct Pulled: Publisher, Sendable {
    typealias Output = Int
    typealias Failure = Oops
    let values: [Int]

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Oops {
        let link = PulledSubscription(values, AnySubscriber(subscriber))
        subscriber.receive(subscription: link)
        link.finishIfEmpty()
    }
}

final class PulledSubscription: Subscription {
    private var rest: ArraySlice<Int>
    private var subscriber: AnySubscriber<Int, Oops>?
    private var demand = Subscribers.Demand.none
    private var isSending = false

    init(_ values: [Int], _ subscriber: AnySubscriber<Int, Oops>) {
        rest = values[...]
        self.subscriber = subscriber
    }

    func finishIfEmpty() {
        if rest.isEmpty, !isSending, let subscriber {
            self.subscriber = nil
            subscriber.receive(completion: .finished)
        }
    }

    func request(_ more: Subscribers.Demand) {
        demand += more
        if isSending { return }
        isSending = true
        while demand != .none, let subscriber, let next = rest.popFirst() {
            demand -= 1
            demand += subscriber.receive(next)
        }
        isSending = false
        finishIfEmpty()
    }

    func cancel() { subscriber = nil }
}
