/// The key that distinguishes states.
@usableFromInline
struct StateKeys<State> {
    @usableFromInline let key: (State) -> AnyHashable
    @usableFromInline let print: (State) -> UInt64
    @usableFromInline let isSame: (State, State) -> Bool

    /// Distinguishes states by a key.
    @inlinable
    init<Key: Hashable>(_ key: @escaping (State) -> Key) {
        self.key = { AnyHashable(OneOf(value: key($0))) }
        print = { UInt64(bitPattern: Int64(key($0).hashValue)) }
        isSame = { key($0) == key($1) }
    }

    /// Distinguishes states by themselves.
    @inlinable
    init() where State: Hashable { self.init { $0 } }
}

/// A wrapper that `AnyHashable` hashes and compares as one value: it would box each element of a bare array.
@usableFromInline
struct OneOf<Value: Hashable>: Hashable {
    @usableFromInline let value: Value
    @inlinable init(value: Value) { self.value = value }
}
