import Synchronization

/// The common part of the subjects: an ordered list of members, to which one thread at a time delivers one value at a time.
///
/// Everything that happens to a subject goes through its ``Mailbox``: a thread that finds the mailbox idle acts at once, and a
/// thread that finds it busy posts a note.
///
/// A member is joining while its subscriber is inside `receive(subscription:)`. Meanwhile, its values are stored in `waiting`.
/// When the subscriber has returned, the subscribing thread delivers those that it has sent itself, from inside that call. At the
/// first value of another thread, it leaves the rest, and with it the member, to the owner of the mailbox.
@usableFromInline package final class SubjectCore<Output, Failure: Error>: @unchecked Sendable {
    // Sound: only the owner of the mailbox accesses `members`, `batch` and `latest`; locks protect `guarded` and `upstreams`.
    @usableFromInline package typealias Member = SubjectMember<Output, Failure>

    /// An item of the mailbox.
    @usableFromInline package enum Note {
        /// A value to deliver to all members.
        case value(Output)
        /// The completion to deliver to all members.
        case completion(Subscribers.Completion<Failure>)
        /// A member to add to the list.
        case join(Member)
        /// A step for one member.
        case member(Member, MemberStep)
        /// The subject was deinitialized, so nothing more can be sent.
        case abandon
    }

    /// A step for one member that is left to the owner of the mailbox.
    @usableFromInline package enum MemberStep {
        /// Delivers the current value, which the member is owed and has requested.
        case settle
        /// Removes the member, which was cancelled.
        case leave
        /// Completes the member, which was joining when the subject ended.
        case finish
        /// Delivers the values of other threads that the subscribing thread has found waiting for the member.
        case joined
    }

    /// The state that the owner shares with all other threads.
    @usableFromInline package struct Guarded: @unchecked Sendable {
        // Sound: accessed only with the lock held.
        /// The value last sent, delivered or not, if the subject keeps one.
        @usableFromInline package var current: Output?
        @usableFromInline package var completion: Subscribers.Completion<Failure>?
        /// The notes for members that are joining, each with the thread that has sent it.
        @usableFromInline var waiting: [(member: Member, note: Note, sender: UInt)] = []
        /// The operations of the subscriber types that this subject has met, as a linked list.
        @usableFromInline var operations: MemberOperations<Output, Failure>?
        @usableFromInline package var driver: Driver?
        @inlinable init(current: Output?) { self.current = current }
    }

    /// The object that receives the steps for members of a driven subject, each with the flag whether it is for an heir, see
    /// ``Mailbox``; and the closure that passes them on to it, formed where its type is known.
    @usableFromInline package struct Driver {
        @usableFromInline let object: AnyObject
        @usableFromInline let call: (AnyObject, Member, MemberStep, _ isForHeir: Bool) -> Void
        @inlinable package init(_ object: AnyObject, call: @escaping (AnyObject, Member, MemberStep, Bool) -> Void) {
            self.object = object
            self.call = call
        }
    }

    /// What code that is not specialized has done: the end of the subject, that of its memory, and the work of the heir.
    @usableFromInline enum Chore {
        case abandon
        case end
        case inherit
    }

    /// What a caller finds. `now`: it owns the mailbox, and acts at once. `mail`: it has become the owner, and handles the mail.
    /// `later`: another owner handles the note. `over`: the subject has ended.
    @usableFromInline enum Turn {
        case now
        case mail
        case later
        case over
    }

    /// The state that only generic code can release. It is behind a pointer, for the reason that ``OutletStorage`` gives.
    @usableFromInline package struct Storage: ~Copyable {
        @usableFromInline let mailbox = Mailbox<Note>()
        @usableFromInline package let guarded: Lock<Guarded>

        @inlinable init(current: Output?) { guarded = Lock(Guarded(current: current)) }
    }

    @usableFromInline package let storage: UnsafeMutablePointer<Storage>
    /// The value last delivered, behind the storage. It lags behind `current` while values wait in the mailbox. In a driven subject,
    /// none do; there, as in a subject that keeps no value, there is no room for it.
    @inlinable var latest: UnsafeMutablePointer<Output?> {
        @inline(__always) get { UnsafeMutableRawPointer(storage + 1).assumingMemoryBound(to: Output?.self) }
    }
    @inlinable var keepsLatest: Bool { keepsCurrent && !isDriven }
    /// Does a chore. Formed where the types are known, so that it stays specialized when unspecialized code calls it.
    @usableFromInline let perform: (SubjectCore, Chore) -> Void
    @inlinable package var mailbox: Mailbox<Note> { @inline(__always) _read { yield storage.pointee.mailbox } }
    @usableFromInline let upstreams = Upstreams()
    @usableFromInline let keepsCurrent: Bool
    /// Whether a loop, the driver, owns the mailbox until it finishes: see ``DrivenSubject``.
    @usableFromInline let isDriven: Bool
    /// Whether new members do not receive the current value until the driver releases it.
    @usableFromInline package let isHeld: Atomic<Bool>
    /// Whether the current value is kept only for members that are owed it, as nobody can join or read it any more.
    @exclusivity(unchecked) @usableFromInline package var isOver = false
    /// Whether the driver has finished. A member that remains is owed the last value and then the completion.
    @exclusivity(unchecked) @usableFromInline package var isFinished = false
    /// Whether any member has ever requested values. A subject that keeps no value requests none from its upstreams before.
    @usableFromInline let hasDemand = Atomic<Bool>(false)
    @exclusivity(unchecked) @usableFromInline package var members = MemberList<Member>()
    @exclusivity(unchecked) @usableFromInline package var batch: [Note] = []

    @inlinable package init(current: Output?, isDriven: Bool = false) {
        self.isDriven = isDriven
        isHeld = Atomic(isDriven)
        keepsCurrent = current != nil
        if keepsCurrent, !isDriven {
            storage = UnsafeMutableRawPointer.allocate(
                byteCount: MemoryLayout<Storage>.stride + MemoryLayout<Output?>.size, alignment: MemoryLayout<Storage>.alignment
            ).bindMemory(to: Storage.self, capacity: 1)
            UnsafeMutableRawPointer(storage + 1).initializeMemory(as: Output?.self, to: current)
        } else {
            storage = .allocate(capacity: 1)
        }
        storage.initialize(to: Storage(current: current))
        perform = { core, chore in
            switch chore {
            case .abandon: core.abandon()
            case .end: core.end()
            case .inherit: core.work(core.mailbox.inherit())
            }
        }
        if isDriven { _ = mailbox.enter() }
    }

    @inlinable deinit { perform(self, .end) }

    /// Releases everything. Called only by `deinit`.
    @inlinable func end() {
        members.end()
        if keepsLatest { latest.deinitialize(count: 1) }
        storage.deinitialize(count: 1).deallocate()
    }

    /// What it is in descriptions.
    @usableFromInline var name: String { keepsCurrent ? "CurrentValueSubject" : "PassthroughSubject" }

    /// The value last sent. The subject must have one.
    @inlinable var current: Output { storage.pointee.guarded.withLock { UncheckedTransfer($0.current!) }.value }

    /// The value last sent; nil if there is none, or if nobody can request it any more.
    @inlinable package var currentIfAny: Output? { storage.pointee.guarded.withLock { UncheckedTransfer($0.current) }.value }

    /// Sends a value, if the subject keeps none.
    @inlinable func send(_ value: Output) {
        guard mailbox.enter() else { return leave(value) }
        deliver(value)
        if !mailbox.leave() { handleMail() }
    }

    /// Leaves a value to the owner. A separate function, so that the usual path stays small.
    @inlinable @inline(never) func leave(_ value: Output) {
        if mailbox.post(.value(value)) { handleMail() } else { mailbox.holdUp() }
    }

    /// Makes a value the current one and sends it, if the subject keeps one. Values become current in the order in which they are
    /// delivered: both are determined with the lock held.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - alsoAfterTheEnd: Whether the value becomes current even after the subject has completed, when it is sent to nobody.
    @inlinable func sendKeeping(_ value: Output, alsoAfterTheEnd: Bool = false) {
        let turn: Turn = storage.pointee.guarded.withLock { guarded in
            if guarded.completion != nil { return .over }
            // This does not release the old value: it is still held by `latest`, or by the note that delivers it.
            guarded.current = value
            if mailbox.enter() { return .now }
            return postValue(value) ? .mail : .later
        }
        switch turn {
        case .now:
            latest.pointee = value
            deliver(value)
            if !mailbox.leave() { handleMail() }
        case .mail: handleMail()
        case .later: mailbox.holdUp()
        case .over: if alsoAfterTheEnd { exchangeLast(value) }
        }
    }

    /// Leaves a value to the owner, and returns whether the caller has become the owner. A separate function, so that the usual
    /// path stays small.
    @inlinable @inline(never)
    func postValue(_ value: Output) -> Bool { mailbox.post(.value(value)) }

    /// Changes the value of a subject that has completed. The old value, which may have no other owner, is released outside the
    /// lock.
    @inlinable @inline(never) func exchangeLast(_ value: Output) {
        var last = Optional(value)
        storage.pointee.guarded.withLock { swap(&$0.current, &last) }
        discard(last)
    }

    @inlinable func send(completion: Subscribers.Completion<Failure>) {
        let isOwner = storage.pointee.guarded.withLock { guarded in
            guard guarded.completion == nil else { return false }
            guarded.completion = completion
            return mailbox.post(.completion(completion))
        }
        upstreams.end()
        if isOwner { handleMail() }
    }

    /// Offers a value to every member. Only for the owner of the mailbox.
    @inlinable @inline(__always) package func deliver(_ value: Output) {
        let count = members.count
        let places = members.places
        for index in 0..<count { places[index]?._withUnsafeGuaranteedRef { $0.offer(value) } }
    }

    /// Offers a value to a member that is joining, has limited demand, or is closed.
    @inlinable @inline(never) func offerSlowly(_ value: Output, to member: Member) {
        if postpone(.value(value), for: member) { return }
        if member.offerCounting(value) {
            if keepsCurrent { member.state.bitwiseAnd(~StateBits.owed, ordering: .relaxed) }
        } else if keepsCurrent {
            let (_, state) = member.state.bitwiseOr(StateBits.owed, ordering: .acquiringAndReleasing)
            // Demand may have arrived since the last check; then its request has not seen that a value is owed.
            if state & StateBits.demand != 0, state & StateBits.closed == 0 { leave(member, .settle) }
        }
    }

    /// Stores a note for a member if it is joining, and returns whether it is.
    @inlinable package func postpone(_ note: Note, for member: Member) -> Bool {
        guard member.state.load(ordering: .acquiring) & StateBits.starting != 0 else { return false }
        return storage.pointee.guarded.withLock { guarded in
            guard member.state.load(ordering: .acquiring) & StateBits.starting != 0 else { return false }
            guarded.waiting.append((member, note, currentThread()))
            return true
        }
    }

    /// Handles the notes that an owner finds when it is about to leave the mailbox.
    @inlinable @inline(never) package func handleMail() { work(.own) }

    @inlinable @inline(__always) func work(_ turn: Mailbox<Note>.Turn) {
        if !mailbox.work(turn, &batch, { handle($0) }) { mailbox.bequeath { [self] in perform(self, .inherit) } }
    }

    @inlinable package func handle(_ note: Note) {
        switch note {
        case .value(let value):
            if keepsCurrent { latest.pointee = value }
            deliver(value)
        case .completion(let completion): completeAll(with: completion)
        case .join(let member): member.place = members.append(member)
        case .member(let member, let step): take(step, of: member)
        case .abandon: letGo()
        }
    }

    @inlinable package func take(_ step: MemberStep, of member: Member) {
        switch step {
        case .settle: settleNow(member)
        case .leave: drop(member)
        case .finish: completeLate(member)
        case .joined: finishJoining(member, owing: nil, asOwner: true)
        }
    }

    @inlinable func completeAll(with completion: Subscribers.Completion<Failure>) {
        for index in 0..<members.count {
            guard let member = members.take(at: index)?.takeRetainedValue() else { continue }
            if !postpone(.completion(completion), for: member) { complete(member, with: completion) }
        }
        members.end()
    }

    @inlinable package func complete(_ member: Member, with completion: Subscribers.Completion<Failure>) {
        guard member.close() & StateBits.closed == 0 else { return member.operations.letGo(member) }
        member.operations.finish(member, completion)
    }

    @inlinable func settleNow(_ member: Member) {
        let state = member.state.load(ordering: .acquiring)
        guard state & StateBits.owed != 0, state & (StateBits.starting | StateBits.closed) == 0 else { return }
        guard state & StateBits.demand != 0, let latest = isDriven ? currentIfAny : latest.pointee else { return }
        member.state.bitwiseAnd(~StateBits.owed, ordering: .relaxed)
        _ = member.offerCounting(latest)
        if isFinished { completeLate(member) }
    }

    @inlinable func drop(_ member: Member) {
        // A completion, or the subject's end, may have removed the member in the meantime.
        if member.place < members.count,
            members.places[member.place]?.toOpaque() == Unmanaged.passUnretained(member).toOpaque()
        {
            members.take(at: member.place)?.release()
            if members.isSparse { members.closeUp { $0.place = $1 } }
        }
        member.operations.letGo(member)
        forgetIfUnneeded()
    }

    /// Completes a member that was owed the last value and has received it.
    @inlinable func completeLate(_ member: Member) {
        guard member.place < members.count, members.places[member.place]?.takeUnretainedValue() === member else { return }
        let place = member.place
        complete(member, with: .finished)
        members.take(at: place)?.release()
        forgetIfUnneeded()
    }

    /// Releases the last value if nobody can request it any more.
    @inlinable package func forgetIfUnneeded() {
        guard isOver, members.live == 0 else { return }
        if keepsLatest { latest.pointee = nil }
        let last = storage.pointee.guarded.withLock { UncheckedTransfer($0.current.take()) }
        discard(last)
    }
}
