extension Publishers {
    /// A publisher that turns each value into a publisher and sends what all of them send, as it comes.
    public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Operator, Attaching
    where NewPublisher.Failure == Upstream.Failure {
        /// What is sent.
        public typealias Output = NewPublisher.Output
        /// Where the values come from; how many publishers run at once, at most; makes a publisher of a value.
        public let upstream: Upstream, maxPublishers: Subscribers.Demand, transform: @Sendable (Upstream.Output) -> NewPublisher

        /// A publisher that turns each value into a publisher.
        @preconcurrency @inlinable @inline(__always) public init(
            upstream: Upstream, maxPublishers: Subscribers.Demand,
            transform: @escaping @Sendable (Upstream.Output) -> NewPublisher
        ) { (self.upstream, self.maxPublishers, self.transform) = (upstream, maxPublishers, transform) }

        @inlinable @inline(__always) __consuming func attach<S: Subscriber<Output, Failure>>(_ subscriber: __owned S) {
            let logic = FlatteningLogic<Upstream.Output, S>(running: 1, isLimited: maxPublishers != .unlimited) {
                [transform] element, isLeft, flattening in
                let publisher = transform(element)
                if let value = publisher.readyValue { return .value(value) }
                if flattening.demand == .unlimited {
                    // Nothing waits then. What others leave, or the downstream does, comes between two values.
                    let ready = publisher._sendReady {
                        if let value = $0 { flattening.deliver(value) }
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
    }
}

extension Publishers.FlatMap: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Turns each value into a publisher and sends what all of them send, as it comes: `words.flatMap { translations(of: $0) }`.
    ///
    /// For a value that arrives during a delivery, from inside it or from another thread, the publisher is made and subscribed to after
    /// that delivery, by the thread that delivers. What a ``PassthroughSubject`` sends before that is lost: see ``switchToLatest()``
    /// for what to use instead.
    /// - Parameter maxPublishers: How many publishers run at once; the upstream is asked for no more values than that.
    @preconcurrency @inlinable @inline(__always) public func flatMap<P>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.FlatMap<P, Self> { .init(upstream: self, maxPublishers: maxPublishers, transform: transform) }

    /// Like ``flatMap(maxPublishers:_:)`` with publishers that cannot fail.
    @preconcurrency @_disfavoredOverload @inlinable @inline(__always) public func flatMap<P>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> {
        flatMap(maxPublishers: maxPublishers, sendable { transform($0).setFailureType(to: Failure.self) })
    }

    /// Like ``flatMap(maxPublishers:_:)`` with publishers that may fail, though this one cannot.
    @preconcurrency @_disfavoredOverload @inlinable @inline(__always) public func flatMap<P>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> where Failure == Never {
        setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
    }
}

/// A closure that captures nothing but what is Sendable, and types, of which the compiler thinks otherwise.
@inlinable @inline(__always) func sendable<Input, Output>(_ closure: @escaping (Input) -> Output) -> @Sendable (Input) -> Output {
    let transfer = UncheckedTransfer(closure)
    return { transfer.value($0) }
}
