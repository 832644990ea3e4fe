import Streams
import Synchronization

/// An object that is made when it is first asked for; of two threads that ask at once, both get the same.
///
/// The standard library's `AtomicLazyReference` does this, too. But its `load()` is not specialised: it costs 50 ns to look.
@usableFromInline
struct LazyObject<Object: AnyObject & Sendable>: ~Copyable {
    /// 0, or the object, retained.
    @usableFromInline let word = Atomic<UInt>(0)

    init() {}

    deinit {
        if let place = UnsafeRawPointer(bitPattern: word.load(ordering: .acquiring)) {
            Unmanaged<Object>.fromOpaque(place).release()
        }
    }

    /// The object, if it has been made.
    @inlinable @inline(__always)
    var made: Object? {
        guard let place = UnsafeRawPointer(bitPattern: word.load(ordering: .acquiring)) else { return nil }
        return Unmanaged<Object>.fromOpaque(place).takeUnretainedValue()
    }

    /// The object.
    ///
    /// - Parameter make: Makes it. It may be called for nothing, if another thread is faster.
    borrowing func callAsFunction(_ make: @autoclosure () -> Object) -> Object {
        if let made { return made }
        let new = make()
        let retained = Unmanaged.passRetained(new)
        let (isFirst, other) = word.compareExchange(
            expected: 0, desired: UInt(bitPattern: retained.toOpaque()), ordering: .acquiringAndReleasing)
        if isFirst { return new }
        retained.release()
        guard let place = UnsafeRawPointer(bitPattern: other) else { return new }
        return Unmanaged<Object>.fromOpaque(place).takeUnretainedValue()
    }
}
