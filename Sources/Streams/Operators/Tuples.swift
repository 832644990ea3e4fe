extension Publishers {
    /// The kind of a publisher of tuples that sends the first values of its upstreams together, then the second ones, and so on.
    public enum Zipping {}

    /// The kind of a publisher of tuples that sends the latest values of its upstreams whenever one of them sends.
    public enum CombiningLatest {}

    /// A publisher that sends tuples of the values of several publishers. `Parts` is the tuple of their types.
    public struct Tuples<Parts, Output, Failure: Error, Kind>: Attaching {
        /// Subscribes to the publishers.
        @usableFromInline let run: (AnySubscriber<Output, Failure>) -> Void

        @inlinable package func attach(_ subscriber: some Subscriber<Output, Failure>) { run(AnySubscriber(subscriber)) }
    }
}

// Sound if the publishers are Sendable: the closure captures nothing else.
extension Publishers.Tuples: @unchecked Sendable where Parts: Sendable {}

extension Publishers.Tuples {
    /// Creates a publisher that combines the given publishers.
    @inlinable public init<A: Publisher, B: Publisher>(_ a: A, _ b: B)
    where Parts == (A, B), Output == (A.Output, B.Output), A.Failure == Failure, B.Failure == Failure {
        run = { subscriber in
            let logic = TupleLogic<A.Output, B.Output, Never, Never, AnySubscriber<Output, Failure>>(of: 2, as: Kind.self) {
                ($0.a.take(), $0.b.take())
            }
            FanIn(logic, subscriber, named: logic.name).attach(a) { .a($0) }.attach(b) { .b($0) }.start()
        }
    }

    /// Creates a publisher that combines the given publishers.
    @inlinable public init<A: Publisher, B: Publisher, C: Publisher>(_ a: A, _ b: B, _ c: C)
    where
        Parts == (A, B, C), Output == (A.Output, B.Output, C.Output), A.Failure == Failure, B.Failure == Failure,
        C.Failure == Failure
    {
        run = { subscriber in
            let logic = TupleLogic<A.Output, B.Output, C.Output, Never, AnySubscriber<Output, Failure>>(of: 3, as: Kind.self) {
                ($0.a.take(), $0.b.take(), $0.c.take())
            }
            FanIn(logic, subscriber, named: logic.name).attach(a) { .a($0) }.attach(b) { .b($0) }.attach(c) { .c($0) }.start()
        }
    }

    /// Creates a publisher that combines the given publishers.
    @inlinable public init<A: Publisher, B: Publisher, C: Publisher, D: Publisher>(_ a: A, _ b: B, _ c: C, _ d: D)
    where
        Parts == (A, B, C, D), Output == (A.Output, B.Output, C.Output, D.Output), A.Failure == Failure, B.Failure == Failure,
        C.Failure == Failure, D.Failure == Failure
    {
        run = { subscriber in
            let logic = TupleLogic<A.Output, B.Output, C.Output, D.Output, AnySubscriber<Output, Failure>>(of: 4, as: Kind.self) {
                ($0.a.take(), $0.b.take(), $0.c.take(), $0.d.take())
            }
            FanIn(logic, subscriber, named: logic.name)
                .attach(a) { .a($0) }.attach(b) { .b($0) }.attach(c) { .c($0) }.attach(d) { .d($0) }.start()
        }
    }
}

/// The logic that `zip` and `combineLatest` share: it sends rows of one value of each upstream.
///
/// The downstream's demand is requested from each upstream. In `zip` a row takes one value of each upstream, so that demand and
/// values match. `combineLatest` keeps a value until it is replaced. A value that is replaced before the first row uses up demand
/// of its upstream, but none of the downstream's; so one more is requested as soon as there is a row.
@usableFromInline struct TupleLogic<A, B, C, D, Downstream: Subscriber>: FanInLogic {
    @usableFromInline typealias Input = OneOf<A, B, C, D>
    @usableFromInline var (a, b, c, d) = (RowSlot<A>(), RowSlot<B>(), RowSlot<C>(), RowSlot<D>())
    /// Bits, one for each upstream: those that have no value for a row, and those that have finished.
    @usableFromInline var (empty, finished): (UInt8, UInt8)
    @usableFromInline let all: UInt8
    /// Keeps a value until it is replaced, as in `combineLatest`.
    @usableFromInline let keeps: Bool
    @usableFromInline var name: StaticString { keeps ? "CombineLatest" : "Zip" }
    /// Takes one value of each upstream.
    @usableFromInline let row: (inout TupleLogic) -> Downstream.Input
    /// True while there is a complete row that has not been sent.
    @usableFromInline var isFresh = false
    /// The number of values of each upstream that were replaced before the first row.
    @usableFromInline var replaced = [0, 0, 0, 0]

    @inlinable init(of count: Int, as kind: Any.Type, row: @escaping (inout TupleLogic) -> Downstream.Input) {
        all = 1 << UInt8(count) - 1
        (empty, finished) = (all, 0)
        keeps = kind == Publishers.CombiningLatest.self
        self.row = row
    }

    @inlinable mutating func receive(_ input: Input, from source: Inlet?, in rows: FanIn<TupleLogic>) -> Completion? {
        if keeps, empty != 0, let source { replace(source.place, in: rows) }
        switch input {
        case .a(let value): a.put(value, keeping: keeps)
        case .b(let value): b.put(value, keeping: keeps)
        case .c(let value): c.put(value, keeping: keeps)
        case .d(let value): d.put(value, keeping: keeps)
        }
        lookForEmpty()
        isFresh = empty == 0
        return requested(in: rows)
    }

    @inlinable mutating func lookForEmpty() {
        empty = all & ((a.isEmpty ? 1 : 0) | (b.isEmpty ? 2 : 0) | (c.isEmpty ? 4 : 0) | (d.isEmpty ? 8 : 0))
    }

    /// Counts a value that replaces another before the first row. If it is the value that completes the first row, requests the
    /// replaced ones again.
    @inlinable mutating func replace(_ place: Int, in rows: FanIn<TupleLogic>) {
        if empty & 1 << UInt8(place) == 0 { replaced[place] += 1 }
        guard empty == 1 << UInt8(place), rows.demand != .unlimited else { return }
        for place in 0..<4 where replaced[place] > 0 {
            rows.afterwards { [replaced] in rows.sources[place]?.request(.max(replaced[place])) }
        }
    }

    @inlinable mutating func requested(in rows: FanIn<TupleLogic>) -> Completion? {
        if isFresh, !keeps || rows.demand != .none {
            isFresh = false
            let values = row(&self)
            if !keeps { lookForEmpty() }
            rows.deliver(values)
        }
        let isOver = keeps ? finished == all && !isFresh : finished & empty != 0
        return isOver ? .finished : nil
    }

    @inlinable mutating func ended(_ source: Inlet?, _ error: (any Error)?, in rows: FanIn<TupleLogic>)
        -> Completion?
    {
        if let error { return .failure(convert(error)) }
        if let source { finished |= 1 << UInt8(source.place) }
        return requested(in: rows)
    }
}

/// The values that one upstream has for rows: a queue of them, or the latest only.
@usableFromInline struct RowSlot<Value> {
    @usableFromInline var waiting = Queue<Value>()
    @usableFromInline var latest: Value?
    @inlinable init() {}
    @inlinable var isEmpty: Bool { waiting.isEmpty && latest == nil }

    @inlinable mutating func put(_ value: Value, keeping keeps: Bool) {
        if keeps { latest = value } else { waiting.append(value) }
    }

    @inlinable mutating func take() -> Value { latest ?? waiting.popFirst()! }
}
