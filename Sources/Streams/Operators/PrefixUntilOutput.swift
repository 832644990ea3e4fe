extension Publishers {
    /// A publisher that sends its upstream's values until another publisher sends one.
    public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The publisher whose first value ends the stream.
        public let other: Other

        /// Creates a publisher that sends its upstream's values until another publisher sends one.
        @inlinable public init(upstream: Upstream, other: Other) {
            self.upstream = upstream
            self.other = other
        }

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
    /// Sends values until another publisher sends its first value, then finishes. The completion of the other is ignored.
    @inlinable public func prefix<P>(untilOutputFrom publisher: P) -> Publishers.PrefixUntilOutput<Self, P> {
        .init(upstream: self, other: publisher)
    }
}
