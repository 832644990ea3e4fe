import Synchronization

/// The subscription of every source whose values are ready: a sequence, a single value, a result, a record.
///
/// One thread at a time drains it, that is, sends as many values as are requested. A request from inside a delivery only adds to
/// the demand, and the draining thread continues. A request from another thread also adds to it; then the draining thread hands
/// over to a successor, see ``Mailbox``. The completion follows the last value without further demand.
///
/// A subscriber that requests unlimited values in `receive(subscription:)` is served right after that returns, by
/// ``run(_:named:completion:to:)``, with the iterator and the subscriber as locals: there the optimizer sees the whole chain and
/// makes a plain loop of it.
@usableFromInline final class PullSubscription<Source: Sequence, Downstream: Subscriber>: SubscriptionCore, @unchecked Sendable
where Downstream.Input == Source.Element {
    // Sound: `state` is atomic; all else is only used by the thread that drains or, during the start, subscribes.
    @usableFromInline let state = Atomic<UInt64>(StateBits.starting)
    /// The sequence, for the description and the mirror; nil after the end, or once ``run(_:named:completion:to:)`` drains.
    @exclusivity(unchecked) @usableFromInline var source: Source?
    @exclusivity(unchecked) @usableFromInline var elements: Source.Iterator?
    @exclusivity(unchecked) @usableFromInline var next: Source.Element?
    @exclusivity(unchecked) @usableFromInline var holder: BorrowedSubscriber<Downstream>?
    @usableFromInline let completion: Subscribers.Completion<Downstream.Failure>
    @usableFromInline let name: String
    /// Drains. The closure is formed where the types are known, so that it stays specialized behind `any Subscription`.
    @usableFromInline let drain: (PullSubscription) -> Void
    @usableFromInline let takeOver: (PullSubscription) -> Void
    /// The thread that has last begun to drain, and whether another thread has requested values since then.
    @usableFromInline let drainer = Atomic<UInt>(0)
    @usableFromInline let hasVisitors = Atomic<Bool>(false)

    @inlinable init(
        _ source: Source, _ first: Source.Element, _ elements: Source.Iterator, named name: String,
        completion: Subscribers.Completion<Downstream.Failure>, downstream: Downstream
    ) {
        self.source = source
        self.next = first
        self.elements = elements
        self.name = name
        self.completion = completion
        holder = BorrowedSubscriber(downstream)
        drain = { $0.drainSpecialised() }
        takeOver = { $0.drainSpecialised(asSuccessor: true) }
        super.init()
    }

    /// Subscribes a subscriber to the elements of a sequence.
    ///
    /// - Parameters:
    ///   - source: The sequence.
    ///   - name: The description of the subscription, if `source` is a single value or cannot be read: while it is drained and
    ///     after the end.
    ///   - completion: Sent after the last element.
    ///   - subscriber: Receives the elements.
    @inlinable static func run(
        _ source: Source, named name: String, completion: Subscribers.Completion<Downstream.Failure>, to subscriber: Downstream
    ) {
        var iterator = source.makeIterator()
        guard let first = iterator.next() else {
            subscriber.receive(subscription: Subscriptions.empty)
            subscriber.receive(completion: completion)
            return
        }
        let subscription = make(source, first, iterator, named: name, completion: completion, downstream: subscriber)
        subscriber.receive(subscription: subscription)
        guard subscription.endStart() else { return }
        // From here on this thread drains; the demand is unlimited.
        subscription.source = nil
        subscription.elements = nil
        subscription.next = nil
        var next: Source.Element? = first
        while !subscription.isClosed, let value = next {
            _ = subscriber.receive(value)
            next = iterator.next()
        }
        if subscription.close() { subscriber.receive(completion: completion) }
        subscription.letGo()
    }

    /// Creates the subscription. Not inlined: if the subscriber were stored in the same function, the optimizer would assume that
    /// its memory may change, and the loop above would call its closures instead of inlining them.
    @inlinable @inline(never) static func make(
        _ source: Source, _ first: Source.Element, _ elements: Source.Iterator, named name: String,
        completion: Subscribers.Completion<Downstream.Failure>, downstream: Downstream
    ) -> PullSubscription {
        PullSubscription(source, first, elements, named: name, completion: completion, downstream: downstream)
    }

    /// True if the source is a single value.
    @inlinable static var isSingle: Bool { Source.self == CollectionOfOne<Source.Element>.self }
    @inlinable @inline(__always) var isClosed: Bool { state.load(ordering: .relaxed) & StateBits.closed != 0 }

    /// Closes the subscription; returns whether this call closed it.
    @inlinable func close() -> Bool {
        state.bitwiseOr(StateBits.closed, ordering: .acquiringAndReleasing).oldValue & StateBits.closed == 0
    }

    /// Ends the start, after the subscriber has returned from `receive(subscription:)`; returns whether the caller must drain,
    /// because there is demand and no thread is draining.
    @inlinable func endStart() -> Bool {
        var seen = state.load(ordering: .relaxed)
        while true {
            let drains = seen & (StateBits.closed | StateBits.draining) == 0 && seen & StateBits.demand != 0
            let after = (seen & ~StateBits.starting) | (drains ? StateBits.draining : 0)
            let (exchanged, now) = state.compareExchange(
                expected: seen, desired: after, ordering: .acquiringAndReleasing)
            if exchanged {
                if seen & StateBits.closed != 0, seen & StateBits.draining == 0 { letGo() }
                return drains
            }
            seen = now
        }
    }

    /// Adds demand; returns whether the caller must drain.
    @inlinable func add(_ demand: Subscribers.Demand) -> Bool {
        let wanted = demand == .unlimited ? StateBits.unlimited : min(UInt64(demand.rawValue), StateBits.unlimited)
        var seen = state.load(ordering: .relaxed)
        while true {
            if seen & StateBits.closed != 0 { return false }
            let sum = min((seen & StateBits.demand) + wanted, StateBits.unlimited)
            let waits = seen & StateBits.draining != 0 || (seen & StateBits.starting != 0 && wanted == StateBits.unlimited)
            let after = (seen & ~StateBits.demand) | sum | StateBits.draining
            // Must become visible before the demand.
            if seen & StateBits.draining != 0, drainer.load(ordering: .relaxed) != currentThread() {
                hasVisitors.store(true, ordering: .releasing)
            }
            let (exchanged, now) = state.compareExchange(
                expected: seen, desired: waits ? (seen & ~StateBits.demand) | sum : after,
                ordering: .acquiringAndReleasing)
            if exchanged { return !waits }
            seen = now
        }
    }

    @inlinable func drainSpecialised(asSuccessor isSuccessor: Bool = false) {
        var slice = isSuccessor ? TimeSlice() : nil
        // Acquiring: a successor sees all changes of the previous thread.
        _ = drainer.exchange(currentThread(), ordering: .acquiringAndReleasing)
        hasVisitors.store(false, ordering: .relaxed)
        while true {
            let seen = state.load(ordering: .acquiring)
            if seen & StateBits.closed != 0 { return letGo() }
            if seen & StateBits.demand == 0 {
                let rest = seen & ~StateBits.draining
                if state.compareExchange(expected: seen, desired: rest, ordering: .acquiringAndReleasing).exchanged { return }
                continue
            }
            if slice?.isOver() ?? hasVisitors.load(ordering: .acquiring) { return handOver() }
            if seen & StateBits.demand != StateBits.unlimited { state.wrappingSubtract(1, ordering: .relaxed) }
            let more = sendNext()
            if more != .none { _ = add(more) }
            next = elements?.next()
            if next == nil {
                if close() { complete() }
                return letGo()
            }
        }
    }

    @inlinable @inline(never) func handOver() {
        // No request from inside a delivery is possible any more.
        drainer.store(0, ordering: .releasing)
        Handover.run { [self] in takeOver(self) }
    }

    /// Sends the next value; returns the demand that the subscriber returns. Not inlined: with the whole chain inlined into the
    /// loop above, the compiler (6.3) fails on long chains.
    @inlinable @inline(never) func sendNext() -> Subscribers.Demand {
        guard let value = next else { return .none }
        switch holder {
        case .some(let holder): return holder.receive(value)
        case .none: return .none
        }
    }

    @inlinable @inline(never) func complete() { if let holder = holder.take() { holder.receive(completion: completion) } }

    @inlinable func letGo() {
        source = nil
        elements = nil
        next = nil
        holder = nil
    }

    @usableFromInline override func request(_ demand: Subscribers.Demand) {
        if Self.isSingle { demand.requireSome() }
        if add(demand) { drain(self) }
    }

    @usableFromInline override func cancel() {
        let seen = state.bitwiseOr(StateBits.closed, ordering: .acquiringAndReleasing).oldValue
        if seen & (StateBits.closed | StateBits.draining | StateBits.starting) == 0 { letGo() }
    }

    /// The source; nil after the end, or while a thread drains. Reading it briefly acquires the right to drain.
    private var idleSource: Source? {
        let idle = state.load(ordering: .relaxed) & StateBits.starting
        let (isMine, _) = state.compareExchange(expected: idle, desired: idle | StateBits.draining, ordering: .acquiring)
        defer { if isMine { drain(self) } }
        return isMine ? source : nil
    }

    @usableFromInline override var description: String {
        if !Self.isSingle, let idleSource { String(describing: idleSource) } else { name }
    }

    @usableFromInline override var customMirror: Mirror {
        let rest = idleSource
        if Self.isSingle { return mirror(rest.map { $0.map { (nil, $0) } } ?? []) }
        let children: [Mirror.Child] = [("sequence", rest ?? [Source.Element]() as Any), ("completion", completion)]
        return mirror(name == "Sequence" ? [children[0]] : children)
    }
}
