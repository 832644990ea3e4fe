#if SCHEDULES
    import Synchronization

    /// The places where one thread can be stopped and another let go on: every lock and every atomic of the package.
    ///
    /// Built with `-DSCHEDULES` only; a normal build has none of this, and no check for it. A test that wants to force races
    /// sets ``director``, which then decides at each of these places which of its threads runs. See
    /// `Tests/SchedulesTests`.
    @usableFromInline package enum SwitchPoint {
        /// Who decides.
        @usableFromInline package protocol Director: AnyObject, Sendable {
            /// A thread is about to touch what others touch.
            func reached()
            /// A thread has found a lock taken. Returns when it may look again.
            func waits(for lock: UnsafeRawPointer)
            /// A lock has been given back.
            func gaveBack(_ lock: UnsafeRawPointer)
        }

        // Sound: set before the threads of a test start, and not changed until they have ended.
        nonisolated(unsafe) package static var director: (any Director)?
        @usableFromInline package static func reached() { director?.reached() }
        @usableFromInline package static func waits(for lock: UnsafeRawPointer) { director?.waits(for: lock) }
        @usableFromInline package static func gaveBack(_ lock: UnsafeRawPointer) { director?.gaveBack(lock) }
    }

    /// An atomic that asks ``SwitchPoint`` before each use. It stands before the standard library's, whose name it has.
    @usableFromInline package struct Atomic<Value: AtomicWord>: ~Copyable, Sendable {
        // One thread runs at a time, so that the orders that are asked for, which must be constants, say nothing here.
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

    /// What an atomic of this package can hold.
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
    extension UInt: AtomicWord {}
    extension UInt64: AtomicWord {}

    extension Bool: AtomicWord {
        @inlinable package init(word: UInt64) { self = word != 0 }
        @inlinable package var word: UInt64 { self ? 1 : 0 }
    }
#endif
