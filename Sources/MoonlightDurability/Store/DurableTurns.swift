import Moonlight
import Streams
import Synchronization

/// Who waits for a snapshot, and who for the log to go on after a failure.
struct DurableRequests: Sendable {
    var snapshot: [CheckedContinuation<Void, any Error>] = []
    var restart: [CheckedContinuation<Void, any Error>] = []
    var isEnded = false
}

/// Notes in the log what the loop does, turn by turn.
///
/// A loop calls it as an existential, which is not specialized. What is called at the end of each turn is therefore formed in the module
/// that knows the types: see ``specialise()``.
@usableFromInline
final class DurableTurns<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: TurnLog, @unchecked Sendable {
    // Sound: the requests are behind their lock, the writer guards itself, and the rest is the loop owner's.
    let progress = GateProgress()
    @usableFromInline let writer: LogWriter<State, Event, Effect>
    private let identity: UInt64
    private let entries: EntryCoding<Event, Effect>
    @usableFromInline let snapshotEvery: Int
    private let now: @Sendable () -> Int64
    let handle: Durability
    private let requests = Lock(DurableRequests())
    /// Whether there are requests.
    @usableFromInline let isAsked = Atomic<Bool>(false)

    // From here on, the owner's.
    private var book: LogBook<Event>
    /// The last turn that was passed to the writer.
    @usableFromInline var last: UInt64
    @usableFromInline package var position: UInt64
    /// What the present turn has led to.
    private var payload: TurnPayload
    private var errand: Errand?
    private var rejection: (any Error)?
    @usableFromInline var effectsSinceSnapshot: Int
    /// How many events follow from effects and have not been handled.
    @usableFromInline var followUps = 0
    private var leftOver: [LeftOver<Event>]
    /// Whether the turn ends with more than its entries: an errand or a rejection.
    @usableFromInline var hasMore = false
    @usableFromInline var endTurnSpecialised: (DurableTurns, UnsafePointer<State>) -> Void = { $0.finishTurn($1) }

    init(
        _ recovered: Recovered<State, Event, Effect>, leftOver: [LeftOver<Event>], writer: LogWriter<State, Event, Effect>,
        handle: Durability, identity: UInt64, entries: EntryCoding<Event, Effect>, largest: Int, snapshotEvery: Int,
        now: @escaping @Sendable () -> Int64
    ) {
        self.writer = writer
        self.handle = handle
        self.identity = identity
        self.entries = entries
        payload = TurnPayload(largest: largest)
        self.snapshotEvery = snapshotEvery
        self.now = now
        self.leftOver = leftOver
        (book, last, effectsSinceSnapshot) = (recovered.book, recovered.last, recovered.effectsSinceSnapshot)
        position = recovered.last
        progress.release(through: writer.isDelayed ? .max : recovered.last)
    }

    /// Has what is called for each event specialized where this is inlined. Called once, before the loop begins.
    @inlinable
    func specialise() { endTurnSpecialised = { $0.finishTurn($1) } }

    private func add(_ add: (inout ByteWriter) -> Void) {
        payload.add(add)
        position = last + 1
    }

    /// Asks for a snapshot, or for the log to go on after a failure, and waits for it.
    func request(_ list: WritableKeyPath<DurableRequests, [CheckedContinuation<Void, any Error>]>) async throws {
        try await withCheckedThrowingContinuation { waiter in
            let isEnded = requests.withLock { requests in
                if !requests.isEnded { requests[keyPath: list].append(waiter) }
                return requests.isEnded
            }
            if isEnded { return waiter.resume(throwing: DurabilityError.closed) }
            isAsked.store(true, ordering: .releasing)
            progress.wakeLoop()
        }
    }

    @usableFromInline package func isReleased(_ position: UInt64) -> Bool { progress.isReleased(position) }
    @usableFromInline package var failureOfProgress: SendError? { progress.failure }
    @usableFromInline package func setLoop(_ loop: (any GatedLoop)?) { progress.setLoop(loop) }

    @usableFromInline package var errandOfCaller: (any AnyObject & Sendable)? {
        guard let errand = DurabilityContext.errand, errand.isPending else { return nil }
        return errand
    }

    @usableFromInline
    package func open(_ post: (Event, Bool, (any AnyObject & Sendable)?) -> Void) {
        for event in leftOver {
            if event.errand == nil { followUps += 1 }
            post(event.event, event.errand == nil, event.errand)
        }
        leftOver = []
    }

    @usableFromInline
    package func admit(_ event: Event, isFollowUp: Bool, errand: (any AnyObject & Sendable)?) -> TurnAdmission {
        if isFollowUp {
            followUps -= 1
            add { $0.addFollowUp() }
            return .admitted
        }
        let errand = errand as? Errand
        errand?.take()
        if let failure = writer.failure { return .refused(.notDurable(failure, isTaken: false)) }
        if let keyed = errand as? KeyedErrand<State> {
            if let answer = book.keys.answer(to: keyed.key, at: now()) {
                keyed.answer(with: answer)
                return .repeated(answer.rejection.map { .rejected(RepeatedRejection(reason: $0)) })
            }
            do throws(DurabilityError) { try payload.keepRoom(for: keyed.key) } catch { return .refused(.rejected(error)) }
        }
        if let errand {
            self.errand = errand
            hasMore = true
        }
        return .admitted
    }

    @usableFromInline
    package func noteRejection(_ error: any Error) {
        rejection = error
        hasMore = true
    }

    @usableFromInline
    package func prepare(_ effect: Effect) throws { try payload.prepare(effect: entries.effects.write(effect)) }

    @usableFromInline
    package func noteApplied(followUps: Int) {
        payload.noteApplied()
        position = last + 1
        self.followUps += followUps
        effectsSinceSnapshot += 1
    }

    @usableFromInline
    package func noteStream(of event: Event, job: JobID?) throws -> UInt64? {
        guard entries.events != nil else { return nil }
        let number = book.nextWork
        let retry = errand as? RetryErrand
        let work = OpenWork(
            number: number, replaces: retry?.number ?? 0, key: retry?.key ?? "\(String(identity, radix: 16))-\(number)",
            attempt: retry?.attempt ?? 1, job: job?.description ?? "", event: event)
        try payload.add(work: entries.bytes(of: work))
        position = last + 1
        book.begin(work)
        // Only the first stream of the event takes the work up again.
        if retry != nil { errand = nil }
        return number
    }

    @usableFromInline
    package func begin(_ stream: UInt64, _ subscribe: (CarriedLocal?) -> Void) {
        guard let work = book.works[stream] else { return subscribe(nil) }
        let local = DurableWork(key: work.key, attempt: Int(work.attempt))
        DurabilityContext.$work.withValue(local) { subscribe(CarriedLocal(DurabilityContext.$work, named: "work")) }
    }

    @usableFromInline
    package func noteEnd(of stream: UInt64) {
        book.end(stream)
        add { $0.add(endOfWork: stream) }
    }

    @usableFromInline
    package func endTurn(_ state: UnsafePointer<State>) { endTurnSpecialised(self, state) }

    @inlinable
    func finishTurn(_ state: UnsafePointer<State>) {
        if hasMore { finishMore(state) }
        if position != last {
            last = position
            writer.append(takePayload()) { restrain() }
        }
        // Events that follow from effects are not in a snapshot.
        guard followUps == 0 else { return }
        if isAsked.load(ordering: .acquiring) { answerRequests(state) }
        if effectsSinceSnapshot >= snapshotEvery { takeSnapshot(state) }
    }

    @usableFromInline
    func takePayload() -> [UInt8] { payload.take() }

    @usableFromInline
    func restrain() { progress.restrain(to: 0) }

    @usableFromInline
    func finishMore(_ state: UnsafePointer<State>) {
        if let errand {
            finish(errand, state)
            self.errand = nil
        }
        rejection = nil
        hasMore = false
    }

    @usableFromInline
    func takeSnapshot(_ state: UnsafePointer<State>) { writer.request(.snapshot(checkpoint(state))) }

    @usableFromInline
    func answerRequests(_ state: UnsafePointer<State>) {
        isAsked.store(false, ordering: .releasing)
        let asked = requests.withLock { requests in
            defer { (requests.snapshot, requests.restart) = ([], []) }
            return requests
        }
        if !asked.restart.isEmpty { writer.request(.restart(checkpoint(state, asked.restart))) }
        if !asked.snapshot.isEmpty { writer.request(.snapshot(checkpoint(state, asked.snapshot))) }
    }

    private func checkpoint(
        _ state: UnsafePointer<State>, _ waiters: [CheckedContinuation<Void, any Error>] = []
    ) -> LogWriter<State, Event, Effect>.Checkpoint {
        effectsSinceSnapshot = 0
        return .init(state: state.pointee, book: book, sequence: last, waiters: waiters)
    }

    private func finish(_ errand: Errand, _ state: UnsafePointer<State>) {
        if let keyed = errand as? KeyedErrand<State> {
            let reason = rejection.map { error in (error as? Rejection)?.reason ?? "\(error)" }
            let answer = keyed.answer(after: state.pointee, rejection: reason, at: now(), room: payload.roomForAnswer)
            book.keys.add(answer)
            add { $0.add(answer: EntryCoding<Event, Effect>.bytes(of: answer)) }
        } else if let retry = errand as? RetryErrand {
            // The event has led to no stream that takes the work up again.
            noteEnd(of: retry.number)
        }
    }

    @usableFromInline
    package func end(_ state: UnsafePointer<State>) {
        let left = requests.withLock { requests in
            requests.isEnded = true
            return requests.snapshot + requests.restart
        }
        for waiter in left { waiter.resume(throwing: DurabilityError.closed) }
        writer.close()
    }
}

extension DurableTurns: HasDurability {}

/// An event that the loop handles first, because it was left over from before.
struct LeftOver<Event> {
    let event: Event
    /// The interrupted work that it takes up again; nil if it followed from an effect.
    let errand: RetryErrand?
}

/// The reason for which an event with a key was rejected when it was sent first.
public struct RepeatedRejection: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason that was given then.
    public let reason: String

    /// The reason.
    public var description: String { reason }
}
