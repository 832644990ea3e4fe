/// What tells states apart.
@usableFromInline
struct StateKeys<State> {
    @usableFromInline let key: (State) -> AnyHashable
    @usableFromInline let print: (State) -> UInt64
    @usableFromInline let isSame: (State, State) -> Bool

    /// Tells states apart by a key.
    @inlinable
    init<Key: Hashable>(_ key: @escaping (State) -> Key) {
        self.key = { AnyHashable(OneOf(value: key($0))) }
        print = { UInt64(bitPattern: Int64(key($0).hashValue)) }
        isSame = { key($0) == key($1) }
    }

    /// Tells states apart by themselves.
    @inlinable
    init() where State: Hashable { self.init { $0 } }
}

/// A value as `AnyHashable` takes it whole: an array by itself would be hashed and compared element by element, each boxed.
@usableFromInline
struct OneOf<Value: Hashable>: Hashable {
    @usableFromInline let value: Value
    @inlinable init(value: Value) { self.value = value }
}
