import Streams
import Synchronization

/// What an event comes from: the record that caused it, and who waits until everything it causes has settled.
///
/// Only kept where somebody asks: a loop without a journal and without anybody waiting passes none around.
@usableFromInline
struct Trace: Sendable {
    /// The number of the record that is the cause of what carries this; nil if it came from outside, or no journal is kept.
    @usableFromInline var cause: Int?
    /// Kept alive by everything that its event has caused and that goes on.
    @usableFromInline var settlements: [Settlement] = []
    /// Whether it came from outside.
    @usableFromInline var isFromOutside = false

    @inlinable
    init(cause: Int? = nil, settlements: [Settlement] = [], isFromOutside: Bool = false) {
        self.cause = cause
        self.settlements = settlements
        self.isFromOutside = isFromOutside
    }

    /// Tells who waits for this very event that it was refused.
    func reject(_ error: any Error) {
        if isFromOutside { for settlement in settlements { settlement.outcome.fail(error) } }
    }
}

/// Tells when nothing that an event has caused goes on any more: that is when nobody holds this.
///
/// Events in the mailbox, live streams of effects and waiting effects hold it, and pass it on to what they cause. So it
/// needs no counting, and cannot be forgotten by a path through the loop that ends early.
@usableFromInline
final class Settlement: Sendable {
    private struct State: @unchecked Sendable {
        // Sound: behind the lock.
        var waiter: CheckedContinuation<Void, any Error>?
        var error: (any Error)?
        var isOver = false
    }

    /// Outlives the settlement, so that who waits needs not keep the settlement itself.
    final class Outcome: Sendable {
        private let state = Lock(State())

        /// The first error is the one that counts.
        func fail(_ error: any Error) {
            state.withLock { if $0.error == nil { $0.error = error } }
        }

        func end() {
            let (waiter, error) = state.withLock { state -> (CheckedContinuation<Void, any Error>?, (any Error)?) in
                state.isOver = true
                return (state.waiter.take(), state.error)
            }
            if let error { waiter?.resume(throwing: error) } else { waiter?.resume() }
        }

        /// Returns when it is over; throws the error, or that the task is cancelled.
        var value: Void {
            get async throws {
                try await withTaskCancellationHandler {
                    try await withCheckedThrowingContinuation { waiter in
                        let (waits, error) = state.withLock { state -> (Bool, (any Error)?) in
                            let waits = !state.isOver && !Task.isCancelled
                            if waits { state.waiter = waiter }
                            return (waits, state.isOver ? state.error : CancellationError())
                        }
                        if waits { return }
                        if let error { waiter.resume(throwing: error) } else { waiter.resume() }
                    }
                } onCancel: {
                    state.withLock { $0.waiter.take() }?.resume(throwing: CancellationError())
                }
            }
        }
    }

    let outcome = Outcome()

    @usableFromInline deinit { outcome.end() }
}
