extension Publishers {
    /// A publisher of its upstream's values, and of its error as a last value.
    public struct AsResult<Upstream: Publisher>: Operator, Attaching {
        /// What is sent.
        public typealias Output = Result<Upstream.Output, Upstream.Failure>
        /// It does not fail.
        public typealias Failure = Never
        /// Where the values come from.
        public let upstream: Upstream

        /// A publisher of results.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Output, Never>) {
            let serial = SerialSubscription(subscriber, named: "AsResult", isStrict: false)
            serial.follow(
                upstream.map(Output.success), onFailure: { serial.follow(Just(Output.failure($0)), onFailure: { _ in }) })
        }
    }
}

extension Publishers.AsResult: Sendable where Upstream: Sendable {}

extension Publishers.AsResult: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Turns values into successes and an error into a last value, a failure, so that nothing can fail from here on.
    ///
    /// The last value, too, is sent only when it is asked for.
    @inlinable public func asResult() -> Publishers.AsResult<Self> { Publishers.AsResult(upstream: self) }
}
