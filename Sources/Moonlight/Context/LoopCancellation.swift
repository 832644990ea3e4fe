import Streams
import Synchronization

/// Whether a loop has been cancelled: known to everybody who would otherwise go on.
///
/// A loop that has come to its natural end can no longer be cancelled: its observers may still ask for the last state.
@usableFromInline
class LoopCancellation: @unchecked Sendable {
    // Sound: it is one atomic. What inherits it answers for itself.
    @usableFromInline final let state = Atomic<UInt8>(State.running)

    @usableFromInline
    enum State {
        @inlinable static var running: UInt8 { 0 }
        @inlinable static var cancelled: UInt8 { 1 }
        @inlinable static var ended: UInt8 { 2 }
        /// It goes on with what is in flight, and ends then.
        @inlinable static var draining: UInt8 { 3 }
    }

    @inlinable
    init() {}

    @inlinable @inline(__always)
    final var isCancelled: Bool { state.load(ordering: .relaxed) == State.cancelled }

    /// Whether events from outside are taken.
    @inlinable @inline(__always)
    final var isRunning: Bool { state.load(ordering: .relaxed) == State.running }

    @inlinable @inline(__always)
    final var isDraining: Bool { state.load(ordering: .relaxed) == State.draining }

    /// Whether the loop has ended, in whichever way.
    @usableFromInline
    final var isOver: Bool {
        let state = state.load(ordering: .relaxed)
        return state == State.cancelled || state == State.ended
    }

    /// From now on it only finishes what it has begun.
    ///
    /// - Returns: Whether this call has begun that; false if it had before, or has ended.
    final func beginDraining() -> Bool { leave(State.running, for: State.draining) }

    /// Cancels.
    ///
    /// - Returns: Whether this call did; false if it was cancelled or had ended before.
    @inlinable
    final func cancel() -> Bool { leaveRunning(for: State.cancelled) }

    /// Comes to the natural end.
    ///
    /// - Returns: Whether this call did; false if it was cancelled before.
    @inlinable
    final func finish() -> Bool { leaveRunning(for: State.ended) }

    @inlinable
    final func leaveRunning(for next: UInt8) -> Bool { leave(State.running, for: next) || leave(State.draining, for: next) }

    @inlinable
    final func leave(_ before: UInt8, for next: UInt8) -> Bool {
        state.compareExchange(expected: before, desired: next, ordering: .acquiringAndReleasing).exchanged
    }
}
