/// What a fleet knows of a member that is not asleep. A member that is asleep has no entry.
struct FleetEntry: Hashable {
    enum Phase: Hashable {
        /// The entry is not in use.
        case free
        /// It waits until others have been woken.
        case lined
        /// Its log is being read.
        case waking
        case awake
        /// It is awake, and was asked to fall asleep. Nothing new reaches it until it has answered.
        case drowsy
        /// It is ending: what it did is being written, or its log is being removed.
        case ending
    }

    // In this order, an entry takes 56 bytes.
    var id: String
    /// The senders that wait until it is awake, by their tickets, in order.
    var waiting: [Int] = []
    /// When it was used last, in nanoseconds.
    var used: Int64 = 0
    /// Which of those that this place was given to it is: one that is woken anew counts as another.
    var turn: UInt32
    /// How many use it and must find it awake: senders whose events are on their way, and observers that keep it awake.
    var users: Int32 = 0
    /// The neighbours in the order of those that nobody uses.
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

/// A use of a member: where it is in the residency, and which turn of that place it is.
struct FleetPlace: Hashable, Sendable {
    // Four bytes, as each member that is awake knows its place.
    private let index: Int32
    let turn: UInt32

    init(number: Int, turn: UInt32) { (index, self.turn) = (Int32(number), turn) }

    var number: Int { Int(index) }
}

/// What a fleet has to do.
enum FleetAction: Hashable {
    /// Read the log of a member, and begin its loop: the answer is `woke` or `failed`.
    case wake(FleetPlace, String)
    /// Ask a member to fall asleep: the answer is `stays`, or `ends` and then `ended`.
    case rest(FleetPlace)
    /// Drain a member: the answer is `ends` and then `ended`.
    case end(FleetPlace)
    /// Cancel the loop of a member that is to be removed: the answer is `ended`.
    case cut(FleetPlace)
    /// Remove the log of a member that has no loop: the answer is `removed`.
    case remove(FleetPlace, String)
    /// Let a sender that has waited use a member.
    case admit(ticket: Int, FleetPlace)
    /// Refuse a sender that has waited.
    case refuse(ticket: Int, Refusal)
    /// Nothing is awake any more, and nothing will be.
    case over

    enum Refusal: Hashable {
        /// The fleet is being drained.
        case draining
        /// It could not be woken, for the reason that is passed with it.
        case unreadable
        /// As many as may be are awake, and none can be put to sleep.
        case full
    }
}

/// What a sender is told that asks for a member.
enum FleetEntrance: Hashable {
    case use(FleetPlace)
    case wait
    case refused(FleetAction.Refusal)
}
