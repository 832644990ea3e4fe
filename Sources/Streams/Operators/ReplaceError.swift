extension Publishers {
    /// A publisher that sends a value in place of a failure, and finishes.
    public struct ReplaceError<Upstream: Publisher>: Operator, Attaching {
        /// It cannot fail.
        public typealias Failure = Never
        /// Where the values come from; what is sent in place of a failure.
        public let upstream: Upstream, output: Upstream.Output

        /// A publisher that sends a value in place of a failure.
        @inlinable public init(upstream: Upstream, output: Upstream.Output) { (self.upstream, self.output) = (upstream, output) }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Never>) {
            let serial = SerialSubscription(subscriber, named: "ReplaceError", isStrict: false)
            serial.follow(upstream, onFailure: { [output] _ in serial.follow(Just(output), onFailure: { _ in }) })
        }
    }
}

extension Publishers.ReplaceError: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}

extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

extension Publisher {
    /// Sends a value in place of a failure, as soon as one is asked for, and finishes.
    @inlinable public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
        .init(upstream: self, output: output)
    }
}
