import Dispatch

extension Clock where Duration == Swift.Duration {
    /// Sleeps until an instant, or until the task is cancelled; then it throws, and nothing stays behind.
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
}

/// Wakes one task after a span of time, or when that is cancelled, and leaves nothing with the system then.
///
/// The `sleep` of the standard library's clocks, when it is cancelled, throws at once, but leaves its timer where it was: 700 bytes for
/// each delay that was cancelled, for an hour if it was to be an hour. A timer of Dispatch's is gone when it is cancelled.
package final class ClockAlarm: Sendable {
    private enum State {
        case new, over
        case waiting(CheckedContinuation<Void, Never>, [any DispatchSourceTimer])
    }

    private let state = Lock(UncheckedBox(State.new))

    package init() {}

    /// Waits; once. It may be back a little early.
    ///
    /// - Parameter stopsWithTheSystem: Whether the time while the system sleeps does not count.
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
        var timers = [DispatchSource.makeTimerSource()]
        timers[0].schedule(deadline: .now() + span, leeway: leeway)
        if !stopsWithTheSystem {
            // Dispatch has no timer that goes on while the system sleeps but that of the calendar, which may be set meanwhile: who
            // comes first wakes, and the clock is looked at again.
            timers.append(DispatchSource.makeTimerSource())
            timers[1].schedule(wallDeadline: .now() + span, leeway: leeway)
        }
        for timer in timers { timer.setEventHandler { [self] in ring() } }
        let all = UncheckedTransfer(timers)
        let isOver = state.withLock { state in
            if case .over = state.value { return true }
            state.value = .waiting(waiter, all.value)
            return false
        }
        // What was never activated must not be released.
        for timer in timers { timer.activate() }
        if !isOver { return }
        for timer in timers { timer.cancel() }
        waiter.resume()
    }

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
