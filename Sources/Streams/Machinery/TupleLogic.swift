/// Sends rows, one value of each upstream: what zip and combineLatest share. The downstream's demand is for all upstreams. In zip
/// a row takes one value of each, so that none need be held back. In combineLatest, which keeps values until they are replaced,
/// one that is replaced before all have sent has used up its upstream's demand, but none of the downstream's: it is made up for
/// as soon as there is something to send.
@usableFromInline struct TupleLogic<A, B, C, D, Downstream: Subscriber>: FanInLogic {
    @usableFromInline typealias Input = OneOf<A, B, C, D>
    @usableFromInline var (a, b, c, d) = (RowSlot<A>(), RowSlot<B>(), RowSlot<C>(), RowSlot<D>())
    /// StateBits, one for each upstream: which have nothing to give, and which have finished.
    @usableFromInline var (empty, finished): (UInt8, UInt8)
    @usableFromInline let all: UInt8
    @usableFromInline let keeps: Bool
    @usableFromInline let row: (inout TupleLogic) -> Downstream.Input
    /// Whether there is a row that has not been sent.
    @usableFromInline var isFresh = false
    /// How many values of each upstream were replaced before there was a row.
    @usableFromInline var replaced = [0, 0, 0, 0]

    @inlinable init(of count: Int, keeping keeps: Bool = false, row: @escaping (inout TupleLogic) -> Downstream.Input) {
        all = 1 << UInt8(count) - 1
        (empty, finished) = (all, 0)
        (self.keeps, self.row) = (keeps, row)
    }

    @inlinable mutating func receive(_ input: Input, from source: FanInSourceCore?, in rows: FanIn<TupleLogic>) -> Completion? {
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

    /// A value comes while not all have sent one.
    @inlinable mutating func replace(_ place: Int, in rows: FanIn<TupleLogic>) {
        if empty & 1 << UInt8(place) == 0 { replaced[place] += 1 }
        guard empty == 1 << UInt8(place), rows.demand != .unlimited else { return }
        for place in 0..<4 where replaced[place] > 0 {
            rows.afterwards { [replaced] in rows.sources[place]?.inlet.request(.max(replaced[place])) }
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

    @inlinable mutating func ended(_ source: FanInSourceCore?, _ error: Downstream.Failure?, in rows: FanIn<TupleLogic>)
        -> Completion?
    {
        if let error { return .failure(error) }
        if let source { finished |= 1 << UInt8(source.place) }
        return requested(in: rows)
    }
}

/// What one upstream has to give to a row: the values that wait, or the latest.
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
