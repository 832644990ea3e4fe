import Moonlight

/// What the members of a fleet are doing, and what the fleet has done so far. Plain values, for export to a monitoring system.
public struct FleetCounters: Sendable, Hashable {
    /// How many are awake.
    public internal(set) var awake = 0
    /// How many are being woken.
    public internal(set) var waking = 0
    /// How many wait to be woken, because as many as may be are.
    public internal(set) var waiting = 0
    /// How many are falling asleep or ending.
    public internal(set) var ending = 0
    /// How many have an alarm, whether they are awake or asleep.
    public internal(set) var timers = 0
    /// How many events were sent, and answered with success.
    public internal(set) var sends = 0
    /// How many events were answered with an error.
    public internal(set) var refusals = 0
    /// How often a member was woken.
    public internal(set) var wakes = 0
    /// How often a member has fallen asleep or was ended.
    public internal(set) var sleeps = 0
    /// How often a member stayed awake, when it was its turn to fall asleep, because something was in flight.
    public internal(set) var keptAwake = 0
    /// How many members were removed.
    public internal(set) var removals = 0
    /// How often an alarm was sent.
    public internal(set) var alarms = 0
    /// How often a member was ended because what it did could not be written.
    public internal(set) var failures = 0
    /// How often a member could not be woken.
    public internal(set) var unreadable = 0
    /// How often a snapshot of a member could not be made, because its state cannot be encoded or is too large. Its log goes on, and is
    /// only longer than it need be.
    public internal(set) var snapshotFailures = 0
    /// How often what was written could not be synced. The members that it is of are ended, and counted in ``failures``, too.
    public internal(set) var syncFailures = 0

    mutating func note(_ failure: FleetWriter.Failure) {
        switch failure {
        case .snapshot: snapshotFailures += 1
        case .sync: syncFailures += 1
        }
    }
}

/// What a fleet knows of one member.
public struct FleetReport<State: Sendable>: Sendable {
    /// Where it is between sleep and sleep.
    public enum Phase: Sendable, Hashable {
        /// It is asleep, or there is none.
        case asleep
        /// It waits to be woken.
        case waiting
        /// Its log is being read.
        case waking
        /// It is awake.
        case awake
        /// It is falling asleep, or ending.
        case ending
    }

    /// Where it is.
    public let phase: Phase
    /// How many events are on their way to it, and observers keep it awake.
    public let users: Int
    /// How many senders wait until it is awake.
    public let waiting: Int
    /// Its state, if it is awake.
    public let state: State?
    /// What it has in flight.
    public let inFlight: [LiveWork]
}

/// Something that a member of a fleet had in flight.
public struct FleetWork: Sendable, CustomStringConvertible {
    /// The member.
    public let id: String
    /// What it was.
    public let work: LiveWork

    /// The member and the work.
    public var description: String { "\(id): \(work)" }
}
