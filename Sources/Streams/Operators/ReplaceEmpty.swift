extension Publishers {
    /// A publisher that sends a given value if its upstream finishes without sending any.
    public struct ReplaceEmpty<Upstream: Publisher>: Operator {
        @usableFromInline package let upstream: Upstream
        /// The value that is sent if there is no other.
        @usableFromInline let output: Upstream.Output

        @inlinable @inline(__always) package func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let serial = SerialSubscription(subscriber, named: "ReplaceEmpty")
            serial.follow(
                upstream,
                atEnd: { [output] end in
                    guard end.error == nil, !serial.hasSent else { return serial.finish(end) }
                    serial.follow(Just(output), onFailure: { _ in })
                })
        }
    }
}

extension Publishers.ReplaceEmpty: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}

extension Publisher {
    /// Sends the given value if the upstream finishes without sending any. It is sent when it is requested.
    public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> { .init(upstream: self, output: output) }
}
