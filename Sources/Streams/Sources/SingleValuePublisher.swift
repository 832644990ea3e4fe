/// A publisher of one value at most, which it has: what operators make of it is known at once, and is again such a publisher.
///
/// So it is in Combine: the closures given to these operators run where the operator is called, not when somebody subscribes.
public protocol SingleValuePublisher: GrammaticalPublisher {}

/// A publisher of one value at most that cannot fail.
public protocol OptionalValuePublisher: SingleValuePublisher where Failure == Never {}

extension SingleValuePublisher {
    /// The same: the value is the first.
    @inlinable public func first() -> Self { self }

    /// The same: the value is the last.
    @inlinable public func last() -> Self { self }

    /// The same: the value is the smallest in any order.
    @inlinable public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Self { self }

    /// The same: the value is the greatest in any order.
    @inlinable public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Self { self }

    /// The same: one value has no duplicates.
    @inlinable public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Self { self }

    /// The same: another attempt would end alike.
    @inlinable public func retry(_ retries: Int) -> Self { self }

    /// Nothing but the end.
    @inlinable public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

    /// The same: the value is the smallest.
    @inlinable public func min() -> Self where Output: Comparable { self }

    /// The same: the value is the greatest.
    @inlinable public func max() -> Self where Output: Comparable { self }

    /// The same: one value has no duplicates.
    @inlinable public func removeDuplicates() -> Self where Output: Equatable { self }
}

extension OptionalValuePublisher {
    /// The value transformed, or none if it becomes nil.
    @inlinable public func compactMap<T>(_ transform: (Output) -> T?) -> T?.Publisher { .init(readyValue.flatMap(transform)) }

    /// The value, if it satisfies a predicate.
    @inlinable public func filter(_ isIncluded: (Output) -> Bool) -> Output?.Publisher {
        compactMap { isIncluded($0) ? $0 : nil }
    }

    /// The value, if it satisfies a predicate.
    @inlinable public func first(where predicate: (Output) -> Bool) -> Output?.Publisher { filter(predicate) }

    /// The value, if it satisfies a predicate.
    @inlinable public func last(where predicate: (Output) -> Bool) -> Output?.Publisher { filter(predicate) }

    /// The value, if it satisfies a predicate.
    @inlinable public func prefix(while predicate: (Output) -> Bool) -> Output?.Publisher { filter(predicate) }

    /// The value, unless it satisfies a predicate.
    @inlinable public func drop(while predicate: (Output) -> Bool) -> Output?.Publisher { filter { !predicate($0) } }

    /// The value, if none is left out.
    @inlinable public func dropFirst(_ count: Int = 1) -> Output?.Publisher {
        precondition(count >= 0, "dropFirst(\(count)): a number of values cannot be negative")
        return filter { _ in count == 0 }
    }

    /// The value, if any is wanted.
    @inlinable public func prefix(_ maxLength: Int) -> Output?.Publisher {
        precondition(maxLength >= 0, "prefix(\(maxLength)): a number of values cannot be negative")
        return filter { _ in maxLength > 0 }
    }

    /// The value, if its place is asked for: the first, 0.
    @inlinable public func output(at index: Int) -> Output?.Publisher {
        precondition(index >= 0, "output(at: \(index)): places are counted from 0")
        return filter { _ in index == 0 }
    }

    /// The value, if its place, 0, is among those asked for.
    @inlinable public func output<R: RangeExpression<Int>>(in range: R) -> Output?.Publisher {
        let range = range.relative(to: 0..<Int.max)
        precondition(range.lowerBound >= 0, "output(in: \(range)): places are counted from 0")
        return filter { _ in range.contains(0) }
    }
}
