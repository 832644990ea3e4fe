import Moonlight
import Streams
import Synchronization

/// A durable member that is awake. If its log cannot be written, it is ended and later read again.
final class MemberTurns<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: DurableTurns<State, Event, Effect>,
    FleetMember, @unchecked Sendable
{
    // Sound: the failure and the flags are atomic, the alarm is behind a lock, and the rest is immutable.
    private let place: FleetPlace
    private let core: FleetCore<State, Event>
    /// The first failure.
    private let firstFailure = AtomicLazyReference<MemberFailure>()
    private let memberAlarm: Lock<MemberAlarm>
    private let flags = Atomic<UInt8>(0)

    /// - Parameter written: The last record that is in the log.
    init(
        _ id: String, _ place: FleetPlace, _ core: FleetCore<State, Event>, _ settings: TurnSettings<State, Event, Effect>,
        _ recovered: Recovered<State, Event, Effect>, leftOver: [LeftOver<Event>], written: UInt64
    ) {
        self.place = place
        self.core = core
        memberAlarm = Lock(MemberAlarm(time: core.alarm?.time(of: recovered.state)))
        super.init(id, settings, recovered, leftOver, written: written)
    }

    // MARK: The fleet

    override var failure: DurabilityError? { firstFailure.load()?.error }
    override var hasFailed: Bool { firstFailure.load() != nil }

    var alarm: Int64? { memberAlarm.withLock { $0.time } }
    func takeAlarm(at now: Int64) -> DueAlarm? { memberAlarm.withLock { $0.take(at: now) } }
    func putBack(_ due: DueAlarm) { memberAlarm.withLock { $0.putBack(due) } }

    func noteRegistered() -> Bool {
        flags.bitwiseOr(Flag.isRegistered, ordering: .acquiringAndReleasing).oldValue & Flag.isClosed != 0
    }

    // MARK: The writer

    override func failed(_ error: DurabilityError) {
        let failure = MemberFailure(error)
        guard firstFailure.storeIfNil(failure) === failure else { return }
        // Even if its loop has ended, as when the fleet is drained: then no sender gets the error.
        core.note { $0.failures += 1 }
        core.failed(place)
    }

    override func closed() {
        let before = flags.bitwiseOr(Flag.isClosed, ordering: .acquiringAndReleasing).oldValue
        if before & Flag.isRegistered != 0 { core.ended(place) }
    }

    // MARK: The loop

    // The records of a member that was removed and created again begin at 1.
    override func key(ofWork number: UInt64) -> String {
        "\(String(settings.identity, radix: 16))-\(id)-\(number)-\(String(settings.now(), radix: 16))"
    }

    /// The time of the alarm; 0, which means at once, if there is unfinished work.
    override var due: Int64? { isDone ? alarm : 0 }

    override func willWrite(_ state: UnsafePointer<State>) {
        guard let alarm = core.alarm else { return }
        let time = alarm.time(of: state.pointee)
        if memberAlarm.withLock({ $0.set(time) }) { core.setAlarm(of: id, for: time) }
    }

    override func takeSnapshot(_ state: UnsafePointer<State>) {
        let coding = settings.coding
        let state = state.pointee
        let book = takeBook()
        let last = last
        settings.writer.append(
            { () throws(DurabilityError) in try coding.snapshot(state, book, at: last) }, of: self, due: due)
    }

    override func end(_ state: UnsafePointer<State>) {
        // Unless it ends during a turn.
        if hasEffects(min(8, settings.snapshotEvery)), isBetweenTurns, !hasFailed { takeSnapshot(state) }
        core.ends(place)
        settings.writer.close(self)
    }
}

/// The interface of a durable member to its fleet.
protocol FleetMember: AnyObject, Sendable {
    var id: String { get }
    /// The reason why it could not be written; nil if it could. Nothing of it is written after a failure.
    var failure: DurabilityError? { get }
    var hasFailed: Bool { get }
    /// The time of its alarm, in nanoseconds since 1970; nil for none.
    var alarm: Int64? { get }
    /// Returns its alarm, if the time has passed and this was not called since the alarm was set.
    func takeAlarm(at now: Int64) -> DueAlarm?
    /// Reverts ``takeAlarm(at:)``, because the event could not be sent. Does nothing if the alarm was set meanwhile.
    func putBack(_ due: DueAlarm)
    /// Records that the fleet has registered it.
    ///
    /// - Returns: True if it was closed before, so that the fleet must record that now.
    func noteRegistered() -> Bool
}

private enum Flag {
    /// Set once the fleet has registered the member.
    static var isRegistered: UInt8 { 1 }
    /// Set once everything is written.
    static var isClosed: UInt8 { 2 }
}

/// The reason why the log of a member could not be written.
private final class MemberFailure: Sendable {
    let error: DurabilityError

    init(_ error: DurabilityError) { self.error = error }
}
