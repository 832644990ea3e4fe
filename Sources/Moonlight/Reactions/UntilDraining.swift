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
    public func untilDraining() -> AnyPublisher<Output, Never> {
        .inLoop { place in
            guard let place else { return AnyPublisher(self) }
            let draining = place.context.service(Draining.self).begins
            return AnyPublisher(prefix(untilOutputFrom: draining.filter { $0 }))
        }
    }
}
