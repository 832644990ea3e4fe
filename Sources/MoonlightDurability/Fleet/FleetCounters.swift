import Moonlight

/// Counters of a fleet, for export to a monitoring system.
public struct FleetCounters: Sendable, Hashable {
    /// The members that are awake.
    public internal(set) var awake = 0
    /// The members that are being woken.
    public internal(set) var waking = 0
    /// The members that wait to be woken, because the maximal number is being woken.
    public internal(set) var waiting = 0
    /// The members that are falling asleep or ending.
    public internal(set) var ending = 0
    /// The members with an alarm, awake or asleep.
    public internal(set) var timers = 0
    /// The events that were answered with success.
    public internal(set) var sends = 0
    /// The events that were answered with an error.
    public internal(set) var refusals = 0
    /// The times a member was woken.
    public internal(set) var wakes = 0
    /// The times a member fell asleep or was ended.
    public internal(set) var sleeps = 0
    /// The times a member was asked to fall asleep and remained awake, because it had work in flight.
    public internal(set) var keptAwake = 0
    /// The members that were removed.
    public internal(set) var removals = 0
    /// The alarms that were sent.
    public internal(set) var alarms = 0
    /// The times a member could not be written. It is ended, unless it has ended before, as when the fleet is drained.
    public internal(set) var failures = 0
    /// The times a member could not be woken.
    public internal(set) var unreadable = 0
    /// The times a snapshot of a member could not be made, because its state cannot be encoded or is too large. Its log continues without
    /// it.
    public internal(set) var snapshotFailures = 0
    /// The syncs that failed. The members that were not synced are ended, and counted in ``failures``, too.
    public internal(set) var syncFailures = 0

    mutating func note(_ failure: LogWriter.Failure) {
        switch failure {
        case .snapshot: snapshotFailures += 1
        case .sync: syncFailures += 1
        }
    }
}

/// A report about one member of a fleet.
public struct FleetReport<State: Sendable>: Sendable {
    /// A phase of a member.
    public enum Phase: Sendable, Hashable {
        /// The member is asleep, or does not exist.
        case asleep
        /// The member waits to be woken.
        case waiting
        /// Its log is being read.
        case waking
        /// The member is awake.
        case awake
        /// The member is falling asleep, or ending.
        case ending
    }

    /// The phase of the member.
    public let phase: Phase
    /// The number of events in flight to the member, and of observers that keep it awake.
    public let users: Int
    /// The number of senders that wait until the member is awake.
    public let waiting: Int
    /// The state of the member, if it is awake.
    public let state: State?
    /// The work in flight of the member.
    public let inFlight: [LiveWork]
}

/// Work that a member of a fleet had in flight.
public struct FleetWork: Sendable, CustomStringConvertible {
    /// The member.
    public let id: String
    /// The work.
    public let work: LiveWork

    /// The member and the work.
    public var description: String { "\(id): \(work)".escapingControls }
}
