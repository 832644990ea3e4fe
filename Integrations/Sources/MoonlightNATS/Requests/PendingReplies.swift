import Dispatch
import MoonlightRouting
import Synchronization

/// The requests that wait for a reply, each with a number and a deadline.
final class PendingReplies: Sendable {
    private struct Pending: @unchecked Sendable {
        // Sound: a timer can be used from any thread.
        let waiter: CheckedContinuation<CourierAnswer, Never>
        let timer: any DispatchSourceTimer
    }

    private let guarded = Mutex<(last: UInt64, pending: [UInt64: Pending])>((0, [:]))

    /// Sends a request, and waits for its reply.
    ///
    /// - Parameters:
    ///   - time: The time to wait; then the result is ``CourierAnswer/unanswered``, as if the task is cancelled. Neither leaves a timer.
    ///   - send: Sends the request with a number, by which it is answered. Not called if the task is already cancelled; the result is
    ///     then ``CourierAnswer/unreached``.
    func wait(within time: Duration, _ send: (UInt64) -> Void) async -> CourierAnswer {
        let number = guarded.withLock { guarded in
            guarded.last += 1
            return guarded.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let timer = timer(of: number, within: time)
                let isCancelled = guarded.withLock { guarded in
                    // A later cancellation finds the request.
                    if Task.isCancelled { return true }
                    guarded.pending[number] = Pending(waiter: waiter, timer: timer)
                    return false
                }
                timer.activate()
                if isCancelled {
                    timer.cancel()
                    waiter.resume(returning: .unreached)
                } else {
                    send(number)
                }
            }
        } onCancel: {
            answer(number, .unanswered)
        }
    }

    /// Answers a request. Does nothing if it does not wait any longer.
    func answer(_ number: UInt64, _ answer: CourierAnswer) {
        guard let pending = guarded.withLock({ $0.pending.removeValue(forKey: number) }) else { return }
        pending.timer.cancel()
        pending.waiter.resume(returning: answer)
    }

    private func timer(of number: UInt64, within time: Duration) -> any DispatchSourceTimer {
        // Without a queue, a source has the one that creates a thread for each job, and the end of a cancelled timer is a job.
        let timer = DispatchSource.makeTimerSource(queue: .global())
        // At most some thousand years, so that the milliseconds fit in an Int.
        let milliseconds = Int(min(max(time, .zero), .seconds(1 << 40)) / .milliseconds(1))
        timer.schedule(deadline: .now() + .milliseconds(milliseconds))
        timer.setEventHandler { self.answer(number, .unanswered) }
        return timer
    }
}
