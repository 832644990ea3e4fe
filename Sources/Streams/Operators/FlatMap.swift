import Synchronization

extension Publishers {
    /// A publisher that transforms each value into a publisher, and sends the values of all these publishers as they arrive.
    public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Operator, Attaching
    where NewPublisher.Failure == Upstream.Failure {
        /// The type of the values sent.
        public typealias Output = NewPublisher.Output
        /// The upstream publisher.
        public let upstream: Upstream
        /// The greatest number of publishers at a time.
        public let maxPublishers: Subscribers.Demand
        /// The closure that makes a publisher of a value.
        public let transform: @Sendable (Upstream.Output) -> NewPublisher

        /// Creates a publisher that sends the values of the publishers that a closure makes of the upstream's values.
        @preconcurrency @inlinable @inline(__always) public init(
            upstream: Upstream, maxPublishers: Subscribers.Demand,
            transform: @escaping @Sendable (Upstream.Output) -> NewPublisher
        ) {
            self.upstream = upstream
            self.maxPublishers = maxPublishers
            self.transform = transform
        }

        @inlinable @inline(__always) __consuming func attach<S: Subscriber<Output, Failure>>(_ subscriber: __owned S) {
            let logic = FlatteningLogic<Upstream.Output, S>(running: 1, isLimited: maxPublishers != .unlimited) {
                [transform] element, isLeft, flattening in
                let publisher = WorkContext.bound(for: flattening.downstreamContext) { transform(element) }
                if let value = publisher.readyValue { return .value(value) }
                // The downstream may have cancelled in `transform`: then no closure of `publisher` is called.
                if flattening.demand == .unlimited, !flattening.isClosed.load(ordering: .acquiring) {
                    // With unlimited demand no value waits in the buffer, so ready values can be delivered directly. The closure
                    // stops as soon as the mailbox has an item: what other threads or the downstream post is handled between two
                    // values.
                    let ready = publisher._sendReady {
                        flattening.deliver($0)
                        return !flattening.mailbox.hasMail
                    }
                    if case .taken = ready { return .sent }
                    if case .left(let rest) = ready { return flattening.merge(later: AnyPublisher(left: rest), isLeft) }
                }
                return flattening.merge(later: publisher, isLeft)
            }
            let flattening = FanIn(logic, subscriber, named: "FlatMap")
            flattening.start()
            flattening.attach(upstream, asking: maxPublishers) { .element($0) }
        }

        /// Passes the values of the only publisher to a closure, without a subscription, if the upstream has a single ready value.
        @inlinable @inline(__always) public func _sendReady(to take: (Output) -> Bool) -> _ReadyValues {
            guard let element = upstream.readyValue, maxPublishers != .none else { return .unready }
            let publisher = transform(element)
            let ready = publisher._sendReady(to: take)
            if case .unready = ready { return .left(HiddenPublisherOf(publisher)) }
            return ready
        }
    }
}

extension Publishers.FlatMap: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Transforms each value into a publisher, and sends the values of all these publishers as they arrive:
    /// `words.flatMap { translations(of: $0) }`.
    ///
    /// If a value arrives while another is being delivered, from inside that delivery or from another thread, its publisher is
    /// made and subscribed to after the delivery, possibly on another thread. Values that a ``PassthroughSubject`` sends before
    /// that are lost; see ``switchToLatest()`` for an alternative.
    /// - Parameters:
    ///   - maxPublishers: The greatest number of publishers to be subscribed to at a time. That many values are requested from
    ///     the upstream, and another one when a publisher has finished.
    ///   - transform: Makes a publisher of a value.
    @preconcurrency @inlinable @inline(__always) public func flatMap<P>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.FlatMap<P, Self> { .init(upstream: self, maxPublishers: maxPublishers, transform: transform) }

    /// Like ``flatMap(maxPublishers:_:)``, for a closure whose publishers cannot fail.
    @preconcurrency @_disfavoredOverload @inlinable @inline(__always) public func flatMap<P>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> {
        flatMap(maxPublishers: maxPublishers, sendable { transform($0).setFailureType(to: Failure.self) })
    }

    /// Like ``flatMap(maxPublishers:_:)``, for a closure whose publishers may fail, though this publisher cannot.
    @preconcurrency @_disfavoredOverload @inlinable @inline(__always) public func flatMap<P>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> where Failure == Never {
        setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
    }
}

/// Returns a closure as a `@Sendable` one. Only for closures that capture nothing but `Sendable` values, metatypes and key paths.
/// The compiler does not accept the latter two as Sendable.
@inlinable @inline(__always) func sendable<Input, Output>(_ closure: @escaping (Input) -> Output) -> @Sendable (Input) -> Output {
    let transfer = UncheckedTransfer(closure)
    return { transfer.value($0) }
}
