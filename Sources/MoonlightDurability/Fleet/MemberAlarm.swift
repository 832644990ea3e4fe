/// The alarm of a member: its time, and whether its event was sent.
struct MemberAlarm: Hashable {
    /// In nanoseconds since 1970; nil for none.
    private(set) var time: Int64?
    /// Increases when the time changes.
    private var number: UInt32 = 0
    private var isTaken = false

    init(time: Int64?) { self.time = time }

    /// Sets the time. An alarm with another time has not been taken.
    ///
    /// - Returns: True if the time has changed.
    mutating func set(_ time: Int64?) -> Bool {
        if time == self.time { return false }
        self.time = time
        number &+= 1
        isTaken = false
        return true
    }

    /// Returns the alarm, if its time has passed and it was not taken.
    mutating func take(at now: Int64) -> DueAlarm? {
        guard let time, time <= now, !isTaken else { return nil }
        isTaken = true
        return DueAlarm(time: time, number: number)
    }

    /// Reverts ``take(at:)``, unless the time has changed since.
    mutating func putBack(_ due: DueAlarm) { if due.number == number { isTaken = false } }
}

/// An alarm that was taken.
struct DueAlarm: Hashable {
    /// In nanoseconds since 1970.
    let time: Int64
    fileprivate let number: UInt32
}
