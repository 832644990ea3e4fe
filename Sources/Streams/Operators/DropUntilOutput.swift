extension Publishers {
    /// A publisher that drops values until another publisher sends one.
    public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Operator, Attaching
    where Upstream.Failure == Other.Failure {
        /// Where the values come from; whose first value lets them through.
        public let upstream: Upstream, other: Other

        /// A publisher that drops values until another publisher sends one.
        @inlinable public init(upstream: Upstream, other: Other) { (self.upstream, self.other) = (upstream, other) }

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
    /// Drops values until another publisher sends one. If that ends without one, so does this.
    @inlinable public func drop<P>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P> {
        .init(upstream: self, other: publisher)
    }
}
