extension Publishers {
    /// A publisher that sends a given value if its upstream finishes without sending any.
    public struct ReplaceEmpty<Upstream: Publisher>: Operator {
        @usableFromInline package let upstream: Upstream
        /// The value that is sent if there is no other.
        @usableFromInline let output: Upstream.Output

        @inlinable @inline(__always) package func attach<S: Subscriber<Upstream.Output, Failure>>(_ subscriber: S) {
            let follow = SerialLogic<S>.append(Just(output))
            let logic = SerialLogic<S> { $0.hasSent ? nil : follow(&$0, $1, $2) }
            FanIn(logic, subscriber, named: "ReplaceEmpty").begin(with: upstream)
        }
    }
}

extension Publishers.ReplaceEmpty: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}

extension Publisher {
    /// Sends the given value if the upstream finishes without sending any. It is sent when it is requested.
    public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> { .init(upstream: self, output: output) }
}
