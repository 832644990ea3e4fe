extension Publishers {
    /// A publisher that sends a given value in place of a failure, and finishes.
    public struct ReplaceError<Upstream: Publisher>: Operator, Attaching {
        /// The publisher cannot fail.
        public typealias Failure = Never
        /// The upstream publisher.
        public let upstream: Upstream
        /// The value that is sent in place of a failure.
        public let output: Upstream.Output

        /// Creates a publisher that sends a given value in place of a failure.
        @inlinable public init(upstream: Upstream, output: Upstream.Output) {
            self.upstream = upstream
            self.output = output
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Never>) {
            let serial = SerialSubscription(subscriber, named: "ReplaceError", isStrict: false)
            serial.follow(upstream, onFailure: { [output] _ in serial.follow(Just(output), onFailure: { _ in }) })
        }
    }
}

extension Publishers.ReplaceError: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}

extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

extension Publisher {
    /// Sends the given value instead of failing, once a value is requested, then finishes.
    @inlinable public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
        .init(upstream: self, output: output)
    }
}
