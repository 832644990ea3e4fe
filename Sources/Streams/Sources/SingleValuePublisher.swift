/// A publisher of at most one value, which is known from the start. Its operators are applied at once, and most of them return a
/// publisher of the same kind.
///
/// As in Combine, the closures passed to these operators run when the operator is called, not on subscription.
public protocol SingleValuePublisher: GrammaticalPublisher {}

/// A publisher of at most one value, known from the start, that cannot fail.
public protocol OptionalValuePublisher: SingleValuePublisher where Failure == Never {}

extension SingleValuePublisher {
    /// Passes the value, if there is one, to a closure, without a subscription.
    @inlinable @inline(__always) public func _sendReady(to take: (Output) -> Bool) -> _ReadyValues {
        guard let readyValue else { return .unready }
        _ = take(readyValue)
        return .taken
    }

    /// Returns this publisher, whose only value is the first.
    @inlinable public func first() -> Self { self }

    /// Returns this publisher, whose only value is the last.
    @inlinable public func last() -> Self { self }

    /// Returns this publisher, whose only value is the smallest in any order.
    @inlinable public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Self { self }

    /// Returns this publisher, whose only value is the greatest in any order.
    @inlinable public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Self { self }

    /// Returns this publisher, whose only value has no duplicates.
    @inlinable public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Self { self }

    /// Returns this publisher: another attempt would end in the same way.
    @inlinable public func retry(_ retries: Int) -> Self { self }

    /// Finishes without a value; as in Combine, even if this publisher fails.
    @inlinable public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

    /// Returns this publisher, whose only value is the smallest.
    @inlinable public func min() -> Self where Output: Comparable { self }

    /// Returns this publisher, whose only value is the greatest.
    @inlinable public func max() -> Self where Output: Comparable { self }

    /// Returns this publisher, whose only value has no duplicates.
    @inlinable public func removeDuplicates() -> Self where Output: Equatable { self }
}

extension OptionalValuePublisher {
    /// Transforms the value, and drops it if the result is nil.
    @inlinable public func compactMap<T>(_ transform: (Output) -> T?) -> T?.Publisher { .init(readyValue.flatMap(transform)) }

    /// Sends the value if it satisfies a predicate.
    @inlinable public func filter(_ isIncluded: (Output) -> Bool) -> Output?.Publisher {
        compactMap { isIncluded($0) ? $0 : nil }
    }

    /// Sends the value if it satisfies a predicate.
    @inlinable public func first(where predicate: (Output) -> Bool) -> Output?.Publisher { filter(predicate) }

    /// Sends the value if it satisfies a predicate.
    @inlinable public func last(where predicate: (Output) -> Bool) -> Output?.Publisher { filter(predicate) }

    /// Sends the value if it satisfies a predicate.
    @inlinable public func prefix(while predicate: (Output) -> Bool) -> Output?.Publisher { filter(predicate) }

    /// Sends the value unless it satisfies a predicate.
    @inlinable public func drop(while predicate: (Output) -> Bool) -> Output?.Publisher { filter { !predicate($0) } }

    /// Sends the value if `count` is zero.
    ///
    /// - Parameter count: The number of values to drop; traps if it is negative.
    @inlinable public func dropFirst(_ count: Int = 1) -> Output?.Publisher {
        precondition(count >= 0, "dropFirst(\(count)): the count must be zero or more")
        return filter { _ in count == 0 }
    }

    /// Sends the value unless `maxLength` is zero.
    ///
    /// - Parameter maxLength: The largest number of values to send; traps if it is negative.
    @inlinable public func prefix(_ maxLength: Int) -> Output?.Publisher {
        precondition(maxLength >= 0, "prefix(\(maxLength)): the count must be zero or more")
        return filter { _ in maxLength > 0 }
    }

    /// Sends the value if the index is 0.
    ///
    /// - Parameter index: The index of the value to send; traps if it is negative.
    @inlinable public func output(at index: Int) -> Output?.Publisher {
        precondition(index >= 0, "output(at: \(index)): positions start at 0")
        return filter { _ in index == 0 }
    }

    /// Sends the value if the range contains the index 0.
    ///
    /// - Parameter range: The indices of the values to send; traps if it starts below 0.
    @inlinable public func output<R: RangeExpression<Int>>(in range: R) -> Output?.Publisher {
        let range = range.positions
        precondition(range.lowerBound >= 0, "output(in: \(range)): positions start at 0")
        return filter { _ in range.contains(0) }
    }
}
