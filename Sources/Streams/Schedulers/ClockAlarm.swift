import Dispatch

extension Clock where Duration == Swift.Duration {
    /// Sleeps until an instant, or throws once the task is cancelled. With the standard clocks, a cancelled sleep leaves no timer
    /// behind.
    package func wait(until instant: Instant, tolerance: Duration?) async throws {
        let stopsWithTheSystem = self is SuspendingClock
        guard stopsWithTheSystem || self is ContinuousClock else {
            return try await sleep(until: instant, tolerance: tolerance)
        }
        var left = now.duration(to: instant)
        while left > .zero {
            try await ClockAlarm().wait(for: left, tolerance: tolerance ?? .zero, stopsWithTheSystem: stopsWithTheSystem)
            left = now.duration(to: instant)
        }
    }

    /// Returns the instant that is a span of time from now; a span of more than 292 years is cut, as those of schedulers are.
    package func instant(after span: Duration) -> Instant { now.advanced(by: TimeStride(span).duration) }
}

/// Wakes one task after a span of time, or when the task is cancelled, and leaves no timer behind.
///
/// When the `sleep` of the standard library's clocks is cancelled, it throws at once, but its timer remains until it is due. Each
/// cancelled delay occupies 700 bytes until then: for an hour, if it was a delay of an hour. A Dispatch timer is released when it
/// is cancelled.
package final class ClockAlarm: Sendable {
    private enum State {
        case new
        case over
        case waiting(CheckedContinuation<Void, Never>, [any DispatchSourceTimer])
    }

    private let state = Lock(UncheckedBox(State.new))

    package init() {}

    /// Waits for a span of time. It may return slightly early, and is to be called only once.
    ///
    /// - Parameters:
    ///   - span: The time to wait.
    ///   - tolerance: The longest time by which the wait may be longer.
    ///   - stopsWithTheSystem: Whether time during which the system sleeps does not count.
    /// - Throws: `CancellationError` if the task is cancelled.
    package func wait(for span: Duration, tolerance: Duration, stopsWithTheSystem: Bool) async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                start(waiter, TimeStride(span).timeInterval, TimeStride(tolerance).timeInterval, stopsWithTheSystem)
            }
        } onCancel: {
            ring()
        }
        try Task.checkCancellation()
    }

    private func start(
        _ waiter: CheckedContinuation<Void, Never>, _ span: DispatchTimeInterval, _ leeway: DispatchTimeInterval,
        _ stopsWithTheSystem: Bool
    ) {
        // Without a queue, a source has the one that creates a thread for each job, and the end of a cancelled timer is a job.
        let queue = DispatchQueue.global()
        var timers = [DispatchSource.makeTimerSource(queue: queue)]
        timers[0].schedule(deadline: .now() + span, leeway: leeway)
        if !stopsWithTheSystem {
            // Only Dispatch's wall-clock timers advance while the system sleeps, and the wall clock may be changed meanwhile. So
            // two timers run, the first to fire wakes the task, and the caller checks its clock.
            timers.append(DispatchSource.makeTimerSource(queue: queue))
            timers[1].schedule(wallDeadline: .now() + span, leeway: leeway)
        }
        for timer in timers { timer.setEventHandler { [self] in ring() } }
        let all = UncheckedTransfer(timers)
        let isOver = state.withLock { state in
            if case .over = state.value { return true }
            state.value = .waiting(waiter, all.value)
            return false
        }
        // A dispatch source must be activated before it is released.
        for timer in timers { timer.activate() }
        if !isOver { return }
        for timer in timers { timer.cancel() }
        waiter.resume()
    }

    /// Ends the wait: stops the timers and resumes the waiter. Later calls do nothing.
    private func ring() {
        let old = state.withLock { state in
            defer { state.value = .over }
            return UncheckedTransfer(state.value)
        }
        guard case .waiting(let waiter, let timers) = old.value else { return }
        for timer in timers { timer.cancel() }
        waiter.resume()
    }
}
