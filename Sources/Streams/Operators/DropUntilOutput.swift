extension Publishers {
    /// A publisher that drops its upstream's values until another publisher sends one.
    public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Operator, Attaching
    where Upstream.Failure == Other.Failure {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The publisher whose first value ends the dropping.
        public let other: Other

        /// Creates a publisher that drops its upstream's values until another publisher sends one.
        @inlinable public init(upstream: Upstream, other: Other) {
            self.upstream = upstream
            self.other = other
        }

        @inlinable @inline(__always) __consuming func attach<S: Subscriber<Upstream.Output, Failure>>(_ subscriber: __owned S) {
            let logic = GateLogic<Upstream.Output, Void, S>(.opens) { value, key in key == nil ? nil : value }
            FanIn(logic, subscriber, named: "DropUntilOutput", passesNothing: true)
                .run(upstream, other, asking: .max(1)) { _ in }
        }
    }
}

extension Publishers.DropUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

extension Publisher {
    /// Drops values until another publisher sends its first value. If the other completes without a value, this publisher
    /// completes in the same way.
    @inlinable public func drop<P>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P> {
        .init(upstream: self, other: publisher)
    }
}
