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
final class DurableTurns<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: TurnLog, @unchecked Sendable {
    // Sound: the requests are behind their lock, the writer guards itself, and the rest is the loop owner's.
    let progress = GateProgress()
    let writer: LogWriter<State, Event, Effect>
    private let identity: UInt64
    private let notesWork: Bool
    private let snapshotEvery: Int
    private let now: @Sendable () -> Int64
    let handle: Durability
    private let requests = Lock(DurableRequests())
    /// Whether there are requests.
    private let isAsked = Atomic<Bool>(false)

    // From here on, the owner's.
    private var book: LogBook<Event>
    /// The last turn that was passed to the writer.
    private(set) var last: UInt64
    /// What the present turn has led to.
    private var entries: [LogEntry<Event, Effect>] = []
    private var errand: Errand?
    private var rejection: (any Error)?
    private var effectsSinceSnapshot: Int
    /// How many events follow from effects and have not been handled.
    private var followUps = 0
    private var leftOver: [LeftOver<Event>]

    init(
        _ recovered: Recovered<State, Event, Effect>, leftOver: [LeftOver<Event>], writer: LogWriter<State, Event, Effect>,
        handle: Durability, identity: UInt64, notesWork: Bool, snapshotEvery: Int, now: @escaping @Sendable () -> Int64
    ) {
        (self.writer, self.handle, self.identity, self.notesWork) = (writer, handle, identity, notesWork)
        (self.snapshotEvery, self.now, self.leftOver) = (snapshotEvery, now, leftOver)
        (book, last, effectsSinceSnapshot) = (recovered.book, recovered.last, recovered.effectsSinceSnapshot)
        progress.release(through: writer.isDelayed ? .max : recovered.last)
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

    var errandOfCaller: (any AnyObject & Sendable)? {
        guard let errand = DurabilityContext.errand, errand.isPending else { return nil }
        return errand
    }

    var position: UInt64 { entries.isEmpty ? last : last + 1 }

    func open(_ post: (Event, Bool, (any AnyObject & Sendable)?) -> Void) {
        for event in leftOver {
            if event.errand == nil { followUps += 1 }
            post(event.event, event.errand == nil, event.errand)
        }
        leftOver = []
    }

    func admit(_ event: Event, isFollowUp: Bool, errand: (any AnyObject & Sendable)?) -> TurnAdmission {
        if isFollowUp {
            followUps -= 1
            entries.append(.followUp)
            return .admitted
        }
        let errand = errand as? Errand
        errand?.take()
        if let failure = writer.failure { return .refused(.notDurable(failure, isTaken: false)) }
        if let keyed = errand as? KeyedErrand<State>, let answer = book.keys.answer(to: keyed.key, at: now()) {
            keyed.answer(with: answer)
            return .repeated(answer.rejection.map { .rejected(RepeatedRejection(reason: $0)) })
        }
        self.errand = errand
        return .admitted
    }

    func noteRejection(_ error: any Error) { rejection = error }

    func noteApplied(_ effect: Effect, followUps: Int) {
        entries.append(.effect(effect))
        self.followUps += followUps
        effectsSinceSnapshot += 1
    }

    func noteStream(of event: Event, job: JobID?) -> UInt64? {
        guard notesWork else { return nil }
        let number = book.nextWork
        let retry = errand as? RetryErrand
        // Only the first stream of the event takes the work up again.
        if retry != nil { errand = nil }
        let work = OpenWork(
            number: number, replaces: retry?.number ?? 0, key: retry?.key ?? "\(String(identity, radix: 16))-\(number)",
            attempt: retry?.attempt ?? 1, job: job?.description ?? "", event: event)
        book.begin(work)
        entries.append(.begun(work))
        return number
    }

    func begin(_ stream: UInt64, _ subscribe: (CarriedLocal?) -> Void) {
        guard let work = book.works[stream] else { return subscribe(nil) }
        let local = DurableWork(key: work.key, attempt: Int(work.attempt))
        DurabilityContext.$work.withValue(local) { subscribe(CarriedLocal(DurabilityContext.$work, named: "work")) }
    }

    func noteEnd(of stream: UInt64) {
        book.end(stream)
        entries.append(.ended(stream))
    }

    func endTurn(_ state: UnsafePointer<State>) {
        if let errand {
            finish(errand, state)
            self.errand = nil
        }
        if !entries.isEmpty {
            // Before the turn is appended: when it has been written, everything is released again.
            if writer.isDelayed, writer.isOverrun { progress.restrain(to: 0) }
            last += 1
            writer.append(entries)
            entries.removeAll(keepingCapacity: true)
        }
        rejection = nil
        // Events that follow from effects are not in a snapshot.
        guard followUps == 0 else { return }
        if isAsked.load(ordering: .acquiring) { answerRequests(state) }
        if effectsSinceSnapshot >= snapshotEvery { writer.add(.snapshot(moment(state))) }
    }

    private func answerRequests(_ state: UnsafePointer<State>) {
        isAsked.store(false, ordering: .releasing)
        let asked = requests.withLock { requests in
            defer { (requests.snapshot, requests.restart) = ([], []) }
            return requests
        }
        if !asked.restart.isEmpty { writer.add(.restart(moment(state, asked.restart))) }
        if !asked.snapshot.isEmpty { writer.add(.snapshot(moment(state, asked.snapshot))) }
    }

    private func moment(
        _ state: UnsafePointer<State>, _ waiters: [CheckedContinuation<Void, any Error>] = []
    ) -> LogWriter<State, Event, Effect>.Moment {
        effectsSinceSnapshot = 0
        return .init(state: state.pointee, book: book, sequence: last, waiters: waiters)
    }

    private func finish(_ errand: Errand, _ state: UnsafePointer<State>) {
        if let keyed = errand as? KeyedErrand<State> {
            let reason = rejection.map { error in (error as? Rejection)?.reason ?? "\(error)" }
            let answer = keyed.answer(after: state.pointee, rejection: reason, at: now())
            book.keys.add(answer)
            entries.append(.answered(answer))
        } else if let retry = errand as? RetryErrand {
            // The event has led to no stream that takes the work up again.
            noteEnd(of: retry.number)
        }
    }

    func end() {
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
