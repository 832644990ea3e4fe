extension Publishers {
    /// A publisher that sends the greatest value in an order. The predicate that defines the order may throw.
    public struct ThrowingComparison<Upstream: Publisher, Thrown: Error, Failure: Error>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The predicate that returns whether its second argument is greater than its first.
        public let areInIncreasingOrder: @Sendable (Upstream.Output, Upstream.Output) throws(Thrown) -> Bool

        /// Creates a publisher that sends the greatest value in an order.
        @preconcurrency @inlinable public init(
            upstream: Upstream,
            areInIncreasingOrder: @escaping @Sendable (Upstream.Output, Upstream.Output) throws(Thrown) -> Bool
        ) {
            self.upstream = upstream
            self.areInIncreasingOrder = areInIncreasingOrder
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let name: StaticString = Thrown.self == Never.self ? "Comparison" : "TryComparison"
            upstream.reduce(into: subscriber, as: name, nil) { [areInIncreasingOrder] best, value throws(Thrown) in
                if let best, try !areInIncreasingOrder(best, value) { return true }
                best = value
                return true
            }
        }
    }

    /// A `ThrowingComparison` whose predicate does not throw.
    public typealias Comparison<Upstream: Publisher> = ThrowingComparison<Upstream, Never, Upstream.Failure>
    /// A `ThrowingComparison` whose predicate may throw any error.
    public typealias TryComparison<Upstream: Publisher> = ThrowingComparison<Upstream, any Error, any Error>
}

extension Publishers.ThrowingComparison: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Sends the smallest value when the upstream finishes; of equal ones, the first.
    @inlinable public func min() -> Publishers.Comparison<Self> where Output: Comparable {
        .init(upstream: self, areInIncreasingOrder: uncheckedSendable { $1 < $0 })
    }

    /// Sends the greatest value when the upstream finishes; of equal ones, the first.
    @inlinable public func max() -> Publishers.Comparison<Self> where Output: Comparable {
        .init(upstream: self, areInIncreasingOrder: uncheckedSendable { $0 < $1 })
    }

    /// Sends the smallest value in an order when the upstream finishes; of equal ones, the first.
    /// - Parameter areInIncreasingOrder: Returns whether its first argument is smaller than its second.
    @preconcurrency @inlinable public func min(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool
    ) -> Publishers.Comparison<Self> { .init(upstream: self) { areInIncreasingOrder($1, $0) } }

    /// Sends the greatest value in an order when the upstream finishes; of equal ones, the first.
    /// - Parameter areInIncreasingOrder: Returns whether its first argument is smaller than its second.
    @preconcurrency @inlinable public func max(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool
    ) -> Publishers.Comparison<Self> { .init(upstream: self, areInIncreasingOrder: areInIncreasingOrder) }

    /// Like ``min(by:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryMin(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws -> Bool
    ) -> Publishers.TryComparison<Self> { .init(upstream: self) { try areInIncreasingOrder($1, $0) } }

    /// Like ``min(by:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryMin<E>(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws(E) -> Bool
    ) -> Publishers.ThrowingComparison<Self, E, E> where Failure == Never {
        .init(upstream: self) { a, b throws(E) in try areInIncreasingOrder(b, a) }
    }

    /// Like ``min(by:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryMin(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws(Failure) -> Bool
    ) -> Publishers.ThrowingComparison<Self, Failure, Failure> {
        .init(upstream: self) { a, b throws(Failure) in try areInIncreasingOrder(b, a) }
    }

    /// Like ``max(by:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryMax(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws -> Bool
    ) -> Publishers.TryComparison<Self> { .init(upstream: self, areInIncreasingOrder: areInIncreasingOrder) }

    /// Like ``max(by:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryMax<E>(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws(E) -> Bool
    ) -> Publishers.ThrowingComparison<Self, E, E> where Failure == Never {
        .init(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
    }

    /// Like ``max(by:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryMax(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws(Failure) -> Bool
    ) -> Publishers.ThrowingComparison<Self, Failure, Failure> {
        .init(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
    }
}
