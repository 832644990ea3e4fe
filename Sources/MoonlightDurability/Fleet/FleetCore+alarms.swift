import Moonlight
import Streams

// The alarms of members.
extension FleetCore {
    func setAlarm(of id: String, for time: Int64?) {
        guarded.withLock { $0.alarms.set(time, for: id) }
        scheduleAlarms()
    }

    func setAlarms(_ dues: [(id: String, due: Int64)]) {
        guarded.withLock { guarded in for due in dues { guarded.alarms.set(due.due, for: due.id) } }
        scheduleAlarms()
    }

    /// Sets the alarm of a member to a time that was read outside its loop, which may have changed the alarm since. A time that is too
    /// early does no harm: the member is asked again.
    func bringAlarm(of id: String, forward time: Int64) {
        guarded.withLock { $0.alarms.bring(id, forward: time) }
        scheduleAlarms()
    }

    /// Sends the events that are due, and schedules the next ones.
    func scheduleAlarms() {
        let (start, now) = (time.now(), time.wall())
        let (isDue, timer) = guarded.withLock { guarded -> (Bool, (later: Int64, number: Int)?) in
            guard let next = guarded.alarms.next, !guarded.residency.isDraining, !guarded.isSounding else { return (false, nil) }
            if next <= now {
                guarded.isSounding = true
                return (true, nil)
            }
            if let time = guarded.alarmTime, time <= next { return (false, nil) }
            guarded.alarmTime = next
            guarded.alarmTimer.number += 1
            return (false, (next, guarded.alarmTimer.number))
        }
        if isDue { Task.detached { await self.soundAlarms() } }
        guard let (later, number) = timer else { return }
        // At most a day, since the wall clock may be set meanwhile.
        let token = time.timer(start.plus(min(later.minus(now), 86_400_000_000_000))) { [weak self] in
            self?.guarded.withLock { if $0.alarmTimer.number == number { $0.alarmTime = nil } }
            self?.scheduleAlarms()
        }
        // The timer of a later alarm is withdrawn: it is set again when this one has fired, and they would become ever more.
        let superseded = guarded.withLock { guarded in
            guard guarded.alarmTimer.number == number else { return UncheckedTransfer(token) }
            defer { guarded.alarmTimer.token = token }
            return UncheckedTransfer(guarded.alarmTimer.token)
        }
        discard(superseded)
        // It may have come meanwhile: a scheduler in virtual time then calls nothing until its time is advanced again.
        if time.wall() >= later { scheduleAlarms() }
    }

    /// Sends the events of the alarms that are due, 64 at once.
    private func soundAlarms() async {
        await withDiscardingTaskGroup { group in
            let slots = AsyncStream<Void>.makeStream()
            for _ in 0..<64 { slots.continuation.yield() }
            for await _ in slots.stream {
                let now = time.wall()
                let due = guarded.withLock { guarded -> (id: String, number: Int)? in
                    guard !guarded.residency.isDraining, let id = guarded.alarms.takeDue(at: now, most: 1).first else {
                        guarded.isSounding = false
                        return nil
                    }
                    return (id, guarded.alarms.begin(id))
                }
                guard let due else { break }
                group.addTask {
                    self.end(due.number, againIn: await self.sound(due.id))
                    slots.continuation.yield()
                }
            }
            // A member that makes its alarm wait does not delay those of others.
            scheduleAlarms()
        }
    }

    /// Ends the sending of an event.
    ///
    /// - Parameters:
    ///   - number: The number of the sending.
    ///   - delay: The time after which the member is asked again; nil for never. It is not if it was removed meanwhile.
    private func end(_ number: Int, againIn delay: Duration?) {
        let later = delay.map(later)
        guarded.withLock { $0.alarms.end(number, again: later) }
        if later != nil { scheduleAlarms() }
    }

    /// Wakes a member that is due, and sends it the event of its alarm, if the alarm is due and its event was not sent.
    ///
    /// - Returns: The time after which the member must be asked again; nil if it need not be.
    private func sound(_ id: String) async -> Duration? {
        let (resident, place): (Resident, FleetPlace)
        switch await enter(id) {
        case .refused(.unreadable(_, let error)): return Self.pause(after: error)
        case .refused: return nil
        case .use(let used, let its): (resident, place) = (used, its)
        }
        let now = time.wall()
        guard let alarm, let log = resident.log, let due = log.takeAlarm(at: now) else {
            leave(place)
            // It was asked too early.
            if let later = resident.log?.alarm, later > now { bringAlarm(of: id, forward: later) }
            return nil
        }
        note { $0.alarms += 1 }
        // If the alarm has changed meanwhile, the event is superfluous, which a reducer must expect in any case.
        let result = await resident.store.send(alarm.event(WallTime(sinceEpoch: .nanoseconds(due.time))), until: .decided)
        guard case .failure(let error) = result else {
            leave(place) { $0.sends += 1 }
            return nil
        }
        let isHandled = Self.isHandled(error)
        if !isHandled { log.putBack(due) }
        leave(place) {
            $0.refusals += 1
            if !isHandled { $0.alarms -= 1 }
        }
        switch error {
        // `ended(_:)` decides whether a member that could not be written is woken.
        case _ where log.failure != nil: return nil
        // Its loop was cancelled before the event, or meanwhile, and then the results may be lost. In the log, the time is the
        // present one.
        case .ended, .interrupted(.loopEnded): return Self.pauseAfterEnd
        default: return isHandled ? nil : .seconds(1)
        }
    }

    /// Returns whether the loop has handled the event of an alarm that was answered with an error. Unlike an event that can be
    /// sent again, this includes a rejected one.
    private static func isHandled(_ error: SendError) -> Bool {
        switch error {
        case .ended, .draining, .overflow: false
        case .rejected, .interrupted: true
        case .cancelled(let isTaken), .timedOut(let isTaken), .notDurable(_, let isTaken): isTaken
        }
    }

    /// Wakes a member in ten seconds if it has failed because of the storage, which may recover. The alarms that are set may differ
    /// from that in its log.
    func wakeLater(_ id: String, after error: DurabilityError) {
        if let pause = Self.pause(after: error) { bringAlarm(of: id, forward: later(pause)) }
    }

    /// The time after which a member is woken that has failed; nil if it is not.
    static func pause(after error: DurabilityError) -> Duration? {
        switch error {
        case .file, .storage: pauseAfterEnd
        // Another owner has the member, or it fails again.
        default: nil
        }
    }

    /// The time after which a member is woken whose loop has ended too early.
    private static var pauseAfterEnd: Duration { .seconds(10) }

    /// The time by the wall clock after a delay.
    func later(_ delay: Duration) -> Int64 { time.wall().plus(delay.nanoseconds) }
}

/// The due times of members, as a heap, and the members whose events are on their way.
struct AlarmBook: Hashable {
    private struct Entry: Hashable {
        let time: Int64
        let id: ExactText
    }

    /// The time of each member. The heap may also have outdated entries.
    private var times: [ExactText: Int64] = [:]
    /// A binary heap: no entry is later than its two children.
    private var heap: [Entry] = []
    /// The members whose events are on their way, by the number of the sending. Few at once.
    private var sending: [Int: ExactText] = [:]
    private var sendings = 0

    var count: Int { times.count }

    /// The earliest time; nil if there is none.
    var next: Int64? { heap.first?.time }

    /// Sets the time of a member; nil for none.
    mutating func set(_ time: Int64?, for id: String) {
        let id = ExactText(id)
        guard times[id] != time else { return }
        times[id] = time
        if let time { push(Entry(time: time, id: id)) }
        if heap.count > 64, heap.count > 2 * times.count {
            let entries = times.map { Entry(time: $0.value, id: $0.key) }
            heap = []
            for entry in entries { push(entry) }
        }
        dropStale()
    }

    /// Sets the time of a member, unless it has an earlier one.
    mutating func bring(_ id: String, forward time: Int64) { if times[ExactText(id)] ?? .max > time { set(time, for: id) } }

    /// Removes and returns the members that are due, earliest first.
    mutating func takeDue(at now: Int64, most: Int) -> [String] {
        var due: [String] = []
        while due.count < most, let first = heap.first, first.time <= now {
            times[first.id] = nil
            due.append(first.id.text)
            dropStale()
        }
        return due
    }

    /// Records that the event of a member is on its way, and returns the number of this sending.
    mutating func begin(_ id: String) -> Int {
        sendings += 1
        sending[sendings] = ExactText(id)
        return sendings
    }

    /// Records that an event is no longer on its way.
    ///
    /// - Parameters:
    ///   - number: The number of the sending.
    ///   - time: The time at which its member is asked again; nil for none. Not set if the member was removed since the beginning.
    mutating func end(_ number: Int, again time: Int64?) {
        if let id = sending.removeValue(forKey: number), let time { bring(id.text, forward: time) }
    }

    /// Removes a member.
    mutating func remove(_ id: String) {
        set(nil, for: id)
        let id = ExactText(id)
        for (number, other) in sending where other == id { sending[number] = nil }
    }

    private mutating func dropStale() { while let first = heap.first, times[first.id] != first.time { pop() } }

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        var place = heap.count - 1
        while place > 0, heap[(place - 1) / 2].time > heap[place].time {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func pop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count && heap[child].time < heap[least].time {
                least = child
            }
            if least == place { return }
            heap.swapAt(place, least)
            place = least
        }
    }
}

/// A durable timer of a fleet's members: a time in the state at which an event is sent, which wakes a sleeping member.
///
/// ```swift
/// alarm: FleetAlarm(at: \.reservedUntil) { _ in .reservationEnded }
/// ```
/// As a part of the state, the time outlives sleep and the process: if it has passed when the fleet is opened, the event is sent at once.
/// The event is sent once for each time, and again if the member is woken later and its time has passed. So the event should change the
/// time, or clear it. If the member has no room for the event, or drops it, it is sent again a second later; if the member's loop ends
/// before it has handled the event, ten seconds later.
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
