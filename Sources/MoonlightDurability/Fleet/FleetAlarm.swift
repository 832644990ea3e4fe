import Moonlight

/// A time in the state of a fleet's members at which an event is sent to them: a timer that wakes those that are asleep.
///
/// ```swift
/// alarm: FleetAlarm(at: \.reservedUntil) { _ in .reservationEnded }
/// ```
/// The time is a part of the state, and so it outlives sleep and the process: if it has passed when the fleet is opened, the event is sent
/// at once. It is sent once for each time that the state names, and again if the member is woken later and still names a time that has
/// passed; so the state should then name another, or none.
public struct FleetAlarm<State, Event>: Sendable {
    private let deadline: @Sendable (State) -> WallTime?
    let event: @Sendable (WallTime) -> Event

    /// Creates an alarm.
    ///
    /// - Parameters:
    ///   - deadline: Returns when the event is due, by the wall clock; nil for never. Must be pure; called for each turn of a member.
    ///   - event: Makes the event that is due.
    public init(at deadline: @escaping @Sendable (State) -> WallTime?, event: @escaping @Sendable (WallTime) -> Event) {
        self.deadline = deadline
        self.event = event
    }

    /// When it is set for, in nanoseconds since 1970; nil if it is not set.
    func time(of state: State) -> Int64? { deadline(state).map { min($0.sinceEpoch.nanoseconds, .max - 1) } }
}
