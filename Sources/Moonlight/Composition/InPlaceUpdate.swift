/// Lets the part of a reducer that changes one of many children make that change in place.
///
/// The loop's state and the state that the stream of states keeps for new subscribers are versions that share storage, so a
/// change of one would copy the path to the changed child. Therefore the stream releases its version for the moment of the
/// change, with its lock held: no user code runs meanwhile, and readers see the state either before or after the change.
@usableFromInline
final class InPlaceUpdate {
    /// Whether loops commit. Not under the thread sanitizer: only the reference count shows that readers have released a version
    /// before it is changed, and the sanitizer does not see reference counts, which the runtime maintains.
    @usableFromInline static var isOn: Bool {
        #if THREAD_SANITIZER
            false
        #else
            true
        #endif
    }

    /// The address of the loop's state, valid while an effect is folded; nil before the first.
    @exclusivity(unchecked) @usableFromInline var state: UnsafeRawPointer?
    /// Whether the loop's state consists of the same objects as the version in the stream, and is not merely equal to it. If not,
    /// that version is replaced first: this releases objects that only it holds, which must not happen with the lock held.
    @exclusivity(unchecked) @usableFromInline var isShared = true
    /// Makes a change, and returns whether it was made. Created where the types are known, so that it is specialized.
    @usableFromInline let make: (UnsafeRawPointer, _ isShared: Bool, _ change: () -> Void) -> Bool

    @inlinable
    init(_ make: @escaping (UnsafeRawPointer, Bool, () -> Void) -> Bool) { self.make = make }

    /// Makes a change, and makes the state after it the current one of the stream.
    ///
    /// - Parameter change: Makes the change. Must not call user code.
    /// - Returns: Whether the change was made: not if the loop is cancelled.
    @inlinable
    func commit(_ change: () -> Void) -> Bool {
        guard let state else { return false }
        return make(state, isShared, change)
    }
}
