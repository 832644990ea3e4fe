import Synchronization

/// What the subjects have in common: an ordered list of members, served one value at a time by one thread at a time. Everything
/// that happens to a subject goes through its ``Mailbox``: who finds it idle does it, who finds it busy leaves a note. A value
/// for a member whose subscriber is still inside `receive(subscription:)` waits in `waiting`. When the subscriber has returned, the
/// subscribing thread delivers what it has sent itself from inside; at the first value of another thread it leaves the rest, and
/// with it the member, to the owner of the mailbox.
@usableFromInline package final class SubjectCore<Output, Failure: Error>: @unchecked Sendable {
    // Sound: `members`, `batch` and `latest` belong to the owner of the mailbox; `guarded` and `upstreams` are behind locks.
    @usableFromInline package typealias Member = SubjectMember<Output, Failure>

    /// What may be left in the mailbox.
    @usableFromInline package enum Note {
        case value(Output)
        case completion(Subscribers.Completion<Failure>)
        case join(Member)
        case member(Member, MemberStep)
        /// The subject itself is gone, and nobody can send any more.
        case abandon
    }

    /// What may be left to be done about one member.
    @usableFromInline package enum MemberStep {
        /// It has asked for the current value, which it is owed.
        case settle
        /// It was cancelled.
        case leave
        /// The subject has ended while it was joining.
        case finish
        /// The thread that subscribes has found values of others waiting for it: it gets them from the owner.
        case joined
    }

    /// What is shared between the owner and everybody else.
    @usableFromInline package struct Guarded: @unchecked Sendable {
        // Sound: behind the lock.
        /// The value last sent, delivered or not, of a subject that has one.
        @usableFromInline package var current: Output?
        @usableFromInline package var completion: Subscribers.Completion<Failure>?
        /// What came for members that are joining, and from which thread.
        @usableFromInline var waiting: [(member: Member, note: Note, sender: UInt)] = []
        @usableFromInline var operations: MemberOperations<Output, Failure>?
        @usableFromInline package var driver: Driver?
        @inlinable init(current: Output?) { self.current = current }
    }

    /// Who does what is left to be done about members of a driven subject; told whether it is for an heir, see ``Mailbox``. A closure
    /// alone would be wrapped, in an object, whenever it is taken from behind the lock.
    @usableFromInline package struct Driver {
        @usableFromInline let call: (Member, MemberStep, _ isForHeir: Bool) -> Void
        @inlinable package init(call: @escaping (Member, MemberStep, Bool) -> Void) { self.call = call }
    }

    /// What a sender finds: it may deliver now, it must handle the mail, or somebody else does.
    @usableFromInline enum Turn { case now, mail, later, over }

    /// What only generic code can let go of. It is behind a pointer, for the reason that ``OutletStorage`` gives.
    @usableFromInline package struct Storage: ~Copyable {
        @usableFromInline let mailbox = Mailbox<Note>()
        @usableFromInline package let guarded: Lock<Guarded>
        /// The value last delivered, of a subject that keeps one. It lags behind `current` while values wait; in a driven subject
        /// none do, and `current` it is.
        @usableFromInline var latest: Output?

        @inlinable init(current: Output?, latest: Output?) {
            self.latest = latest
            guarded = Lock(Guarded(current: current))
        }
    }

    @usableFromInline package let storage: UnsafeMutablePointer<Storage>
    /// Formed where the types are known.
    @usableFromInline let abandonSpecialised: (SubjectCore) -> Void, endSpecialised: (SubjectCore) -> Void
    @usableFromInline let inheritSpecialised: (SubjectCore) -> Void
    @inlinable package var mailbox: Mailbox<Note> { @inline(__always) _read { yield storage.pointee.mailbox } }
    @usableFromInline let upstreams = Upstreams()
    @usableFromInline let name: String
    @usableFromInline let keepsCurrent: Bool
    /// Whether the mailbox is owned for good by somebody else's loop, the driver: see Moonlight's `CurrentValueSubject+driven`.
    @usableFromInline let isDriven: Bool
    /// Whether new members get the current value only when the driver has released it.
    @usableFromInline package let isHeld: Atomic<Bool>
    /// Whether the current value is only there for members that are owed it: nobody can join or read it any more.
    @exclusivity(unchecked) @usableFromInline package var isOver = false
    /// Whether the driver has finished; a member that is left is owed the last value and then the completion.
    @exclusivity(unchecked) @usableFromInline package var isFinished = false
    /// Whether any member has ever asked for values: upstreams wait for it.
    @usableFromInline let hasDemand = Atomic<Bool>(false)
    @exclusivity(unchecked) @usableFromInline package var members = MemberList<Member>()
    @exclusivity(unchecked) @usableFromInline package var batch: [Note] = []

    @inlinable package init(name: String, current: Output?, isDriven: Bool = false) {
        self.name = name
        self.isDriven = isDriven
        isHeld = Atomic(isDriven)
        keepsCurrent = current != nil
        storage = .allocate(capacity: 1)
        storage.initialize(to: Storage(current: current, latest: isDriven ? nil : current))
        (abandonSpecialised, endSpecialised) = ({ $0.abandon() }, { $0.end() })
        inheritSpecialised = { $0.work($0.mailbox.inherit()) }
        if isDriven { _ = mailbox.enter() }
    }

    @inlinable deinit { endSpecialised(self) }

    /// Lets go of everything. For the end of this object only.
    @inlinable func end() {
        members.end()
        storage.deinitialize(count: 1).deallocate()
    }

    /// The value last sent.
    @inlinable var current: Output { storage.pointee.guarded.withLock { UncheckedTransfer($0.current!) }.value }

    /// The value last sent, as long as anybody can ask for it.
    @inlinable package var currentIfAny: Output? { storage.pointee.guarded.withLock { UncheckedTransfer($0.current) }.value }

    /// Sends a value of a subject that keeps none.
    @inlinable func send(_ value: Output) {
        guard mailbox.enter() else { return leave(value) }
        deliver(value)
        if !mailbox.leave() { handleMail() }
    }

    /// Leaves a value to the owner. Apart, so that the usual way stays small.
    @inlinable @inline(never) func leave(_ value: Output) {
        if mailbox.post(.value(value)) { handleMail() } else { mailbox.holdUp() }
    }

    /// Changes the value of a subject that keeps one, and sends it. The order in which values become current is the order in
    /// which they are delivered: both are decided with the lock held.
    /// - Parameter alsoAfterTheEnd: Whether it becomes current, though nobody is sent it, when the subject has completed.
    @inlinable func sendKeeping(_ value: Output, alsoAfterTheEnd: Bool = false) {
        let turn: Turn = storage.pointee.guarded.withLock { guarded in
            if guarded.completion != nil { return .over }
            // The one before is still held: it is the latest, or in the note that brings it.
            guarded.current = value
            if mailbox.enter() { return .now }
            return postValue(value) ? .mail : .later
        }
        switch turn {
        case .now:
            storage.pointee.latest = value
            deliver(value)
            if !mailbox.leave() { handleMail() }
        case .mail: handleMail()
        case .later: mailbox.holdUp()
        case .over: if alsoAfterTheEnd { exchangeLast(value) }
        }
    }

    /// Leaves a value to the owner; returns whether the caller has become it. Apart, so that the usual way stays small.
    @inlinable @inline(never)
    func postValue(_ value: Output) -> Bool { mailbox.post(.value(value)) }

    /// Changes the value of a subject that has completed. The one before, which nobody else has, is let go of with the lock free.
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

    @inlinable @inline(__always) package func deliver(_ value: Output) {
        let count = members.count
        let places = members.places
        for index in 0..<count { places[index]?._withUnsafeGuaranteedRef { $0.offer(value) } }
    }

    /// A value for a member that is joining, has limited demand, or is closed.
    @inlinable @inline(never) func offerSlowly(_ value: Output, to member: Member) {
        if postpone(.value(value), for: member) { return }
        if member.offerCounting(value) {
            if keepsCurrent { member.state.bitwiseAnd(~StateBits.owed, ordering: .relaxed) }
        } else if keepsCurrent {
            let (_, state) = member.state.bitwiseOr(StateBits.owed, ordering: .acquiringAndReleasing)
            // Demand may have arrived since it was last looked at, and its request found nothing owed.
            if state & StateBits.demand != 0, state & StateBits.closed == 0 { leave(member, .settle) }
        }
    }

    /// Puts a note aside for a member that is joining; returns whether the member is joining.
    @inlinable package func postpone(_ note: Note, for member: Member) -> Bool {
        guard member.state.load(ordering: .acquiring) & StateBits.starting != 0 else { return false }
        return storage.pointee.guarded.withLock { guarded in
            guard member.state.load(ordering: .acquiring) & StateBits.starting != 0 else { return false }
            guarded.waiting.append((member, note, currentThread()))
            return true
        }
    }

    /// What an owner does about the notes that it finds when it would leave.
    @inlinable @inline(never) package func handleMail() { work(.own) }

    @inlinable @inline(__always) func work(_ turn: Mailbox<Note>.Turn) {
        if !mailbox.work(turn, &batch, { handle($0) }) { mailbox.bequeath { [self] in inheritSpecialised(self) } }
    }

    @inlinable package func handle(_ note: Note) {
        switch note {
        case .value(let value):
            if keepsCurrent { storage.pointee.latest = value }
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
        guard state & StateBits.demand != 0, let latest = isDriven ? currentIfAny : storage.pointee.latest else { return }
        member.state.bitwiseAnd(~StateBits.owed, ordering: .relaxed)
        _ = member.offerCounting(latest)
        if isFinished { completeLate(member) }
    }

    @inlinable func drop(_ member: Member) {
        // A completion, or the subject's end, may have taken it out in the meantime.
        if member.place < members.count,
            members.places[member.place]?.toOpaque() == Unmanaged.passUnretained(member).toOpaque()
        {
            members.take(at: member.place)?.release()
            if members.isSparse { members.closeUp { $0.place = $1 } }
        }
        member.operations.letGo(member)
        forgetIfUnneeded()
    }

    /// A member that was owed the last value has got it.
    @inlinable func completeLate(_ member: Member) {
        guard member.place < members.count, members.places[member.place]?.takeUnretainedValue() === member else { return }
        let place = member.place
        complete(member, with: .finished)
        members.take(at: place)?.release()
        forgetIfUnneeded()
    }

    /// Lets go of the last value when nobody can ask for it any more.
    @inlinable package func forgetIfUnneeded() {
        guard isOver, members.live == 0 else { return }
        storage.pointee.latest = nil
        let last = storage.pointee.guarded.withLock { UncheckedTransfer($0.current.take()) }
        discard(last)
    }
}
