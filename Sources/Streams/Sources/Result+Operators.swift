// Operators that are applied at once to the value or the error: see ``SingleValuePublisher``.
extension Result.Publisher {
    /// Transforms the value.
    @inlinable @inline(__always) public func map<T>(_ transform: (Success) -> T) -> Result<T, Failure>.Publisher {
        .init(result.map(transform))
    }

    /// Sends the number of values, which is one.
    @inlinable public func count() -> Result<Int, Failure>.Publisher { map { _ in 1 } }

    /// Sends the value as an array.
    @inlinable public func collect() -> Result<[Success], Failure>.Publisher { map { [$0] } }

    /// Sends whether the value satisfies a predicate.
    @inlinable public func allSatisfy(_ predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher { map(predicate) }

    /// Sends whether the value satisfies a predicate.
    @inlinable public func contains(where predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher { map(predicate) }

    /// Sends whether the value equals the given one.
    @inlinable public func contains(_ output: Success) -> Result<Bool, Failure>.Publisher where Success: Equatable {
        map { $0 == output }
    }

    /// Sends the result of combining the initial result with the value.
    @inlinable public func reduce<T>(_ initial: T, _ next: (T, Success) -> T) -> Result<T, Failure>.Publisher {
        map { next(initial, $0) }
    }

    /// Sends the result of combining the initial result with the value.
    @inlinable public func scan<T>(_ initial: T, _ next: (T, Success) -> T) -> Result<T, Failure>.Publisher {
        reduce(initial, next)
    }

    /// Sends the value, or the given one in place of an error.
    @inlinable public func replaceError(with output: Success) -> Result<Success, Never>.Publisher {
        .init((try? result.get()) ?? output)
    }

    /// Returns this publisher, which sends a value or fails.
    @inlinable public func replaceEmpty(with output: Success) -> Self { self }

    /// Transforms the error.
    @inlinable public func mapError<E>(_ transform: (Failure) -> E) -> Result<Success, E>.Publisher {
        .init(result.mapError(transform))
    }

    /// Sends the value, with another failure type.
    @inlinable public func setFailureType<E>(to failureType: E.Type) -> Result<Success, E>.Publisher where Failure == Never {
        .init(result.get())
    }

    // Variants that fail with the error of this publisher or the error that a closure throws.
    /// Transforms the value, or fails with the error that the closure throws.
    @inlinable public func tryMap<T>(_ transform: (Success) throws -> T) -> Result<T, any Error>.Publisher {
        .init(Result<T, any Error> { try transform(result.get()) })
    }

    /// Sends whether the value satisfies a predicate, or fails with the error that the predicate throws.
    @inlinable public func tryAllSatisfy(_ predicate: (Success) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Sends whether the value satisfies a predicate, or fails with the error that the predicate throws.
    @inlinable public func tryContains(where predicate: (Success) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Sends the result of combining the initial result with the value, or fails with the error that the closure throws.
    @inlinable public func tryReduce<T>(_ initial: T, _ next: (T, Success) throws -> T) -> Result<T, any Error>.Publisher {
        tryMap { try next(initial, $0) }
    }

    /// Sends the result of combining the initial result with the value, or fails with the error that the closure throws.
    @inlinable public func tryScan<T>(_ initial: T, _ next: (T, Success) throws -> T) -> Result<T, any Error>.Publisher {
        tryReduce(initial, next)
    }

    /// Sends the value, or fails if comparing it with itself throws an error.
    @inlinable public func tryRemoveDuplicates(
        by predicate: (Success, Success) throws -> Bool
    ) -> Result<Success, any Error>.Publisher { tryMap { try predicate($0, $0) ? $0 : $0 } }

    /// Sends the value, or fails if comparing it with itself throws an error.
    @inlinable public func tryMin(
        by areInIncreasingOrder: (Success, Success) throws -> Bool
    ) -> Result<Success, any Error>.Publisher { tryRemoveDuplicates(by: areInIncreasingOrder) }

    /// Sends the value, or fails if comparing it with itself throws an error.
    @inlinable public func tryMax(
        by areInIncreasingOrder: (Success, Success) throws -> Bool
    ) -> Result<Success, any Error>.Publisher { tryRemoveDuplicates(by: areInIncreasingOrder) }
}
