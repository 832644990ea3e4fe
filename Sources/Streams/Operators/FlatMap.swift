extension Publishers {
    /// A publisher that turns each value into a publisher and sends what all of them send, as it comes.
    public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Operator
    where NewPublisher.Failure == Upstream.Failure {
        /// What is sent.
        public typealias Output = NewPublisher.Output

        /// Where the values come from.
        public let upstream: Upstream

        /// How many publishers run at once, at most.
        public let maxPublishers: Subscribers.Demand

        /// Makes a publisher of a value.
        public let transform: @Sendable (Upstream.Output) -> NewPublisher

        /// A publisher that turns each value into a publisher.
        @preconcurrency @inlinable @inline(__always)
        public init(
            upstream: Upstream,
            maxPublishers: Subscribers.Demand,
            transform: @escaping @Sendable (Upstream.Output) -> NewPublisher
        ) {
            self.upstream = upstream
            self.maxPublishers = maxPublishers
            self.transform = transform
        }

        /// Attaches a subscriber.
        @inlinable @inline(__always)
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(
                FlatMapSubscriber(
                    Funnel(subscriber, open: 1, named: "FlatMap"), maxPublishers: maxPublishers, transform: transform))
        }
    }
}

extension Publishers.FlatMap: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Turns each value into a publisher and sends what all of them send, as it comes.
    ///
    /// ```swift
    /// words.flatMap { word in translations(of: word) }
    /// ```
    /// - Parameters:
    ///   - maxPublishers: How many publishers run at once; the upstream is asked for no more values than that.
    ///   - transform: Makes a publisher of a value.
    @preconcurrency @inlinable @inline(__always)
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited,
        _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }
}

/// The outer subscriber of a flatMap; each publisher it makes becomes an inlet of the funnel.
@usableFromInline
final class FlatMapSubscriber<Input, Child: Publisher, Downstream: Subscriber>: Subscriber, @unchecked Sendable
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
    // Sound: the inlet and the funnel guard themselves; the rest is immutable.
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let funnel: Funnel<Downstream>
    @usableFromInline let maxPublishers: Subscribers.Demand
    @usableFromInline let transform: @Sendable (Input) -> Child
    @usableFromInline let inlet = Inlet()

    @inlinable
    init(
        _ funnel: Funnel<Downstream>,
        maxPublishers: Subscribers.Demand,
        transform: @escaping @Sendable (Input) -> Child
    ) {
        self.funnel = funnel
        self.maxPublishers = maxPublishers
        self.transform = transform
    }

    @inlinable
    func receive(subscription: any Subscription) {
        guard inlet.fill(subscription) else { return }
        funnel.onEnd = { self.inlet.cancel() }
        funnel.start()
        if maxPublishers != .none { inlet.request(maxPublishers) }
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
        guard !inlet.isEnded else { return .none }
        let child = transform(input)
        if maxPublishers == .unlimited, let value = child.readyValue {
            // A single value needs no subscription: it goes, or waits, as a value of the funnel's own.
            _ = funnel.receive(value, from: nil)
            return .none
        }
        funnel.expectOneMore()
        var askForNext: (() -> Void)?
        if maxPublishers != .unlimited { askForNext = { self.inlet.request(.max(1)) } }
        let member = FunnelInlet(funnel, onFinish: askForNext)
        if funnel.admit(member) { child.subscribe(member) }
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        guard inlet.finish() else { return }
        switch completion {
        case .finished: funnel.post(.closed(nil))
        case .failure(let error): funnel.post(.failed(error))
        }
    }

    @inlinable
    var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }

    @usableFromInline var subscriberContext: AnyObject? { funnel.downstreamContext }
}
