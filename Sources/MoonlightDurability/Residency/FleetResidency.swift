import Moonlight

/// The decisions of a fleet, as a value: which members are woken, used and put to sleep.
///
/// Each method records an event and appends actions, which ``FleetCore`` carries out without a lock. For each id:
///
///     (asleep) -- enter --> lined -- a place is free --> waking -- woke --> awake -- rest --> drowsy
///        ^                                                 ^                 ^                | |
///        |                                                 |                 +---- stays -----+ |
///        +------- ended, none waits -- ------- ending <-----|---------------- ends --------------+
///                                               +-- ended, one waits
///
/// From `waking` until `ended`, the id has exactly one owner. Senders that arrive meanwhile wait in the entry, so that none of
/// them finds a loop that has ended. A member that is being removed is also `ending`, from the cancellation of its loop until its
/// log is removed.
struct FleetResidency: Hashable {
    /// The number of members awake beyond which the least recently used ones are put to sleep.
    let resident: Int
    /// The number of logs that may be read at once.
    let waking: Int
    /// The time without use after which a member is put to sleep, in nanoseconds. If nil, none is put to sleep, and no more than
    /// ``resident`` may be awake.
    let idle: Int64?

    private(set) var entries: [FleetEntry] = []
    private var places: [ExactText: Int32] = [:]
    private var free: [Int32] = []
    /// The members that wait to be woken; some may have left.
    private var line: [Int32] = []
    private var lineStart = 0
    /// The least recently used of the unused members.
    private var oldest: Int32?
    private var newest: Int32?
    /// The places of members to be removed.
    private var doomed: Set<Int32> = []
    private(set) var isDraining = false
    private var isOver = false
    /// The number of members in each phase.
    private(set) var (linedCount, wakingCount, awakeCount, endingCount) = (0, 0, 0, 0)

    /// The number of ending members at which waking pauses. An ending member takes as much memory as one that is awake, so waking
    /// must not be faster than closing.
    private var mostEnding: Int { max(waking, resident / 8) }

    init(resident: Int, waking: Int, idle: Int64?) {
        self.resident = resident
        self.waking = waking
        self.idle = idle
    }

    // MARK: Senders

    /// Handles the request of a sender for a member.
    ///
    /// - Parameter ticket: The number of the sender, for a later answer.
    mutating func enter(_ id: String, ticket: Int, _ actions: inout [FleetAction]) -> FleetEntrance {
        if isDraining { return .refused(.draining) }
        if let place = places[ExactText(id)].map(Int.init) {
            if entries[place].phase == .awake { return .use(use(place)) }
            entries[place].waiting.append(ticket)
            return .wait
        }
        if idle == nil, places.count >= resident { return .refused(.full) }
        let place = make(id)
        entries[place].waiting = [ticket]
        set(place, .lined)
        line.append(Int32(place))
        wakeNext(&actions)
        return .wait
    }

    /// Handles the request of a sender for a member that is awake. Unlike ``enter(_:ticket:_:)``, this has no actions.
    mutating func enterIfAwake(_ id: String) -> FleetPlace? {
        guard !isDraining, let place = places[ExactText(id)].map(Int.init), entries[place].phase == .awake else { return nil }
        return use(place)
    }

    /// Handles a sender that stops waiting.
    ///
    /// - Returns: True if it was waiting.
    mutating func giveUp(_ id: String, ticket: Int) -> Bool {
        guard let place = places[ExactText(id)].map(Int.init), let index = entries[place].waiting.firstIndex(of: ticket) else {
            return false
        }
        entries[place].waiting.remove(at: index)
        if entries[place].phase == .lined, entries[place].waiting.isEmpty { remove(place) }
        return true
    }

    /// Ends the use of a member by a sender or an observer.
    mutating func leave(_ place: FleetPlace, at now: Int64, _ actions: inout [FleetAction]) {
        // A member that has ended meanwhile has no users.
        guard isCurrent(place), entries[place.number].users > 0 else { return }
        entries[place.number].users -= 1
        entries[place.number].used = max(now, entries[place.number].used)
        guard entries[place.number].phase == .awake, entries[place.number].users == 0 else { return }
        settle(place.number, &actions)
    }

    // MARK: Waking

    /// Records that a member is awake.
    mutating func woke(_ place: FleetPlace, at now: Int64, _ actions: inout [FleetAction]) {
        guard isCurrent(place), entries[place.number].phase == .waking else { return }
        set(place.number, .awake)
        if isDoomed(place) {
            cut(place, &actions)
        } else {
            entries[place.number].used = now
            admitWaiting(place.number, &actions)
        }
        wakeNext(&actions)
        if isDraining { endIfOver(&actions) }
    }

    /// Records that a member could not be woken.
    mutating func failed(_ place: FleetPlace, _ actions: inout [FleetAction]) {
        guard isCurrent(place), entries[place.number].phase == .waking else { return }
        if isDoomed(place) {
            set(place.number, .ending)
            actions.append(.remove(place, entries[place.number].id))
        } else {
            for ticket in entries[place.number].waiting { actions.append(.refuse(ticket: ticket, .unreadable)) }
            remove(place.number)
        }
        wakeNext(&actions)
        endIfOver(&actions)
    }

    private mutating func wakeNext(_ actions: inout [FleetAction]) {
        while wakingCount < waking, endingCount < mostEnding, lineStart < line.count {
            let place = Int(line[lineStart])
            lineStart += 1
            if lineStart > 64, lineStart * 2 > line.count {
                line.removeFirst(lineStart)
                lineStart = 0
            }
            guard entries[place].phase == .lined else { continue }
            set(place, .waking)
            actions.append(.wake(self.place(place), entries[place].id))
        }
        if lineStart == line.count { (line, lineStart) = ([], 0) }
    }

    private mutating func admitWaiting(_ place: Int, _ actions: inout [FleetAction]) {
        let waiting = entries[place].waiting
        entries[place].waiting = []
        entries[place].users += Int32(waiting.count)
        for ticket in waiting { actions.append(.admit(ticket: ticket, self.place(place))) }
        if entries[place].users == 0 { settle(place, &actions) } else { makeRoom(&actions) }
    }

    // MARK: Sleeping

    /// Handles a member that is awake and has no users.
    private mutating func settle(_ place: Int, _ actions: inout [FleetAction]) {
        if isDraining {
            set(place, .ending)
            return actions.append(.end(self.place(place)))
        }
        link(place)
        makeRoom(&actions)
    }

    /// Asks the least recently used members to fall asleep, if more than ``resident`` are awake. At most two at once, as those
    /// with work in flight will remain awake.
    private mutating func makeRoom(_ actions: inout [FleetAction]) {
        guard idle != nil else { return }
        for _ in 0..<max(0, min(2, awakeCount - drowsyCount - resident)) where oldest != nil { restOldest(&actions) }
    }

    /// Asks members to fall asleep that have not been used for a long time.
    ///
    /// - Parameter most: The maximal number of members to ask.
    mutating func sweep(at now: Int64, most: Int, _ actions: inout [FleetAction]) {
        for _ in 0..<most {
            guard let next = nextSweep, next <= now else { return }
            restOldest(&actions)
        }
    }

    /// The time of the next call of ``sweep(at:most:_:)``; nil if no member is unused.
    var nextSweep: Int64? {
        guard let idle, !isDraining, let oldest else { return nil }
        let end = entries[Int(oldest)].used.addingReportingOverflow(idle)
        return end.overflow ? nil : end.partialValue
    }

    private mutating func restOldest(_ actions: inout [FleetAction]) {
        guard let place = oldest.map(Int.init) else { return }
        unlink(place)
        set(place, .drowsy)
        actions.append(.rest(self.place(place)))
    }

    /// Records that a member that was asked to fall asleep remains awake.
    mutating func stays(_ place: FleetPlace, at now: Int64, _ actions: inout [FleetAction]) {
        guard isCurrent(place), entries[place.number].phase == .drowsy else { return }
        set(place.number, .awake)
        // As the most recently used, so that the next one is asked first.
        entries[place.number].used = now
        if isDraining || !entries[place.number].waiting.isEmpty {
            admitWaiting(place.number, &actions)
        } else {
            link(place.number)
        }
    }

    /// Records that a member is ending, because it falls asleep or for another reason.
    ///
    /// - Returns: True if the caller is the first to report it.
    @discardableResult
    mutating func ends(_ place: FleetPlace) -> Bool {
        guard isCurrent(place), [.awake, .drowsy].contains(entries[place.number].phase) else { return false }
        unlink(place.number)
        set(place.number, .ending)
        return true
    }

    /// Records that a member has ended and is written.
    mutating func ended(_ place: FleetPlace, _ actions: inout [FleetAction]) {
        guard isCurrent(place), entries[place.number].phase != .lined else { return }
        if isDoomed(place) { return actions.append(.remove(place, entries[place.number].id)) }
        release(place, &actions)
    }

    /// Releases an id. If senders wait for it, the member is woken again.
    private mutating func release(_ place: FleetPlace, _ actions: inout [FleetAction]) {
        let (id, waiting) = (entries[place.number].id, entries[place.number].waiting)
        remove(place.number)
        if !waiting.isEmpty {
            // As another use of the place, so that its former users are not counted.
            let next = make(id)
            entries[next].waiting = waiting
            set(next, .lined)
            line.append(Int32(next))
        }
        wakeNext(&actions)
        endIfOver(&actions)
    }

    // MARK: Removal

    /// Ends a member in any phase, and removes its log. Senders wait meanwhile, and find a new member.
    ///
    /// - Returns: True if it will be removed; false while the fleet is being drained.
    mutating func remove(_ id: String, _ actions: inout [FleetAction]) -> Bool {
        if isDraining { return false }
        let number = places[ExactText(id)].map(Int.init) ?? make(id)
        guard doomed.insert(Int32(number)).inserted else { return true }
        let place = place(number)
        switch entries[number].phase {
        case .free, .lined:
            set(number, .ending)
            actions.append(.remove(place, id))
        case .awake, .drowsy: cut(place, &actions)
        case .waking, .ending: break
        }
        return true
    }

    /// Records that the removal of a member's log has succeeded or failed.
    mutating func removed(_ place: FleetPlace, _ actions: inout [FleetAction]) {
        guard isCurrent(place), isDoomed(place) else { return }
        doomed.remove(Int32(place.number))
        release(place, &actions)
    }

    private mutating func cut(_ place: FleetPlace, _ actions: inout [FleetAction]) {
        ends(place)
        actions.append(.cut(place))
    }

    /// Returns whether a member is being removed.
    func isDoomed(_ place: FleetPlace) -> Bool { !doomed.isEmpty && doomed.contains(Int32(place.number)) }

    // MARK: The end

    /// Refuses senders from now on, and ends members that are not in use.
    mutating func drain(_ actions: inout [FleetAction]) {
        if isDraining { return }
        isDraining = true
        for place in entries.indices where entries[place].phase != .free {
            for ticket in entries[place].waiting { actions.append(.refuse(ticket: ticket, .draining)) }
            entries[place].waiting = []
            switch entries[place].phase {
            case .lined: remove(place)
            case .awake where entries[place].users == 0:
                unlink(place)
                settle(place, &actions)
            default: break
            }
        }
        endIfOver(&actions)
    }

    private mutating func endIfOver(_ actions: inout [FleetAction]) {
        guard isDraining, places.isEmpty, !isOver else { return }
        isOver = true
        actions.append(.over)
    }

    // MARK: Reports

    /// The number of members awake that were asked to fall asleep.
    private(set) var drowsyCount = 0

    /// True if no member is being woken or put to sleep.
    var isStill: Bool { linedCount + wakingCount + drowsyCount + endingCount == 0 }

    func entry(of id: String) -> FleetEntry? { places[ExactText(id)].map { entries[Int($0)] } }
    func place(of id: String) -> FleetPlace? { places[ExactText(id)].map { place(Int($0)) } }

    // MARK: Places

    private func place(_ number: Int) -> FleetPlace { FleetPlace(number: number, turn: entries[number].turn) }

    func isCurrent(_ place: FleetPlace) -> Bool {
        entries[place.number].turn == place.turn && entries[place.number].phase != .free
    }

    private mutating func use(_ place: Int) -> FleetPlace {
        unlink(place)
        entries[place].users += 1
        return self.place(place)
    }

    private mutating func make(_ id: String) -> Int {
        let place: Int
        if let last = free.popLast() {
            place = Int(last)
            entries[place] = FleetEntry(id: id, phase: .free, turn: entries[place].turn &+ 1)
        } else {
            place = entries.count
            entries.append(FleetEntry(id: id, phase: .free, turn: 0))
        }
        places[ExactText(id)] = Int32(place)
        return place
    }

    private mutating func remove(_ place: Int) {
        unlink(place)
        set(place, .free)
        places[ExactText(entries[place].id)] = nil
        entries[place] = FleetEntry(id: "", phase: .free, turn: entries[place].turn)
        free.append(Int32(place))
    }

    private mutating func set(_ place: Int, _ phase: FleetEntry.Phase) {
        count(entries[place].phase, -1)
        entries[place].phase = phase
        count(phase, 1)
    }

    private mutating func count(_ phase: FleetEntry.Phase, _ change: Int) {
        switch phase {
        case .free: break
        case .lined: linedCount += change
        case .waking: wakingCount += change
        case .awake: awakeCount += change
        case .drowsy:
            awakeCount += change
            drowsyCount += change
        case .ending: endingCount += change
        }
    }

    private mutating func link(_ place: Int) {
        entries[place].isIdle = true
        (entries[place].older, entries[place].newer) = (newest, nil)
        if let newest { entries[Int(newest)].newer = Int32(place) } else { oldest = Int32(place) }
        newest = Int32(place)
    }

    private mutating func unlink(_ place: Int) {
        guard entries[place].isIdle else { return }
        entries[place].isIdle = false
        let (older, newer) = (entries[place].older, entries[place].newer)
        if let older { entries[Int(older)].newer = newer } else { oldest = newer }
        if let newer { entries[Int(newer)].older = older } else { newest = older }
        (entries[place].older, entries[place].newer) = (nil, nil)
    }
}
