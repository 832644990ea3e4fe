/// The entry of a member that is not asleep. Sleeping members have none.
struct FleetEntry: Hashable {
    enum Phase: Hashable {
        /// The entry is not in use.
        case free
        /// The member waits to be woken.
        case lined
        /// The log of the member is being read.
        case waking
        case awake
        /// The member is awake and was asked to fall asleep. Senders wait for its answer.
        case drowsy
        /// The member is ending: its results are being written, or its log is being removed.
        case ending
    }

    // In this order, an entry takes 56 bytes.
    var id: String
    /// The senders that wait until it is awake, by their tickets, in order.
    var waiting: [Int] = []
    /// The time of the last use, in nanoseconds.
    var used: Int64 = 0
    /// The number of uses of this place. It increases when a member is woken again.
    var turn: UInt32
    /// The number of users that need the member awake: events in flight, and observers that keep it awake.
    var users: Int32 = 0
    /// The neighbors in the list of unused members.
    var older: Int32?
    var phase: Phase
    var isIdle = false
    var newer: Int32?

    init(id: String, phase: Phase, turn: UInt32) {
        self.id = id
        self.phase = phase
        self.turn = turn
    }
}

/// A use of a member: its place in the residency, and the number of the place's use.
struct FleetPlace: Hashable, Sendable {
    // Four bytes, as each member that is awake stores its place.
    private let index: Int32
    let turn: UInt32

    init(number: Int, turn: UInt32) { (index, self.turn) = (Int32(number), turn) }

    var number: Int { Int(index) }
}

/// An action of a fleet.
enum FleetAction: Hashable {
    /// Read the log of a member and begin its loop. The answer is `woke` or `failed`.
    case wake(FleetPlace, String)
    /// Ask a member to fall asleep. The answer is `stays`, or `ends` and then `ended`.
    case rest(FleetPlace)
    /// Drain a member. The answer is `ends` and then `ended`.
    case end(FleetPlace)
    /// Cancel the loop of a member to be removed. The answer is `ended`.
    case cut(FleetPlace)
    /// Remove the log of a member without a loop. The answer is `removed`.
    case remove(FleetPlace, String)
    /// Let a waiting sender use a member.
    case admit(ticket: Int, FleetPlace)
    /// Refuse a waiting sender.
    case refuse(ticket: Int, Refusal)
    /// The fleet has ended: no member is awake, and none will be.
    case over

    enum Refusal: Hashable {
        /// The fleet is being drained.
        case draining
        /// The member could not be woken, for a reason that is passed separately.
        case unreadable
        /// The maximal number of members are awake, and none can be put to sleep.
        case full
    }
}

/// The answer to a sender that asks for a member.
enum FleetEntrance: Hashable {
    case use(FleetPlace)
    case wait
    case refused(FleetAction.Refusal)
}
