import Moonlight
import Streams

extension Publisher where Failure == Never {
    /// Sends an event at a time that the state names: a timer that a durable store keeps.
    ///
    /// ```swift
    /// feedback: { states in [states.react(at: \.reservedUntil) { _ in Just(.reservationEnded) }] }
    /// ```
    /// The deadline is a part of the state, and so it outlives the process: when the store is opened again, the events are sent at once
    /// if the deadline has passed, and otherwise after the rest. If the deadline changes, the timer is set anew; if it becomes nil,
    /// there is none. Being durable, it does not keep a store from draining.
    ///
    /// - Parameters:
    ///   - deadline: Returns when the events are due, by the wall clock; nil for never.
    ///   - scheduler: The scheduler that measures the time until then.
    ///   - now: The wall clock. It is read again when the time is up, and at least once a day, as it may be set meanwhile.
    ///   - events: Makes the stream of events that are due. The state should then name another deadline, or none.
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

/// Returns a closure, marked as Sendable. It must capture nothing but Sendable values and the conformances of its types.
private func sendableStream<Input, Output>(_ closure: @escaping (Input) -> Output) -> @Sendable (Input) -> Output {
    let closure = UncheckedTransfer(closure)
    return { closure.value($0) }
}

/// Sends once when the wall clock has reached a time.
private func due<S: Scheduler & Sendable>(
    _ deadline: WallTime, _ scheduler: S, _ now: @escaping @Sendable () -> WallTime
) -> AnyPublisher<Void, Never> {
    let rest = TimeStride(deadline.sinceEpoch) - TimeStride(now().sinceEpoch)
    if rest <= 0 { return .just(()) }
    let step = min(rest, .seconds(86_400)).nanoseconds
    let again = UncheckedTransfer { due(deadline, scheduler, now) }
    return Just(()).delay(for: .nanoseconds(step), scheduler: scheduler).flatMap { again.value() }.eraseToAnyPublisher()
}
