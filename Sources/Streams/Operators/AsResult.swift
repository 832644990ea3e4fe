extension Publishers {
    /// A publisher that sends its upstream's values and error as results.
    public struct AsResult<Upstream: Publisher>: Operator, Attaching {
        /// A value as a success, or the upstream's error as a failure.
        public typealias Output = Result<Upstream.Output, Upstream.Failure>
        /// The publisher cannot fail.
        public typealias Failure = Never
        /// The upstream publisher.
        public let upstream: Upstream

        /// Creates a publisher that sends values and error as results.
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
    /// Sends each value as a success and, instead of failing, sends the error as a failure and finishes.
    ///
    /// Like any value, the failure is sent only when it is requested.
    @inlinable public func asResult() -> Publishers.AsResult<Self> { Publishers.AsResult(upstream: self) }
}
