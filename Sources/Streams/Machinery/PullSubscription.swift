/// The subscription of every source whose values are ready: a sequence, a single value, a result, a record.
///
/// One value is taken ahead, so that the completion follows the last value without further demand.
///
/// A subscriber that requests unlimited values in `receive(subscription:)` is served right after that returns, by
/// ``run(_:named:completion:to:)``, with the iterator and the subscriber as locals: there the optimizer sees the whole chain and
/// makes a plain loop of it.
@usableFromInline
final class PullSubscription<Source: Sequence, Downstream: Subscriber>: DeliverySubscription<Downstream>, @unchecked Sendable
where Downstream.Input == Source.Element {
    // Sound: as the base class says; `source` and `elements` are behind the lock of the delivery.
    /// The sequence, for the description and the mirror; nil after the end, or once ``run(_:named:completion:to:)`` sends.
    @exclusivity(unchecked) @usableFromInline var source: Source?
    /// The iterator; nil after the end, or while it is used.
    @exclusivity(unchecked) @usableFromInline var elements: Source.Iterator?
    @usableFromInline let completion: State.Completion

    @inlinable init(
        _ source: Source, _ first: Source.Element, _ elements: Source.Iterator, named name: String,
        completion: State.Completion, downstream: Downstream
    ) {
        self.source = source
        self.elements = elements
        self.completion = completion
        super.init(downstream, named: name) { unsafeDowncast($0, to: PullSubscription.self).takeNext() }
        delivery.withLock { $0.supply(first) }
    }

    /// Subscribes a subscriber to the elements of a sequence.
    ///
    /// - Parameters:
    ///   - source: The sequence.
    ///   - name: The description of the subscription, if `source` is a single value, or after the end.
    ///   - completion: Sent after the last element.
    ///   - subscriber: Receives the elements.
    @inlinable static func run(
        _ source: Source, named name: String, completion: State.Completion, to subscriber: Downstream
    ) {
        var iterator = source.makeIterator()
        guard let first = iterator.next() else {
            subscriber.receive(subscription: Subscriptions.empty)
            subscriber.receive(completion: completion)
            return
        }
        let subscription = make(source, first, iterator, named: name, completion: completion, downstream: subscriber)
        subscriber.receive(subscription: subscription)
        guard subscription.startsAtOnce() else { return }
        var next: Source.Element? = first
        while !subscription.outlet.isClosed, let value = next {
            _ = subscriber.receive(value)
            next = iterator.next()
        }
        _ = subscription.perform(.finish(completion), until: nil)
    }

    /// Creates the subscription. Not inlined: if the subscriber were stored in the same function, the optimizer would assume that
    /// its memory may change, and the loop above would call its closures instead of inlining them.
    @inlinable @inline(never) static func make(
        _ source: Source, _ first: Source.Element, _ elements: Source.Iterator, named name: String,
        completion: State.Completion, downstream: Downstream
    ) -> PullSubscription {
        PullSubscription(source, first, elements, named: name, completion: completion, downstream: downstream)
    }

    /// Ends the subscribing. Returns true if the caller is to send all values; otherwise has sent those that were requested.
    @inlinable @inline(never) func startsAtOnce() -> Bool {
        let taken = delivery.withLock { delivery -> (Queue<Source.Element>, Source?, Source.Iterator?)? in
            guard !delivery.isCancelled, delivery.demand == .unlimited else { return nil }
            defer { delivery.values = Queue() }
            return (delivery.values, source.take(), elements.take())
        }
        if taken != nil { return true }
        _ = deliver { $0.start() }
        return false
    }

    /// Takes the next value from the iterator, and returns the sender's next action. No lock is held meanwhile.
    @inlinable func takeNext() -> State.Action {
        guard var iterator = delivery.withLock({ _ in elements.take() }) else { return .idle }
        let value = iterator.next()
        return delivery.withLock { delivery in
            if delivery.isCancelled { return .idle }
            elements = iterator
            if let value { delivery.supply(value) } else { delivery.completion = completion }
            return delivery.next()
        }
    }

    override func release() {
        let taken = delivery.withLock { _ in (source.take(), elements.take()) }
        discard(taken)
    }

    /// True if the source is a single value.
    @inlinable static var isSingle: Bool { Source.self == CollectionOfOne<Source.Element>.self }

    override func request(_ demand: Subscribers.Demand) {
        if Self.isSingle { demand.requireSome() }
        super.request(demand)
    }

    override var description: String {
        if !Self.isSingle, let source = delivery.withLock({ _ in source }) { String(describing: source) } else { name }
    }

    override var customMirror: Mirror {
        let rest = delivery.withLock { _ in source }
        if Self.isSingle { return mirror(rest.map { $0.map { (nil, $0) } } ?? []) }
        let children: [Mirror.Child] = [("sequence", rest ?? [Source.Element]() as Any), ("completion", completion)]
        return mirror(name == "Sequence" ? [children[0]] : children)
    }
}
