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
    func reject(_ error: SendError) {
        if isFromOutside { for settlement in settlements { settlement.outcome.fail(error) } }
    }
}

/// Tells when nothing that an event has caused goes on any more: that is when nobody holds this.
///
/// Events in the mailbox, live streams of effects and waiting effects hold it, and pass it on to what they cause. So it
/// needs no counting, and cannot be forgotten by a path through the loop that ends early.
@usableFromInline
final class Settlement: Sendable {
    private struct State: Sendable {
        var waiter: CheckedContinuation<Result<Void, SendError>, Never>?
        var result = Result<Void, SendError>.success(())
        var isOver = false
    }

    /// Outlives the settlement, so that who waits needs not keep the settlement itself.
    final class Outcome: Sendable {
        private let state = Lock(State())

        func fail(_ error: SendError) { state.withLock { $0.result = .failure(error) } }

        func end() {
            let (waiter, result) = state.withLock { state in
                state.isOver = true
                return (state.waiter.take(), state.result)
            }
            waiter?.resume(returning: result)
        }

        /// Returns when it is over, or the task is cancelled.
        var value: Result<Void, SendError> {
            get async {
                await withTaskCancellationHandler {
                    await withCheckedContinuation { waiter in
                        let answer = state.withLock { state -> Result<Void, SendError>? in
                            if state.isOver { return state.result }
                            if Task.isCancelled { return .failure(.cancelled) }
                            state.waiter = waiter
                            return nil
                        }
                        if let answer { waiter.resume(returning: answer) }
                    }
                } onCancel: {
                    state.withLock { $0.waiter.take() }?.resume(returning: .failure(.cancelled))
                }
            }
        }
    }

    let outcome = Outcome()

    @usableFromInline deinit { outcome.end() }
}
