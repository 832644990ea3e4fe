/// What a loop lends to the part of its reducer that changes one of many children: the means to change it where it lies.
///
/// The loop's state and what the stream of states keeps for who comes late are versions that share what they have in common,
/// so that to change one copies the way to what is changed. It lets go of the other version for the moment of the
/// change, with its lock held: no user code runs in it, and whoever reads the state sees it before or after.
@usableFromInline
final class InPlaceUpdate {
    /// Whether loops commit. Not under the thread sanitizer: that a reader has let go of a version before it is changed is told by
    /// the count of its references, which is kept in the runtime, where the sanitizer does not look.
    @usableFromInline static var isOn: Bool {
        #if THREAD_SANITIZER
            false
        #else
            true
        #endif
    }

    /// Where the loop's state is while an effect is folded in.
    @exclusivity(unchecked) @usableFromInline var state: UnsafeRawPointer?
    /// Whether the loop's state consists of the objects of the version that others see, and does not only equal it. If it does
    /// not, that version is exchanged first: what only that has is let go of, which must not happen with the lock held.
    @exclusivity(unchecked) @usableFromInline var isShared = true
    /// Formed where the types are known.
    @usableFromInline let make: (UnsafeRawPointer, _ isShared: Bool, _ change: () -> Void) -> Bool

    @inlinable
    init(_ make: @escaping (UnsafeRawPointer, Bool, () -> Void) -> Bool) { self.make = make }

    /// Makes a change, and makes the state after it the current one.
    ///
    /// - Returns: Whether it was made.
    @inlinable
    func commit(_ change: () -> Void) -> Bool {
        guard let state else { return false }
        return make(state, isShared, change)
    }
}
