import Moonlight
import Streams

extension Publisher where Failure == Never {
    /// Sends events at a time in the state: a durable timer.
    ///
    /// ```swift
    /// feedback: { states in [states.react(at: \.reservedUntil) { _ in Just(.reservationEnded) }] }
    /// ```
    /// As a part of the state, the deadline outlives the process: when the store is opened again, the events are sent at once if the
    /// deadline has passed, and otherwise after the remaining time. A changed deadline resets the timer; nil cancels it. A timer does not
    /// keep a store from draining.
    ///
    /// - Parameters:
    ///   - deadline: Returns the time by the wall clock; nil for never.
    ///   - scheduler: The scheduler that measures the remaining time.
    ///   - now: The wall clock, which may be set: it is read again when the time is up, and at least once a day.
    ///   - events: Returns the stream of events. They should change the deadline, or clear it.
    /// - Returns: A publisher of the events.
    public func react<S: Scheduler & Sendable, Events: Publisher>(
        at deadline: @escaping @Sendable (Output) -> WallTime?, on scheduler: S = ClockScheduler(ContinuousClock()),
        now: @escaping @Sendable () -> WallTime = { .now }, _ events: @escaping @Sendable (WallTime) -> Events
    ) -> AnyPublisher<Events.Output, Never> where Events.Failure == Never {
        let timer = UncheckedTransfer { (deadline: WallTime) in
            Deferred { due(deadline, scheduler, now) }.untilDraining().flatMap(sendableStream { _ in events(deadline) })
        }
        return react(to: deadline, sendableStream { timer.value($0) })
    }
}

/// Marks a closure as Sendable. It must capture only Sendable values and conformances of its types.
private func sendableStream<Input, Output>(_ closure: @escaping (Input) -> Output) -> @Sendable (Input) -> Output {
    let closure = UncheckedTransfer(closure)
    return { closure.value($0) }
}

/// Returns a publisher that sends once when the wall clock has reached a time.
private func due<S: Scheduler & Sendable>(
    _ deadline: WallTime, _ scheduler: S, _ now: @escaping @Sendable () -> WallTime
) -> AnyPublisher<Void, Never> {
    let rest = TimeStride(deadline.sinceEpoch) - TimeStride(now().sinceEpoch)
    if rest <= 0 { return .just(()) }
    let step = min(rest, .seconds(86_400)).nanoseconds
    let again = UncheckedTransfer { due(deadline, scheduler, now) }
    return Just(()).delay(for: .nanoseconds(step), scheduler: scheduler).flatMap { again.value() }.eraseToAnyPublisher()
}
