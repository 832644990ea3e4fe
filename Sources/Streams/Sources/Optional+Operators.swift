// What operators make of a value or none, at once: see ``SingleValuePublisher``.
extension Optional.Publisher {
    /// The value transformed.
    @inlinable @inline(__always) public func map<T>(_ transform: (Wrapped) -> T) -> T?.Publisher { .init(output.map(transform)) }

    /// One, if there is a value; else nothing.
    @inlinable public func count() -> Int?.Publisher { map { _ in 1 } }

    /// An array of the value, or of none.
    @inlinable public func collect() -> [Wrapped]?.Publisher { .init(output.map { [$0] } ?? []) }

    /// Whether the value satisfies a predicate.
    @inlinable public func allSatisfy(_ predicate: (Wrapped) -> Bool) -> Bool?.Publisher { map(predicate) }

    /// Whether the value satisfies a predicate.
    @inlinable public func contains(where predicate: (Wrapped) -> Bool) -> Bool?.Publisher { map(predicate) }

    /// Whether the value equals the given one.
    @inlinable public func contains(_ output: Wrapped) -> Bool?.Publisher where Wrapped: Equatable { map { $0 == output } }

    /// The value combined with the initial result.
    @inlinable public func reduce<T>(_ initial: T, _ next: (T, Wrapped) -> T) -> T?.Publisher { map { next(initial, $0) } }

    /// The value combined with the initial result.
    @inlinable public func scan<T>(_ initial: T, _ next: (T, Wrapped) -> T) -> T?.Publisher { reduce(initial, next) }

    /// The same: there is no failure to replace.
    @inlinable public func replaceError(with output: Wrapped) -> Self { self }

    /// The value, or else the given one.
    @inlinable public func replaceEmpty(with output: Wrapped) -> Just<Wrapped> { Just(self.output ?? output) }
}
