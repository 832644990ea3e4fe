extension Publishers {
    /// A publisher that passes values on until another publisher sends one.
    public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: Operator, Attaching {
        /// Where the values come from; whose first value ends it.
        public let upstream: Upstream, other: Other

        /// A publisher that passes values on until another publisher sends one.
        @inlinable public init(upstream: Upstream, other: Other) { (self.upstream, self.other) = (upstream, other) }

        @inlinable @inline(__always) __consuming func attach<S: Subscriber<Upstream.Output, Failure>>(_ subscriber: __owned S) {
            let logic = GateLogic<Upstream.Output, Void, S>(.closes) { value, _ in value }
            FanIn(logic, subscriber, named: "PrefixUntilOutput", passesNothing: true)
                .run(upstream, other, asking: .max(1), waits: true) { _ in }
        }
    }
}

extension Publishers.PrefixUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}

extension Publishers.PrefixUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

extension Publisher {
    /// Passes values on until another publisher sends one, then finishes. How the other ends does not matter.
    @inlinable public func prefix<P>(untilOutputFrom publisher: P) -> Publishers.PrefixUntilOutput<Self, P> {
        .init(upstream: self, other: publisher)
    }
}
