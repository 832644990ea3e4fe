// What operators make of one value that is there, at once: see ``SingleValuePublisher``.
extension Just {
    /// The value transformed.
    @inlinable @inline(__always) public func map<T>(_ transform: (Output) -> T) -> Just<T> { Just<T>(transform(output)) }

    /// One.
    @inlinable public func count() -> Just<Int> { Just<Int>(1) }

    /// The value as an array.
    @inlinable public func collect() -> Just<[Output]> { Just<[Output]>([output]) }

    /// Whether the value satisfies a predicate.
    @inlinable public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> { map(predicate) }

    /// Whether the value satisfies a predicate.
    @inlinable public func contains(where predicate: (Output) -> Bool) -> Just<Bool> { map(predicate) }

    /// Whether the value equals the given one.
    @inlinable public func contains(_ output: Output) -> Just<Bool> where Output: Equatable { map { $0 == output } }

    /// The value combined with the initial result.
    @inlinable public func reduce<T>(_ initial: T, _ next: (T, Output) -> T) -> Result<T, Never>.Publisher {
        .init(next(initial, output))
    }

    /// The value combined with the initial result.
    @inlinable public func scan<T>(_ initial: T, _ next: (T, Output) -> T) -> Result<T, Never>.Publisher { reduce(initial, next) }

    /// The same: there is no failure to replace.
    @inlinable public func replaceError(with output: Output) -> Just { self }

    /// The same: there is a value.
    @inlinable public func replaceEmpty(with output: Output) -> Just { self }

    /// The same value, failing in another way, if it could.
    @inlinable public func mapError<E>(_ transform: (Never) -> E) -> Result<Output, E>.Publisher { .init(output) }

    /// The same value, as of a publisher that may fail.
    @inlinable public func setFailureType<E>(to failureType: E.Type) -> Result<Output, E>.Publisher { .init(output) }

    /// The value, if its place, 0, is where the range begins; as in Combine, also if the range is empty.
    @inlinable public func output<R: RangeExpression<Int>>(in range: R) -> Output?.Publisher {
        let range = range.relative(to: 0..<Int.max)
        precondition(range.lowerBound >= 0, "output(in: \(range)): places are counted from 0")
        return filter { _ in range.lowerBound == 0 }
    }

    /// Some values, then this one.
    @inlinable public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { prepend(elements) }

    /// The elements of a collection, then this value.
    @inlinable public func prepend<S: Collection<Output>>(_ elements: S) -> Publishers.Sequence<[Output], Never> {
        .init(sequence: elements + [output])
    }

    /// This value, then some others.
    @inlinable public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { append(elements) }

    /// This value, then the elements of a collection.
    @inlinable public func append<S: Collection<Output>>(_ elements: S) -> Publishers.Sequence<[Output], Never> {
        .init(sequence: [output] + elements)
    }

    // The forms that fail with what a closure throws.
    /// Like ``map(_:)``.
    @inlinable public func tryMap<T, E>(_ transform: (Output) throws(E) -> T) -> Result<T, E>.Publisher {
        .init(Result { () throws(E) in try transform(output) })
    }

    /// Like ``allSatisfy(_:)``.
    @inlinable public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Like ``contains(where:)``.
    @inlinable public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Like ``reduce(_:_:)``.
    @inlinable public func tryReduce<T, E>(_ initial: T, _ next: (T, Output) throws(E) -> T) -> Result<T, E>.Publisher {
        tryMap { value throws(E) in try next(initial, value) }
    }

    /// Like ``scan(_:_:)``.
    @inlinable public func tryScan<T, E>(_ initial: T, _ next: (T, Output) throws(E) -> T) -> Result<T, E>.Publisher {
        tryReduce(initial, next)
    }

    /// The value, which is compared with itself only to see whether that throws.
    @inlinable public func tryRemoveDuplicates(
        by predicate: (Output, Output) throws -> Bool
    ) -> Result<Output, any Error>.Publisher { tryMap { try predicate($0, $0) ? $0 : $0 } }
}
