import Moonlight

/// A durable timer of a fleet's members: a time in the state at which an event is sent, which wakes a sleeping member.
///
/// ```swift
/// alarm: FleetAlarm(at: \.reservedUntil) { _ in .reservationEnded }
/// ```
/// As a part of the state, the time outlives sleep and the process: if it has passed when the fleet is opened, the event is sent at once.
/// The event is sent once for each time, and again if the member is woken later and its time has passed. So the event should change the
/// time, or clear it.
public struct FleetAlarm<State, Event>: Sendable {
    private let deadline: @Sendable (State) -> WallTime?
    let event: @Sendable (WallTime) -> Event

    /// Creates an alarm.
    ///
    /// - Parameters:
    ///   - deadline: Returns the time by the wall clock; nil for none. Must be pure; called for each turn of a member.
    ///   - event: Returns the event.
    public init(at deadline: @escaping @Sendable (State) -> WallTime?, event: @escaping @Sendable (WallTime) -> Event) {
        self.deadline = deadline
        self.event = event
    }

    /// The time of the alarm, in nanoseconds since 1970; nil for none.
    func time(of state: State) -> Int64? { deadline(state).map { min($0.sinceEpoch.nanoseconds, .max - 1) } }
}
