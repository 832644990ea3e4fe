import Streams
import Synchronization

/// Whether a loop runs, is being drained, or has ended; shared with everything that must stop then.
///
/// A loop that has come to its natural end can no longer be cancelled: its observers may still ask for the last state.
@usableFromInline
class LoopCancellation: @unchecked Sendable {
    // Sound: a single atomic. Subclasses answer for what they add.
    @usableFromInline final let state = Atomic<UInt8>(State.running)

    @usableFromInline
    enum State {
        @inlinable static var running: UInt8 { 0 }
        @inlinable static var cancelled: UInt8 { 1 }
        @inlinable static var ended: UInt8 { 2 }
        /// The loop goes on with what is in flight, and then ends.
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

    /// Whether the loop has ended, naturally or by cancellation.
    @usableFromInline
    final var isOver: Bool {
        let state = state.load(ordering: .relaxed)
        return state == State.cancelled || state == State.ended
    }

    /// Begins draining: from now on, the loop only finishes what it has begun.
    ///
    /// - Returns: Whether this call began it; false if the loop was already being drained, or has ended.
    final func beginDraining() -> Bool { leave(State.running, for: State.draining) }

    /// Cancels the loop.
    ///
    /// - Returns: Whether this call did; false if the loop was cancelled or had ended before.
    @inlinable
    final func cancel() -> Bool { leaveRunning(for: State.cancelled) }

    /// Marks the natural end of the loop.
    ///
    /// - Returns: Whether this call did; false if the loop was cancelled or had ended before.
    @inlinable
    final func finish() -> Bool { leaveRunning(for: State.ended) }

    @inlinable
    final func leaveRunning(for next: UInt8) -> Bool { leave(State.running, for: next) || leave(State.draining, for: next) }

    @inlinable
    final func leave(_ before: UInt8, for next: UInt8) -> Bool {
        state.compareExchange(expected: before, desired: next, ordering: .acquiringAndReleasing).exchanged
    }
}
