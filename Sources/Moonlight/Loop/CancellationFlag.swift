import Synchronization

/// Whether a loop has been cancelled: known to everybody who would otherwise go on.
@usableFromInline
final class CancellationFlag: Sendable {
    @usableFromInline let flag = Atomic<Bool>(false)

    @inlinable
    init() {}

    @inlinable @inline(__always)
    var isSet: Bool { flag.load(ordering: .relaxed) }

    /// - Returns: Whether this call set it.
    @inlinable
    func set() -> Bool { !flag.exchange(true, ordering: .acquiringAndReleasing) }
}
