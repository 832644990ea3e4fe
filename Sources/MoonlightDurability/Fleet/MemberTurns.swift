import Moonlight
import Streams
import Synchronization

/// A durable member: notes in its log what the loop does, turn by turn. It is to a fleet what ``DurableTurns`` is to a store; the log is
/// written by the fleet's writer, and a member whose log could not be written is ended, to be read anew.
///
/// A fleet has one for each member that is awake, so what few members need is made when it is needed.
final class MemberTurns<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: TurnLog, WrittenMember,
    @unchecked Sendable
{
    // Sound: the failure, the flags and the time of the alarm are atomic, the progress guards itself, and the rest is the loop owner's.
    let id: String
    let place: FleetPlace
    private let core: FleetCore<State, Event>
    private let kit: MemberKit<State, Event, Effect>
    /// The first failure.
    private let firstFailure = AtomicLazyReference<MemberFailure>()
    private let alarmTime: Atomic<Int64>
    private let progress = GateProgress()
    private let flags = Atomic<UInt8>(0)

    // From here on, the owner's.
    /// What few members have; nil for a member that has had none of it.
    private var kept: MemberBook<Event>?
    /// The last turn that was passed to the writer.
    private var last: UInt64
    /// What the present turn has led to.
    private var payload: TurnPayload
    private var effectsSinceSnapshot: Int32
    /// How many events follow from effects and have not been handled.
    private var followUps: Int32 = 0

    /// - Parameter written: The last record that is in the log.
    init(
        _ id: String, _ place: FleetPlace, _ core: FleetCore<State, Event>, _ kit: MemberKit<State, Event, Effect>,
        _ recovered: Recovered<State, Event, Effect>, leftOver: [LeftOver<Event>], written: UInt64
    ) {
        self.id = id
        self.place = place
        self.core = core
        self.kit = kit
        payload = TurnPayload(largest: kit.largest)
        (last, effectsSinceSnapshot) = (recovered.last, Int32(clamping: recovered.effectsSinceSnapshot))
        if !recovered.book.isBlank || !leftOver.isEmpty { kept = MemberBook(recovered.book, leftOver: leftOver) }
        alarmTime = Atomic(kit.alarm?.time(of: recovered.state) ?? .max)
        progress.release(through: kit.writer.isDelayed ? .max : written)
    }

    // MARK: The fleet's

    var failure: DurabilityError? { firstFailure.load()?.error }
    var hasFailed: Bool { firstFailure.load() != nil }

    /// When the alarm is set for; nil if it is not set.
    var alarm: Int64? {
        let time = alarmTime.load(ordering: .acquiring)
        return time == .max ? nil : time
    }

    func noteRegistered() -> Bool {
        flags.bitwiseOr(Flag.isRegistered, ordering: .acquiringAndReleasing).oldValue & Flag.isClosed != 0
    }

    // MARK: The writer's

    func wrote(through sequence: UInt64) { progress.release(through: kit.writer.isDelayed ? .max : sequence) }

    func failed(_ error: DurabilityError) {
        let failure = MemberFailure(error)
        if firstFailure.storeIfNil(failure) === failure { core.failed(place) }
    }

    func closed() {
        let before = flags.bitwiseOr(Flag.isClosed, ordering: .acquiringAndReleasing).oldValue
        if before & Flag.isRegistered != 0 { core.ended(place) }
    }

    /// Writes what was decided about interrupted work, before the loop begins.
    func write(_ decisions: [LogEntry<Event, Effect>]) throws(DurabilityError) {
        var writer = ByteWriter()
        for entry in decisions { try kit.coding.entries.append(entry, to: &writer) }
        let record = LogRecord(sequence: last, schema: kit.coding.entries.effects.version, payload: writer.bytes)
        kit.writer.take(.init(member: self, what: .record(record), due: due))
    }

    // MARK: The loop's

    func isReleased(_ position: UInt64) -> Bool { progress.isReleased(position) }
    var failureOfProgress: SendError? { progress.failure }
    func setLoop(_ loop: (any GatedLoop)?) { progress.setLoop(loop) }

    var position: UInt64 { payload.isEmpty ? last : last + 1 }

    private var book: LogBook<Event> { kept?.book ?? LogBook(kit.keys) }

    private func keep() -> MemberBook<Event> {
        let kept = kept ?? MemberBook(LogBook(kit.keys), leftOver: [])
        self.kept = kept
        return kept
    }

    var errandOfCaller: (any AnyObject & Sendable)? {
        guard let errand = DurabilityContext.errand, errand.isPending else { return nil }
        return errand
    }

    func open(_ post: (Event, Bool, (any AnyObject & Sendable)?) -> Void) {
        guard let kept else { return }
        for event in kept.leftOver {
            if event.errand == nil { followUps += 1 }
            post(event.event, event.errand == nil, event.errand)
        }
        kept.leftOver = []
    }

    func admit(_ event: Event, isFollowUp: Bool, errand: (any AnyObject & Sendable)?) -> TurnAdmission {
        if isFollowUp {
            followUps -= 1
            payload.add { $0.addFollowUp() }
            return .admitted
        }
        let errand = errand as? Errand
        errand?.take()
        if let failure { return .refused(.notDurable(failure, isTaken: false)) }
        if let keyed = errand as? KeyedErrand<State> {
            if let answer = kept?.book.keys.answer(to: keyed.key, at: kit.now()) {
                keyed.answer(with: answer)
                return .repeated(answer.rejection.map { .rejected(RepeatedRejection(reason: $0)) })
            }
            do throws(DurabilityError) { try payload.keepRoom(for: keyed.key) } catch { return .refused(.rejected(error)) }
        }
        if let errand { keep().errand = errand }
        return .admitted
    }

    func noteRejection(_ error: any Error) { if kept?.errand != nil { kept?.rejection = error } }

    func prepare(_ effect: Effect) throws { try payload.prepare(effect: kit.coding.entries.effects.write(effect)) }

    func noteApplied(followUps: Int) {
        payload.noteApplied()
        self.followUps += Int32(followUps)
        effectsSinceSnapshot += 1
    }

    func noteStream(of event: Event, job: JobID?) throws -> UInt64? {
        guard kit.coding.entries.events != nil else { return nil }
        let kept = keep()
        let number = kept.book.nextWork
        let retry = kept.errand as? RetryErrand
        // A member that was removed and begins anew counts from 1 again.
        let key = retry?.key ?? "\(String(kit.identity, radix: 16))-\(id)-\(number)-\(String(kit.now(), radix: 16))"
        let work = OpenWork(
            number: number, replaces: retry?.number ?? 0, key: key,
            attempt: retry?.attempt ?? 1, job: job?.description ?? "", event: event)
        try payload.add(work: kit.coding.entries.bytes(of: work))
        kept.book.begin(work)
        // Only the first stream of the event takes the work up again.
        if retry != nil { kept.errand = nil }
        return number
    }

    func begin(_ stream: UInt64, _ subscribe: (CarriedLocal?) -> Void) {
        guard let work = kept?.book.works[stream] else { return subscribe(nil) }
        let local = DurableWork(key: work.key, attempt: Int(work.attempt))
        DurabilityContext.$work.withValue(local) { subscribe(CarriedLocal(DurabilityContext.$work, named: "work")) }
    }

    func noteEnd(of stream: UInt64) {
        keep().book.end(stream)
        payload.add { $0.add(endOfWork: stream) }
    }

    func endTurn(_ state: UnsafePointer<State>) {
        if let kept, let errand = kept.errand {
            finish(errand, state, kept)
            (kept.errand, kept.rejection) = (nil, nil)
        }
        guard !payload.isEmpty else { return }
        last += 1
        let record = LogRecord(sequence: last, schema: kit.coding.entries.effects.version, payload: payload.take())
        noteAlarm(state.pointee)
        kit.writer.take(.init(member: self, what: .record(record), due: due))
        // Events that follow from effects are not in a snapshot.
        if Int(effectsSinceSnapshot) >= kit.snapshotEvery, followUps == 0 { takeSnapshot(state.pointee) }
    }

    private func noteAlarm(_ state: State) {
        guard let alarm = kit.alarm else { return }
        let time = alarm.time(of: state) ?? .max
        guard alarmTime.exchange(time, ordering: .acquiringAndReleasing) != time else { return }
        core.setAlarm(of: id, for: time == .max ? nil : time)
    }

    /// When it must be awake: with unfinished work, at once.
    private var due: Int64? { (kept?.book.works.isEmpty ?? true) && followUps == 0 ? alarm : 0 }

    private func takeSnapshot(_ state: State) {
        effectsSinceSnapshot = 0
        let (coding, book, last) = (kit.coding, book, last)
        kit.writer.take(
            .init(
                member: self,
                what: .snapshot { () throws(DurabilityError) in try coding.snapshot(state, book, at: last) },
                due: due))
    }

    private func finish(_ errand: Errand, _ state: UnsafePointer<State>, _ kept: MemberBook<Event>) {
        if let keyed = errand as? KeyedErrand<State> {
            let reason = kept.rejection.map { error in (error as? Rejection)?.reason ?? "\(error)" }
            let answer = keyed.answer(
                after: state.pointee, rejection: reason, at: kit.now(), room: payload.roomForAnswer)
            kept.book.keys.add(answer)
            payload.add { $0.add(answer: EntryCoding<Event, Effect>.bytes(of: answer)) }
        } else if let retry = errand as? RetryErrand {
            // The event has led to no stream that takes the work up again.
            noteEnd(of: retry.number)
        }
    }

    func end(_ state: UnsafePointer<State>) {
        // Unless it ends in the midst of a turn.
        if Int(effectsSinceSnapshot) >= kit.restSnapshotAfter, followUps == 0, payload.isEmpty, !hasFailed {
            takeSnapshot(state.pointee)
        }
        core.ends(place)
        kit.writer.take(.init(member: self, what: .close, due: nil))
    }
}

private enum Flag {
    /// The fleet knows it.
    static var isRegistered: UInt8 { 1 }
    /// Nothing is left to be written.
    static var isClosed: UInt8 { 2 }
}

/// What a member has kept that has had work or keys. Only the loop's owner touches it.
private final class MemberBook<Event> {
    /// The work that is open and the keys that were answered.
    var book: LogBook<Event>
    /// The events that the loop is to handle first.
    var leftOver: [LeftOver<Event>]
    /// What the sender of the present event has asked for, and why the event was rejected.
    var errand: Errand?
    var rejection: (any Error)?

    init(_ book: LogBook<Event>, leftOver: [LeftOver<Event>]) {
        self.book = book
        self.leftOver = leftOver
    }
}

/// Why the log of a member could not be written.
private final class MemberFailure: Sendable {
    let error: DurabilityError

    init(_ error: DurabilityError) { self.error = error }
}
