import Synchronization

/// An atomic that calls ``SwitchPoint`` before each use. It shadows the standard library's type of the same name.
@usableFromInline package struct Atomic<Value: AtomicWord>: ~Copyable, Sendable {
    // Only one thread runs at a time, so that the memory orders do not matter here. They must be constants, so that the caller's
    // cannot be passed on.
    @usableFromInline let atomic: Synchronization.Atomic<UInt64>
    @inlinable package init(_ value: Value) { atomic = Synchronization.Atomic(value.word) }

    @inlinable package func load(ordering: AtomicLoadOrdering) -> Value {
        SwitchPoint.reached()
        return Value(word: atomic.load(ordering: .sequentiallyConsistent))
    }

    @inlinable package func store(_ value: Value, ordering: AtomicStoreOrdering) {
        SwitchPoint.reached()
        atomic.store(value.word, ordering: .sequentiallyConsistent)
    }

    @inlinable package func exchange(_ value: Value, ordering: AtomicUpdateOrdering) -> Value {
        SwitchPoint.reached()
        return Value(word: atomic.exchange(value.word, ordering: .sequentiallyConsistent))
    }

    @inlinable package func compareExchange(
        expected: Value, desired: Value, ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
        SwitchPoint.reached()
        let (exchanged, seen) = atomic.compareExchange(
            expected: expected.word, desired: desired.word, ordering: .sequentiallyConsistent)
        return (exchanged, Value(word: seen))
    }

    @inlinable func update(_ change: (Value) -> Value) -> (oldValue: Value, newValue: Value) {
        SwitchPoint.reached()
        var seen = atomic.load(ordering: .sequentiallyConsistent)
        while true {
            let (old, new) = (Value(word: seen), change(Value(word: seen)))
            let (exchanged, now) = atomic.compareExchange(
                expected: seen, desired: new.word, ordering: .sequentiallyConsistent)
            if exchanged { return (old, new) }
            seen = now
        }
    }
}

extension Atomic where Value: FixedWidthInteger {
    @inlinable @discardableResult
    package func wrappingAdd(_ more: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { $0 &+ more }
    }

    @inlinable @discardableResult
    package func wrappingSubtract(_ less: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { $0 &- less }
    }

    @inlinable @discardableResult
    package func add(_ more: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { $0 + more }
    }

    @inlinable @discardableResult
    package func subtract(_ less: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { $0 - less }
    }

    @inlinable @discardableResult
    package func bitwiseOr(_ bits: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { $0 | bits }
    }

    @inlinable @discardableResult
    package func bitwiseAnd(_ bits: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { $0 & bits }
    }
}

/// A value that an atomic of this package can hold, converted to and from a 64-bit word.
@usableFromInline package protocol AtomicWord: Sendable {
    init(word: UInt64)
    var word: UInt64 { get }
}

extension AtomicWord where Self: FixedWidthInteger {
    @inlinable package init(word: UInt64) { self.init(truncatingIfNeeded: word) }
    @inlinable package var word: UInt64 { UInt64(truncatingIfNeeded: self) }
}

extension UInt8: AtomicWord {}
extension Int: AtomicWord {}
extension Int32: AtomicWord {}
extension UInt: AtomicWord {}
extension UInt64: AtomicWord {}

extension Bool: AtomicWord {
    @inlinable package init(word: UInt64) { self = word != 0 }
    @inlinable package var word: UInt64 { self ? 1 : 0 }
}
