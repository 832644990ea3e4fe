// What operators make of a value or an error, at once: see ``SingleValuePublisher``.
extension Result.Publisher {
    /// The value transformed.
    @inlinable @inline(__always) public func map<T>(_ transform: (Success) -> T) -> Result<T, Failure>.Publisher {
        .init(result.map(transform))
    }

    /// One.
    @inlinable public func count() -> Result<Int, Failure>.Publisher { map { _ in 1 } }

    /// The value as an array.
    @inlinable public func collect() -> Result<[Success], Failure>.Publisher { map { [$0] } }

    /// Whether the value satisfies a predicate.
    @inlinable public func allSatisfy(_ predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher { map(predicate) }

    /// Whether the value satisfies a predicate.
    @inlinable public func contains(where predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher { map(predicate) }

    /// Whether the value equals the given one.
    @inlinable public func contains(_ output: Success) -> Result<Bool, Failure>.Publisher where Success: Equatable {
        map { $0 == output }
    }

    /// The value combined with the initial result.
    @inlinable public func reduce<T>(_ initial: T, _ next: (T, Success) -> T) -> Result<T, Failure>.Publisher {
        map { next(initial, $0) }
    }

    /// The value combined with the initial result.
    @inlinable public func scan<T>(_ initial: T, _ next: (T, Success) -> T) -> Result<T, Failure>.Publisher {
        reduce(initial, next)
    }

    /// The value, or the given one in place of an error.
    @inlinable public func replaceError(with output: Success) -> Result<Success, Never>.Publisher {
        .init((try? result.get()) ?? output)
    }

    /// The same: there is a value or an error.
    @inlinable public func replaceEmpty(with output: Success) -> Self { self }

    /// The value, or what is made of the error.
    @inlinable public func mapError<E>(_ transform: (Failure) -> E) -> Result<Success, E>.Publisher {
        .init(result.mapError(transform))
    }

    /// The same value, as of a publisher that may fail.
    @inlinable public func setFailureType<E>(to failureType: E.Type) -> Result<Success, E>.Publisher where Failure == Never {
        .init(result.get())
    }

    // The forms that fail with what a closure throws, too.
    /// Like ``map(_:)``.
    @inlinable public func tryMap<T>(_ transform: (Success) throws -> T) -> Result<T, any Error>.Publisher {
        .init(Result<T, any Error> { try transform(result.get()) })
    }

    /// Like ``allSatisfy(_:)``.
    @inlinable public func tryAllSatisfy(_ predicate: (Success) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Like ``contains(where:)``.
    @inlinable public func tryContains(where predicate: (Success) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Like ``reduce(_:_:)``.
    @inlinable public func tryReduce<T>(_ initial: T, _ next: (T, Success) throws -> T) -> Result<T, any Error>.Publisher {
        tryMap { try next(initial, $0) }
    }

    /// Like ``scan(_:_:)``.
    @inlinable public func tryScan<T>(_ initial: T, _ next: (T, Success) throws -> T) -> Result<T, any Error>.Publisher {
        tryReduce(initial, next)
    }

    /// The value, which is compared with itself only to see whether that throws.
    @inlinable public func tryRemoveDuplicates(
        by predicate: (Success, Success) throws -> Bool
    ) -> Result<Success, any Error>.Publisher { tryMap { try predicate($0, $0) ? $0 : $0 } }

    /// The value, which is compared with itself only to see whether that throws.
    @inlinable public func tryMin(
        by areInIncreasingOrder: (Success, Success) throws -> Bool
    ) -> Result<Success, any Error>.Publisher { tryRemoveDuplicates(by: areInIncreasingOrder) }

    /// The value, which is compared with itself only to see whether that throws.
    @inlinable public func tryMax(
        by areInIncreasingOrder: (Success, Success) throws -> Bool
    ) -> Result<Success, any Error>.Publisher { tryRemoveDuplicates(by: areInIncreasingOrder) }
}
