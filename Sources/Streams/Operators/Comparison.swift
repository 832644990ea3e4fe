extension Publishers {
    /// A publisher that sends the greatest value in an order.
    public typealias Comparison<Upstream: Publisher> = Reducing<Upstream, Upstream.Output, Never, Upstream.Failure>

    /// A publisher that sends the greatest value in an order, which is defined by a predicate that may throw any error.
    public typealias TryComparison<Upstream: Publisher> = Reducing<Upstream, Upstream.Output, any Error, any Error>
}

extension Publishers.Reducing where Output == Upstream.Output {
    /// Creates the publisher of `max`: it sends the first of the greatest values.
    @inlinable init(
        greatestOf upstream: Upstream, _ areInIncreasingOrder: @escaping @Sendable (Output, Output) throws(Thrown) -> Bool
    ) {
        self.init(upstream, named: Thrown.self == Never.self ? "Comparison" : "TryComparison", nil) {
            (best: inout Output?, value: Output) throws(Thrown) in
            if let best, try !areInIncreasingOrder(best, value) { return true }
            best = value
            return true
        }
    }

    /// Creates the publisher of `min`: it sends the first of the smallest values.
    @inlinable init(
        smallestOf upstream: Upstream, _ areInIncreasingOrder: @escaping @Sendable (Output, Output) throws(Thrown) -> Bool
    ) { self.init(greatestOf: upstream) { (one: Output, other: Output) throws(Thrown) in try areInIncreasingOrder(other, one) } }
}

extension Publisher {
    /// Sends the smallest value when the upstream finishes; of equal ones, the first.
    @inlinable public func min() -> Publishers.Comparison<Self> where Output: Comparable {
        .init(smallestOf: self, sendable { $0 < $1 })
    }

    /// Sends the greatest value when the upstream finishes; of equal ones, the first.
    @inlinable public func max() -> Publishers.Comparison<Self> where Output: Comparable {
        .init(greatestOf: self, sendable { $0 < $1 })
    }

    /// Sends the smallest value in an order when the upstream finishes; of equal ones, the first.
    /// - Parameter areInIncreasingOrder: Returns whether its first argument is smaller than its second.
    @preconcurrency @inlinable public func min(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool
    ) -> Publishers.Comparison<Self> { .init(smallestOf: self, areInIncreasingOrder) }

    /// Sends the greatest value in an order when the upstream finishes; of equal ones, the first.
    /// - Parameter areInIncreasingOrder: Returns whether its first argument is smaller than its second.
    @preconcurrency @inlinable public func max(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool
    ) -> Publishers.Comparison<Self> { .init(greatestOf: self, areInIncreasingOrder) }

    /// Like ``min(by:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryMin(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws -> Bool
    ) -> Publishers.TryComparison<Self> { .init(smallestOf: self, areInIncreasingOrder) }

    /// Like ``min(by:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryMin<E>(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws(E) -> Bool
    ) -> Publishers.Reducing<Self, Output, E, E> where Failure == Never { .init(smallestOf: self, areInIncreasingOrder) }

    /// Like ``min(by:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryMin(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws(Failure) -> Bool
    ) -> Publishers.Reducing<Self, Output, Failure, Failure> { .init(smallestOf: self, areInIncreasingOrder) }

    /// Like ``max(by:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable public func tryMax(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws -> Bool
    ) -> Publishers.TryComparison<Self> { .init(greatestOf: self, areInIncreasingOrder) }

    /// Like ``max(by:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryMax<E>(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws(E) -> Bool
    ) -> Publishers.Reducing<Self, Output, E, E> where Failure == Never { .init(greatestOf: self, areInIncreasingOrder) }

    /// Like ``max(by:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryMax(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws(Failure) -> Bool
    ) -> Publishers.Reducing<Self, Output, Failure, Failure> { .init(greatestOf: self, areInIncreasingOrder) }
}
