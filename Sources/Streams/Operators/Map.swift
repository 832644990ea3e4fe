extension Publishers {
    /// A publisher that transforms each value with a closure: a ``CompactMap`` whose closure never returns nil.
    public typealias Map<Upstream: Publisher, Output> = CompactMap<Upstream, Output>

    /// A publisher that transforms each value with a closure that may throw any error.
    public typealias TryMap<Upstream: Publisher, Output> = Stepping<Upstream, Output, any Error, any Error>

    /// A publisher that sends one property of each value.
    public typealias MapKeyPath<Upstream: Publisher, Output> = Map<Upstream, Output>

    /// A publisher that sends two properties of each value.
    public typealias MapKeyPath2<Upstream: Publisher, Output0, Output1> = Map<Upstream, (Output0, Output1)>

    /// A publisher that sends three properties of each value.
    public typealias MapKeyPath3<Upstream: Publisher, Output0, Output1, Output2> = Map<Upstream, (Output0, Output1, Output2)>
}

extension Publishers.Stepping {
    /// Creates the publisher of `tryMap`.
    @inlinable init(
        mapping upstream: Upstream, named name: StaticString = "TryMap",
        _ transform: @escaping @Sendable (Upstream.Output) throws(Thrown) -> Output
    ) {
        self.init(upstream, named: name, isStrict: false) {
            { (value: Upstream.Output) throws(Thrown) in .send(try transform(value)) }
        }
    }
}

extension Publisher {
    /// Transforms each value: `(1...3).publisher.map { $0 * $0 }` sends 1, 4, 9.
    @preconcurrency @inlinable @inline(__always)
    public func map<T>(_ transform: @escaping @Sendable (Output) -> T) -> Publishers.Map<Self, T> {
        compactMap { .some(transform($0)) }
    }

    /// Sends one property of each value.
    @inlinable @inline(__always) public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.MapKeyPath<Self, T> {
        map(sendable { $0[keyPath: keyPath] })
    }

    /// Sends two properties of each value as a tuple.
    @inlinable public func map<T0, T1>(
        _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>
    ) -> Publishers.MapKeyPath2<Self, T0, T1> { map(sendable { ($0[keyPath: keyPath0], $0[keyPath: keyPath1]) }) }

    /// Sends three properties of each value as a tuple.
    @inlinable public func map<T0, T1, T2>(
        _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>, _ keyPath2: KeyPath<Output, T2>
    ) -> Publishers.MapKeyPath3<Self, T0, T1, T2> {
        map(sendable { ($0[keyPath: keyPath0], $0[keyPath: keyPath1], $0[keyPath: keyPath2]) })
    }

    /// Sends the given value in place of each value.
    @inlinable @inline(__always) public func mapTo<T>(_ value: T) -> Publishers.Map<Self, T> {
        let value = UncheckedTransfer(value)
        return map { _ in value.value }
    }

    /// Sends the given value in place of each nil.
    @inlinable @inline(__always) public func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? {
        let output = UncheckedTransfer(output)
        return map { $0 ?? output.value }
    }

    /// Like `map(_:)`, but fails with the error that the closure throws.
    @preconcurrency @inlinable
    public func tryMap<T>(_ transform: @escaping @Sendable (Output) throws -> T) -> Publishers.TryMap<Self, T> {
        .init(mapping: self, transform)
    }

    /// Like `map(_:)`, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryMap<T, E>(
        _ transform: @escaping @Sendable (Output) throws(E) -> T
    ) -> Publishers.Stepping<Self, T, E, E> where Failure == Never { .init(mapping: self, transform) }

    /// Like `map(_:)`, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryMap<T>(
        _ transform: @escaping @Sendable (Output) throws(Failure) -> T
    ) -> Publishers.Stepping<Self, T, Failure, Failure> { .init(mapping: self, transform) }
}

// Closures that capture nothing but `Sendable` values, metatypes, key paths and comparisons such as `==`, as `@Sendable` ones. The
// compiler does not accept the last three as Sendable.

/// Returns a closure as a `@Sendable` one.
@inlinable @inline(__always) func sendable<Input, Output>(_ closure: @escaping (Input) -> Output) -> @Sendable (Input) -> Output {
    let transfer = UncheckedTransfer(closure)
    return { transfer.value($0) }
}

/// Returns a closure of two values as a `@Sendable` one.
@inlinable @inline(__always)
func sendable<Value, Output>(_ closure: @escaping (Value, Value) -> Output) -> @Sendable (Value, Value) -> Output {
    let transfer = UncheckedTransfer(closure)
    return { transfer.value($0, $1) }
}
