import Moonlight
import Streams

/// The settings and the writer that the loops of a store or of a fleet share.
final class TurnSettings<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    let coding: SnapshotCoding<State, Event, Effect>
    let writer: LogWriter
    let identity: UInt64
    /// The maximal number of bytes of a record's payload.
    let largest: Int
    /// The number of effects after which a snapshot is made.
    let snapshotEvery: Int
    let keys: KeyWindow
    /// The wall clock, in nanoseconds since 1970.
    let now: @Sendable () -> Int64

    init(
        _ coding: SnapshotCoding<State, Event, Effect>, _ writer: LogWriter, identity: UInt64, largest: Int, snapshotEvery: Int,
        keys: KeyWindow, now: @escaping @Sendable () -> Int64
    ) {
        self.coding = coding
        self.writer = writer
        self.identity = identity
        self.largest = largest
        self.snapshotEvery = snapshotEvery
        self.keys = keys
        self.now = now
    }
}

/// Encodes the turns of a loop as records, and passes these to the writer.
///
/// ``StoreTurns`` adds concurrent snapshots and resumption after a failure; ``MemberTurns`` adds alarms and sleep. A fleet has
/// one for each member awake, so parts that few members need are created lazily.
class DurableTurns<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: TurnLog, WrittenLog, @unchecked Sendable {
    // Sound: the progress is thread-safe, and only the loop's owner uses the variables. Subclasses must justify their additions.
    /// The id of a fleet's member; empty for a store.
    final let id: String
    final let settings: TurnSettings<State, Event, Effect>
    final let progress = GateProgress()

    /// The open work and the keys; nil if there has been none.
    private final var kept: KeptBook<Event>?
    /// The last turn that was passed to the writer.
    private(set) final var last: UInt64
    /// The entries of the current turn.
    private final var payload: TurnPayload
    private final var effectsSinceSnapshot: Int32
    /// The number of unhandled follow-up events.
    private final var followUps: Int32 = 0

    /// - Parameter written: The last record that is in the log.
    init(
        _ id: String, _ settings: TurnSettings<State, Event, Effect>, _ recovered: Recovered<State, Event, Effect>,
        _ leftOver: [LeftOver<Event>], written: UInt64
    ) {
        self.id = id
        self.settings = settings
        payload = TurnPayload(largest: settings.largest)
        last = recovered.last
        effectsSinceSnapshot = Int32(clamping: recovered.effectsSinceSnapshot)
        if !recovered.book.isBlank || !leftOver.isEmpty { kept = KeptBook(recovered.book, leftOver) }
        progress.release(through: settings.writer.isDelayed ? .max : written)
    }

    // MARK: Differences between a store and a member

    /// The reason why no more records are written.
    var failure: DurabilityError? { preconditionFailure("a subclass must override this") }

    /// Returns the key of the first attempt at work.
    func key(ofWork number: UInt64) -> String {
        // With the time: if a crash has lost the record of work that had begun, other work has its number.
        "\(String(settings.identity, radix: 16))-\(number)-\(String(settings.now(), radix: 16))"
    }

    /// The time at which the loop must be awake; nil for none.
    var due: Int64? { nil }

    /// Records the state after a turn that is about to be written.
    func willWrite(_ state: UnsafePointer<State>) {}

    /// Answers requests between two turns.
    func answerRequests(_ state: UnsafePointer<State>) {}

    /// Requests a snapshot of the state between two turns.
    func takeSnapshot(_ state: UnsafePointer<State>) { preconditionFailure("a subclass must override this") }

    func failed(_ error: DurabilityError) { preconditionFailure("a subclass must override this") }

    func closed() {}

    func end(_ state: UnsafePointer<State>) { preconditionFailure("a subclass must override this") }

    // MARK: The writer

    var hasFailed: Bool { failure != nil }

    func wrote(through sequence: UInt64) { release(through: sequence) }

    /// Publishes the results of turns.
    final func release(through sequence: UInt64) {
        progress.release(through: settings.writer.isDelayed ? .max : sequence)
    }

    /// Writes the answers about interrupted work, before the loop begins.
    final func write(_ decisions: [LogEntry<Event, Effect>]) throws(DurabilityError) {
        settings.writer.append(try settings.coding.entries.record(of: decisions, at: last), of: self, due: due)
    }

    // MARK: The loop

    final func isReleased(_ position: UInt64) -> Bool { progress.isReleased(position) }
    final var failureOfProgress: SendError? { progress.failure }
    final func setLoop(_ loop: (any GatedLoop)?) { progress.setLoop(loop) }

    final var position: UInt64 { payload.isEmpty ? last : last + 1 }

    final var requestOfCaller: (any AnyObject & Sendable)? {
        guard let request = DurabilityContext.request, request.isPending else { return nil }
        return request
    }

    final func open(_ post: (Event, Bool, (any AnyObject & Sendable)?) -> Void) {
        guard let kept else { return }
        for event in kept.leftOver {
            if event.request == nil { followUps += 1 }
            post(event.event, event.request == nil, event.request)
        }
        kept.leftOver = []
    }

    final func admit(_ event: Event, isFollowUp: Bool, request: (any AnyObject & Sendable)?) -> TurnAdmission {
        if isFollowUp {
            followUps -= 1
            payload.add { $0.addFollowUp() }
            return .admitted
        }
        let request = request as? SenderRequest
        request?.take()
        // The next attempt at interrupted work is taken, since nothing would send it again. It begins when the log has resumed.
        if hasFailed, let failure, !(request is RetryRequest<Event>) { return .refused(.notDurable(failure, isTaken: false)) }
        if let keyed = request as? KeyedRequest<State> {
            if let answer = kept?.book.keys.answer(to: keyed.key, at: settings.now()) {
                keyed.answer(with: answer)
                return .repeated(answer.rejection.map { .rejected(RepeatedRejection(reason: $0)) })
            }
            do throws(DurabilityError) { try payload.keepRoom(for: keyed.key) } catch { return .refused(.rejected(error)) }
        }
        if let retry = request as? RetryRequest<Event> { payload.keepRoom(forEndsOf: retry.works.count) }
        if let request { keep().request = request }
        return .admitted
    }

    final func noteRejection(_ error: any Error) { if let kept, kept.request != nil { kept.rejection = error } }

    final func prepare(_ effect: Effect) throws { try payload.prepare(effect: settings.coding.entries.effects.write(effect)) }

    final func noteApplied(followUps: Int) {
        payload.noteApplied()
        self.followUps += Int32(followUps)
        if effectsSinceSnapshot < .max { effectsSinceSnapshot += 1 }
    }

    final func noteStream(of event: Event, job: JobID?) throws -> UInt64? {
        guard settings.coding.entries.events != nil else { return nil }
        let kept = keep()
        let number = kept.book.nextWork
        let retry = kept.request as? RetryRequest<Event>
        let job = job?.description ?? ""
        let before = retry?.work(of: job)
        let work = OpenWork(
            number: number, first: kept.firstWork ?? number, replaces: before?.number ?? 0,
            key: before?.key ?? key(ofWork: number),
            attempt: (before?.attempt ?? 0) + 1, job: job, event: event)
        try payload.add(work: settings.coding.entries.bytes(of: work))
        kept.book.begin(work)
        kept.firstWork = work.first
        if let before { retry?.remove(before) }
        return number
    }

    final func begin(_ stream: UInt64, _ subscribe: (CarriedLocal?) -> Void) {
        guard let work = kept?.book.works[stream] else { return subscribe(nil) }
        let local = DurableWork(key: work.key, attempt: Int(work.attempt))
        DurabilityContext.$work.withValue(local) { subscribe(CarriedLocal(DurabilityContext.$work, named: "work")) }
    }

    final func noteEnd(of stream: UInt64) {
        keep().book.end(stream)
        payload.add { $0.add(endOfWork: stream) }
    }

    final func endTurn(_ state: UnsafePointer<State>) {
        if let kept {
            kept.firstWork = nil
            if let request = kept.request {
                finish(request, state, kept)
                kept.request = nil
                kept.rejection = nil
            }
        }
        if !payload.isEmpty { write(state) }
        guard isBetweenTurns else { return }
        answerRequests(state)
        if effectsSinceSnapshot >= settings.snapshotEvery { takeSnapshot(state) }
    }

    private final func write(_ state: UnsafePointer<State>) {
        last += 1
        let record = LogRecord(sequence: last, schema: settings.coding.entries.effects.version, payload: payload.take())
        willWrite(state)
        let writer = settings.writer
        // Until the record is written, which releases everything again.
        if writer.isDelayed, writer.queue.isFull { progress.restrain(to: 0) }
        writer.append(record, of: self, due: due)
    }

    /// True if a snapshot can be made: it cannot contain follow-up events.
    final var isBetweenTurns: Bool { followUps == 0 && payload.isEmpty }

    /// True if no work is open and no follow-up event is pending.
    final var isDone: Bool { followUps == 0 && kept?.book.works.isEmpty ?? true }

    /// Returns whether a number of effects were applied since the last snapshot.
    final func hasEffects(_ count: Int) -> Bool { effectsSinceSnapshot >= count }

    /// Returns the open work and the keys for a snapshot, and resets the count of effects.
    final func takeBook() -> LogBook<Event> {
        effectsSinceSnapshot = 0
        return kept?.book ?? LogBook(settings.keys)
    }

    private final func keep() -> KeptBook<Event> {
        let kept = kept ?? KeptBook(LogBook(settings.keys), [])
        self.kept = kept
        return kept
    }

    private final func finish(_ request: SenderRequest, _ state: UnsafePointer<State>, _ kept: KeptBook<Event>) {
        if let keyed = request as? KeyedRequest<State> {
            let reason = kept.rejection.map { error in (error as? Rejection)?.reason ?? "\(error)" }
            let answer = keyed.answer(after: state.pointee, rejection: reason, at: settings.now(), room: payload.roomForAnswer)
            kept.book.keys.add(answer)
            payload.add { $0.add(answer: EntryCoding<Event, Effect>.bytes(of: answer)) }
        } else if let retry = request as? RetryRequest<Event> {
            // The event has led to no stream for this work, so there is no next attempt.
            for work in retry.works where !work.isEnded { noteEnd(of: work.number) }
        }
    }
}

/// The parts of ``DurableTurns`` for loops with work or keys. Only the loop's owner uses it.
private final class KeptBook<Event> {
    /// The open work and the answered keys.
    var book: LogBook<Event>
    /// The events that the loop handles first.
    var leftOver: [LeftOver<Event>]
    /// The request of the sender of the current event.
    var request: SenderRequest?
    /// The reason why the current event was rejected.
    var rejection: (any Error)?
    /// The number of the first stream of the current event; nil if it has none so far.
    var firstWork: UInt64?

    init(_ book: LogBook<Event>, _ leftOver: [LeftOver<Event>]) {
        self.book = book
        self.leftOver = leftOver
    }
}

/// The error of a repeated event with a key whose first sending was rejected.
public struct RepeatedRejection: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason of that rejection.
    public let reason: String

    /// The reason.
    public var description: String { reason }
}
