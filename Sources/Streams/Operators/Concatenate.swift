import Synchronization

extension Publishers {
    /// A publisher that sends all values of one publisher, then all of another.
    public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: GrammaticalPublisher
    where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
        /// What is sent.
        public typealias Output = Suffix.Output
        /// How it may fail.
        public typealias Failure = Suffix.Failure

        /// What comes first.
        public let prefix: Prefix

        /// What comes once the first has finished.
        public let suffix: Suffix

        /// A publisher that sends all values of one publisher, then all of another.
        @inlinable @inline(__always)
        public init(prefix: Prefix, suffix: Suffix) {
            self.prefix = prefix
            self.suffix = suffix
        }

        /// Attaches a subscriber.
        @inlinable
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Output, S.Failure == Failure {
            prefix.subscribe(ConcatenateSubscriber(ConcatenateSubscription(subscriber, suffix: suffix), isPrefix: true))
        }
    }
}

extension Publishers.Concatenate: Sendable where Prefix: Sendable, Suffix: Sendable {}
extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}

extension Publisher {
    /// Sends some values after this publisher's.
    @inlinable @inline(__always)
    public func append(_ elements: Output...) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
        append(elements)
    }

    /// Sends the elements of a sequence after this publisher's values.
    @inlinable @inline(__always)
    public func append<S: Swift.Sequence>(
        _ elements: S
    ) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> where S.Element == Output {
        append(Publishers.Sequence(sequence: elements))
    }

    /// Sends another publisher's values after this one's; it is subscribed to when this one has finished.
    @inlinable @inline(__always)
    public func append<P: Publisher>(
        _ publisher: P
    ) -> Publishers.Concatenate<Self, P> where P.Output == Output, P.Failure == Failure {
        Publishers.Concatenate(prefix: self, suffix: publisher)
    }

    /// Sends some values before this publisher's.
    @inlinable @inline(__always)
    public func prepend(_ elements: Output...) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
        prepend(elements)
    }

    /// Sends the elements of a sequence before this publisher's values.
    @inlinable @inline(__always)
    public func prepend<S: Swift.Sequence>(
        _ elements: S
    ) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> where S.Element == Output {
        prepend(Publishers.Sequence(sequence: elements))
    }

    /// Sends another publisher's values before this one's; this one is subscribed to when the other has finished.
    @inlinable @inline(__always)
    public func prepend<P: Publisher>(
        _ publisher: P
    ) -> Publishers.Concatenate<P, Self> where P.Output == Output, P.Failure == Failure {
        Publishers.Concatenate(prefix: publisher, suffix: self)
    }
}

/// Carries the demand that is left over from the prefix to the suffix.
@usableFromInline
final class ConcatenateSubscription<Suffix: Publisher, Downstream: Subscriber>: SubscriptionCore, @unchecked Sendable
where Suffix.Output == Downstream.Input, Suffix.Failure == Downstream.Failure {
    // Sound: `guarded` is behind its lock, the outlet guards itself.

    @usableFromInline
    struct Guarded: @unchecked Sendable {
        // Sound: behind the lock.
        @usableFromInline var demand = Subscribers.Demand.none
        @usableFromInline var current: SubscriptionCore?
        @usableFromInline var suffix: Suffix?
        @usableFromInline var isStarted = false
        @inlinable init(suffix: Suffix) { self.suffix = suffix }
    }

    @usableFromInline let outlet: Outlet<Downstream>
    @usableFromInline let guarded: Lock<Guarded>
    /// Whether everything was asked for, so that nothing needs counting.
    @usableFromInline let wantsAll = Atomic<Bool>(false)

    @inlinable
    init(_ downstream: Downstream, suffix: Suffix) {
        outlet = Outlet(downstream)
        guarded = Lock(Guarded(suffix: suffix))
        super.init()
    }

    @inlinable
    func receive(subscription: any Subscription) {
        let core = SubscriptionCore.adopting(subscription)
        let (isFirst, demand, isTaken) = guarded.withLock { guarded in
            guard guarded.current == nil, !outlet.isClosed else { return (false, Subscribers.Demand.none, false) }
            guarded.current = core
            defer { guarded.isStarted = true }
            return (!guarded.isStarted, guarded.demand, true)
        }
        guard isTaken else { return core.cancel() }
        if isFirst {
            outlet.send(subscription: self)
        } else if demand != .none {
            core.request(demand)
        }
    }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        if wantsAll.load(ordering: .relaxed) {
            _ = outlet.send(input)
            return .none
        }
        guarded.withLock { $0.demand -= 1 }
        let more = outlet.send(input)
        if more != .none { guarded.withLock { $0.demand += more } }
        return more
    }

    @inlinable
    func prefixCompleted(_ completion: Subscribers.Completion<Downstream.Failure>) {
        let suffix = guarded.withLock { guarded in
            guarded.current = nil
            return UncheckedTransfer(guarded.suffix.take())
        }.value
        guard case .finished = completion else { return outlet.finish(completion) }
        guard let suffix, !outlet.isClosed else { return }
        suffix.subscribe(ConcatenateSubscriber(self, isPrefix: false))
    }

    @inlinable
    func suffixCompleted(_ completion: Subscribers.Completion<Downstream.Failure>) {
        guarded.withLock { $0.current = nil }
        outlet.finish(completion)
    }

    @usableFromInline
    override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        if demand == .unlimited { wantsAll.store(true, ordering: .relaxed) }
        let current = guarded.withLock { guarded in
            guarded.demand += demand
            return guarded.current
        }
        current?.request(demand)
    }

    @usableFromInline
    override func cancel() {
        outlet.close()
        let (current, _) = guarded.withLock { guarded in
            (guarded.current.take(), UncheckedTransfer(guarded.suffix.take()))
        }
        current?.cancel()
    }

    @usableFromInline
    override var description: String { "Concatenate" }
}

/// Receives what one of the two sends.
@usableFromInline
struct ConcatenateSubscriber<Suffix: Publisher, Downstream: Subscriber>: Subscriber
where Suffix.Output == Downstream.Input, Suffix.Failure == Downstream.Failure {
    @usableFromInline let base: ConcatenateSubscription<Suffix, Downstream>
    @usableFromInline let isPrefix: Bool

    @inlinable @inline(__always)
    init(_ base: ConcatenateSubscription<Suffix, Downstream>, isPrefix: Bool) {
        self.base = base
        self.isPrefix = isPrefix
    }

    @inlinable
    func receive(subscription: any Subscription) { base.receive(subscription: subscription) }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand { base.receive(input) }

    @inlinable
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        if isPrefix { base.prefixCompleted(completion) } else { base.suffixCompleted(completion) }
    }

    @inlinable
    var combineIdentifier: CombineIdentifier { base.combineIdentifier }

    @usableFromInline var subscriberContext: AnyObject? {
        var context: AnyObject?
        base.outlet.borrow { context = $0.downstream.subscriberContext }
        return context
    }
}
