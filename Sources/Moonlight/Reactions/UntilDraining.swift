import Streams

extension Publisher where Failure == Never {
    /// Finishes when the loop that this stream belongs to begins to drain. Use it on streams that never finish by themselves,
    /// such as tickers and subscriptions.
    ///
    /// ```swift
    /// states.react(when: \.isOpen) { prices.map(Event.price).untilDraining() }
    /// ```
    ///
    /// It works in feedback, reactions and effects; outside a loop it does nothing. See `Store.drain(within:)`.
    ///
    /// - Returns: A publisher of the same values.
    public func untilDraining() -> AnyPublisher<Output, Never> { AnyPublisher(UntilDraining(upstream: self)) }
}

private struct UntilDraining<Upstream: Publisher>: GrammaticalPublisher where Upstream.Failure == Never {
    typealias Output = Upstream.Output
    typealias Failure = Never

    let upstream: Upstream

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        guard let context = (subscriber._subscriberContext as? any LoopMember)?.context else {
            return upstream._receive(trusting: subscriber, named: "UntilDraining")
        }
        let draining = context.service(QuietWatch.self).draining
        upstream.prefix(untilOutputFrom: draining.filter { $0 }).receive(subscriber: subscriber)
    }
}
