// Operators that are applied at once to the value, if there is one: see ``SingleValuePublisher``.
extension Optional.Publisher {
    /// Transforms the value.
    @inlinable @inline(__always) public func map<T>(_ transform: (Wrapped) -> T) -> T?.Publisher { .init(output.map(transform)) }

    /// Sends the number of values, one, if there is a value; otherwise sends nothing.
    @inlinable public func count() -> Int?.Publisher { map { _ in 1 } }

    /// Sends an array of the value, or an empty array if there is none.
    @inlinable public func collect() -> [Wrapped]?.Publisher { .init(output.map { [$0] } ?? []) }

    /// Sends whether the value satisfies a predicate, if there is a value.
    @inlinable public func allSatisfy(_ predicate: (Wrapped) -> Bool) -> Bool?.Publisher { map(predicate) }

    /// Sends whether the value satisfies a predicate, if there is a value.
    @inlinable public func contains(where predicate: (Wrapped) -> Bool) -> Bool?.Publisher { map(predicate) }

    /// Sends whether the value equals the given one, if there is a value.
    @inlinable public func contains(_ output: Wrapped) -> Bool?.Publisher where Wrapped: Equatable { map { $0 == output } }

    /// Sends the result of combining the initial result with the value, if there is a value.
    @inlinable public func reduce<T>(_ initial: T, _ next: (T, Wrapped) -> T) -> T?.Publisher { map { next(initial, $0) } }

    /// Sends the result of combining the initial result with the value, if there is a value.
    @inlinable public func scan<T>(_ initial: T, _ next: (T, Wrapped) -> T) -> T?.Publisher { reduce(initial, next) }

    /// Returns this publisher, which has no failure to replace.
    @inlinable public func replaceError(with output: Wrapped) -> Self { self }

    /// Sends the value, or the given one if there is none.
    @inlinable public func replaceEmpty(with output: Wrapped) -> Just<Wrapped> { Just(self.output ?? output) }
}
