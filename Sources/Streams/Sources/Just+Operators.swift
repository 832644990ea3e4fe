// Operators that are applied at once to the value: see ``SingleValuePublisher``.
extension Just {
    /// Transforms the value.
    @inlinable @inline(__always) public func map<T>(_ transform: (Output) -> T) -> Just<T> { Just<T>(transform(output)) }

    /// Sends the number of values, which is one.
    @inlinable public func count() -> Just<Int> { Just<Int>(1) }

    /// Sends the value as an array.
    @inlinable public func collect() -> Just<[Output]> { Just<[Output]>([output]) }

    /// Sends whether the value satisfies a predicate.
    @inlinable public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> { map(predicate) }

    /// Sends whether the value satisfies a predicate.
    @inlinable public func contains(where predicate: (Output) -> Bool) -> Just<Bool> { map(predicate) }

    /// Sends whether the value equals the given one.
    @inlinable public func contains(_ output: Output) -> Just<Bool> where Output: Equatable { map { $0 == output } }

    /// Sends the result of combining the initial result with the value.
    @inlinable public func reduce<T>(_ initial: T, _ next: (T, Output) -> T) -> Result<T, Never>.Publisher {
        .init(next(initial, output))
    }

    /// Sends the result of combining the initial result with the value.
    @inlinable public func scan<T>(_ initial: T, _ next: (T, Output) -> T) -> Result<T, Never>.Publisher { reduce(initial, next) }

    /// Returns this publisher, which has no failure to replace.
    @inlinable public func replaceError(with output: Output) -> Just { self }

    /// Returns this publisher, which is not empty.
    @inlinable public func replaceEmpty(with output: Output) -> Just { self }

    /// Sends the value, with another failure type. The closure is never called.
    @inlinable public func mapError<E>(_ transform: (Never) -> E) -> Result<Output, E>.Publisher { .init(output) }

    /// Sends the value, with another failure type.
    @inlinable public func setFailureType<E>(to failureType: E.Type) -> Result<Output, E>.Publisher { .init(output) }

    /// Sends the value if the range starts at index 0; as in Combine, even if the range is empty, and not if it starts below 0.
    @inlinable public func output<R: RangeExpression<Int>>(in range: R) -> Output?.Publisher {
        filter { _ in range.positions.lowerBound == 0 }
    }

    /// Sends some values and then this one.
    @inlinable public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { prepend(elements) }

    /// Sends the elements of a collection and then this value.
    @inlinable public func prepend<S: Collection<Output>>(_ elements: S) -> Publishers.Sequence<[Output], Never> {
        .init(sequence: elements + [output])
    }

    /// Sends this value and then some others.
    @inlinable public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { append(elements) }

    /// Sends this value and then the elements of a collection.
    @inlinable public func append<S: Collection<Output>>(_ elements: S) -> Publishers.Sequence<[Output], Never> {
        .init(sequence: [output] + elements)
    }

    // Variants that fail with the error that a closure throws.
    /// Transforms the value, or fails with the error that the closure throws.
    @inlinable public func tryMap<T, E>(_ transform: (Output) throws(E) -> T) -> Result<T, E>.Publisher {
        .init(Result { () throws(E) in try transform(output) })
    }

    /// Sends whether the value satisfies a predicate, or fails with the error that the predicate throws.
    @inlinable public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Sends whether the value satisfies a predicate, or fails with the error that the predicate throws.
    @inlinable public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Sends the result of combining the initial result with the value, or fails with the error that the closure throws.
    @inlinable public func tryReduce<T, E>(_ initial: T, _ next: (T, Output) throws(E) -> T) -> Result<T, E>.Publisher {
        tryMap { value throws(E) in try next(initial, value) }
    }

    /// Sends the result of combining the initial result with the value, or fails with the error that the closure throws.
    @inlinable public func tryScan<T, E>(_ initial: T, _ next: (T, Output) throws(E) -> T) -> Result<T, E>.Publisher {
        tryReduce(initial, next)
    }

    /// Sends the value, or fails if comparing it with itself throws an error.
    @inlinable public func tryRemoveDuplicates(
        by predicate: (Output, Output) throws -> Bool
    ) -> Result<Output, any Error>.Publisher { tryMap { try predicate($0, $0) ? $0 : $0 } }
}
