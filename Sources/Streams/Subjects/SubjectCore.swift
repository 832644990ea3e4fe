import Synchronization

/// What the subjects have in common: an ordered list of members, served one value at a time by one thread at a time.
///
/// Everything that happens to a subject goes through its ``Mailbox``: who finds it idle does it, who finds it busy leaves
/// a note. A value for a member whose subscriber is still inside `receive(subscription:)` waits in `waiting`, and the
/// subscribing thread delivers it when the subscriber has returned.
@usableFromInline
final class SubjectCore<Output, Failure: Error>: @unchecked Sendable {
    // Sound: `members`, `batch` and `latest` belong to the owner of the mailbox; `guarded` is behind its lock.

    @usableFromInline typealias Member = SubjectMember<Output, Failure>
    @usableFromInline typealias Bits = SubjectMember<Output, Failure>.Bits

    /// What may be left in the mailbox.
    @usableFromInline
    enum Note {
        case value(Output)
        case completion(Subscribers.Completion<Failure>)
        case join(Member)
        case settle(Member)
        case leave(Member)
    }

    /// What is shared between the owner and everybody else.
    @usableFromInline
    struct Guarded: @unchecked Sendable {
        // Sound: behind the lock.
        /// The value last sent, delivered or not, of a subject that has one.
        @usableFromInline var current: Output?
        @usableFromInline var completion: Subscribers.Completion<Failure>?
        @usableFromInline var waiting: [(member: Member, note: Note)] = []
        @usableFromInline var upstreams: [SubscriptionCore] = []
        @usableFromInline var operations: [MemberOperations<Output, Failure>] = []
        /// Tells the driver that there is mail; see ``drive(_:)``.
        @usableFromInline var callDriver: (() -> Void)?
        @inlinable init(current: Output?) { self.current = current }
    }

    /// What a sender finds: it may deliver now, it must handle the mail, or somebody else does.
    @usableFromInline
    enum Turn { case now, mail, later }

    @usableFromInline let mailbox = Mailbox<Note>()
    @usableFromInline let guarded: Mutex<Guarded>
    @usableFromInline let name: String
    @usableFromInline let keepsCurrent: Bool
    /// Whether the mailbox is owned for good by somebody else's loop; see ``drive(_:)``.
    @usableFromInline let isDriven: Bool
    /// Whether new members get the current value only when the driver has released it.
    @usableFromInline let isHeld: Atomic<Bool>
    /// Whether the current value is only there for members that are owed it: nobody can join or read it any more.
    @exclusivity(unchecked) @usableFromInline var isOver = false
    /// Whether any member has ever asked for values: upstreams wait for it.
    @usableFromInline let hasDemand = Atomic<Bool>(false)

    @exclusivity(unchecked) @usableFromInline var members = MemberList<Member>()
    @exclusivity(unchecked) @usableFromInline var batch: [Note] = []
    /// The value last delivered, of a subject that keeps one. It lags behind `current` while values wait.
    @exclusivity(unchecked) @usableFromInline var latest: Output?

    @inlinable
    init(name: String, current: Output?, isDriven: Bool = false) {
        self.name = name
        self.isDriven = isDriven
        isHeld = Atomic(isDriven)
        keepsCurrent = current != nil
        latest = current
        guarded = Mutex(Guarded(current: current))
        if isDriven { _ = mailbox.enter() }
    }

    deinit {
        for upstream in guarded.withLock({ $0.upstreams }) { upstream.cancel() }
    }

    /// The value last sent.
    @inlinable
    var current: Output {
        guarded.withLock { UncheckedTransfer($0.current!) }.value
    }

    // MARK: Sending

    /// Sends a value of a subject that keeps none.
    @inlinable
    func send(_ value: Output) {
        if mailbox.enter() {
            deliver(value)
            if !mailbox.leave() { handleMail() }
        } else if mailbox.post(.value(value)) {
            handleMail()
        }
    }

    /// Changes the value of a subject that keeps one, and sends it.
    ///
    /// The order in which values become current is the order in which they are delivered: both are decided with the lock
    /// held.
    @inlinable
    func sendKeeping(_ value: Output) {
        let turn: Turn = guarded.withLock { guarded in
            guard guarded.completion == nil else { return .later }
            guarded.current = value
            if mailbox.enter() { return .now }
            return mailbox.post(.value(value)) ? .mail : .later
        }
        switch turn {
        case .now:
            latest = value
            deliver(value)
            if !mailbox.leave() { handleMail() }
        case .mail: handleMail()
        case .later: break
        }
    }

    @inlinable
    func send(completion: Subscribers.Completion<Failure>) {
        let (isOwner, upstreams) = guarded.withLock { guarded in
            guard guarded.completion == nil else { return (false, [SubscriptionCore]()) }
            guarded.completion = completion
            defer { guarded.upstreams = [] }
            return (mailbox.post(.completion(completion)), guarded.upstreams)
        }
        for upstream in upstreams { upstream.cancel() }
        if isOwner { handleMail() }
    }

    @inlinable @inline(__always)
    func deliver(_ value: Output) {
        let count = members.count
        let places = members.places
        for index in 0..<count {
            places[index]?._withUnsafeGuaranteedRef { $0.offer(value) }
        }
    }

    /// A value for a member that is joining, has limited demand, or is closed.
    @inlinable @inline(never)
    func offerSlowly(_ value: Output, to member: Member) {
        if postpone(.value(value), for: member) { return }
        if member.offerCounting(value) {
            if keepsCurrent { member.state.bitwiseAnd(~Bits.owed, ordering: .relaxed) }
        } else if keepsCurrent {
            let (_, state) = member.state.bitwiseOr(Bits.owed, ordering: .acquiringAndReleasing)
            // Demand may have arrived since it was last looked at, and its request found nothing owed.
            if state & Bits.demand != 0, state & Bits.closed == 0 { settle(member) }
        }
    }

    /// Puts a note aside for a member that is joining.
    ///
    /// - Returns: Whether the member is joining.
    @inlinable
    func postpone(_ note: Note, for member: Member) -> Bool {
        guard member.state.load(ordering: .acquiring) & Bits.joining != 0 else { return false }
        return guarded.withLock { guarded in
            guard member.state.load(ordering: .acquiring) & Bits.joining != 0 else { return false }
            guarded.waiting.append((member, note))
            return true
        }
    }

    // MARK: Mail

    /// What the owner does until nobody has left a note.
    @inlinable @inline(never)
    func handleMail() {
        repeat {
            mailbox.collect(into: &batch)
            batch.reverse()
            while let note = batch.popLast() { handle(note) }
        } while !mailbox.leave()
    }

    @inlinable
    func handle(_ note: Note) {
        switch note {
        case .value(let value):
            if keepsCurrent { latest = value }
            deliver(value)
        case .completion(let completion):
            completeAll(with: completion)
        case .join(let member):
            member.place = members.append(member)
        case .settle(let member):
            settleNow(member)
        case .leave(let member):
            drop(member)
        }
    }

    @inlinable
    func completeAll(with completion: Subscribers.Completion<Failure>) {
        for index in 0..<members.count {
            guard let member = members.take(at: index)?.takeRetainedValue() else { continue }
            if !postpone(.completion(completion), for: member) { complete(member, with: completion) }
        }
        members = MemberList()
    }

    @inlinable
    func complete(_ member: Member, with completion: Subscribers.Completion<Failure>) {
        if member.close() & Bits.closed == 0 {
            member.operations.finish(member, completion)
        } else {
            member.operations.letGo(member)
        }
    }

    @inlinable
    func settleNow(_ member: Member) {
        let state = member.state.load(ordering: .acquiring)
        guard state & Bits.owed != 0, state & (Bits.joining | Bits.closed) == 0, let latest else { return }
        guard state & Bits.demand != 0 else { return }
        member.state.bitwiseAnd(~Bits.owed, ordering: .relaxed)
        _ = member.offerCounting(latest)
        if let completion = guarded.withLock({ $0.completion }) { completeLate(member, with: completion) }
    }

    @inlinable
    func drop(_ member: Member) {
        // A completion may have taken it out in the meantime.
        guard member.place < members.count,
            members.places[member.place]?.toOpaque() == Unmanaged.passUnretained(member).toOpaque()
        else { return }
        members.take(at: member.place)?.release()
        if members.isSparse { members.closeUp { $0.place = $1 } }
        member.operations.letGo(member)
        forgetIfUnneeded()
    }

    // MARK: Members

    /// Attaches a subscriber.
    ///
    /// Where it joins in the order of values, and what the current value is there, are decided in one step, before the
    /// subscriber is called.
    @inlinable
    func attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        let entry: Entry = guarded.withLock { guarded in
            if let completion = guarded.completion { return .ended(completion, last: isDriven ? guarded.current : nil) }
            let member = SubjectMemberOf(subscriber, of: self, operations: operations(for: S.self, &guarded))
            if mailbox.enter() {
                member.place = members.append(member)
                return .joined(member, current: guarded.current, isOwner: true)
            }
            let isOwner = mailbox.post(.join(member))
            return .joined(member, current: guarded.current, isOwner: isOwner)
        }
        switch entry {
        case .ended(let completion, last: let last?):
            PullSubscription.run(
                CollectionOfOne(last).makeIterator(), named: name, completion: completion, to: subscriber)
        case .ended(let completion, last: nil):
            subscriber.receive(subscription: Subscriptions.empty)
            subscriber.receive(completion: completion)
        case .joined(let member, let current, let isOwner):
            if isOwner, !mailbox.leave() { handleMail() }
            if isDriven { guarded.withLock { UncheckedTransfer($0.callDriver) }.value?() }
            subscriber.receive(subscription: member)
            finishJoining(member, owing: current)
        }
    }

    /// What a new subscriber finds.
    @usableFromInline
    enum Entry: @unchecked Sendable {
        // Sound: it goes from under the lock to the one who took it.
        case ended(Subscribers.Completion<Failure>, last: Output?)
        case joined(Member, current: Output?, isOwner: Bool)
    }

    @inlinable
    func operations<S: Subscriber>(
        for type: S.Type, _ guarded: inout Guarded
    ) -> MemberOperations<Output, Failure> where S.Input == Output, S.Failure == Failure {
        for operations in guarded.operations where operations.type == ObjectIdentifier(type) { return operations }
        let operations = MemberOperations<Output, Failure>(for: type)
        guarded.operations.append(operations)
        return operations
    }

    /// Delivers what waited while the subscriber took its subscription, and then leaves the member to the owner.
    @inlinable
    func finishJoining(_ member: Member, owing current: Output?) {
        var owed = current
        while true {
            if let value = owed, !isHeld.load(ordering: .acquiring), member.offerCounting(value) { owed = nil }
            if endJoining(member, leaving: owed == nil ? 0 : Bits.owed) { return }
            for note in takeWaiting(for: member) {
                switch note {
                case .value(let value):
                    if member.offerCounting(value) { owed = nil } else if keepsCurrent { owed = value }
                case .completion(let completion):
                    return complete(member, with: completion)
                case .join, .settle, .leave:
                    break
                }
            }
        }
    }

    /// Leaves a member to the owner, unless more has come to wait for it.
    @inlinable
    func endJoining(_ member: Member, leaving flags: UInt64) -> Bool {
        let before: UInt64? = guarded.withLock { guarded in
            if !guarded.waiting.isEmpty, guarded.waiting.contains(where: { $0.member === member }) { return nil }
            member.state.bitwiseOr(flags, ordering: .relaxed)
            return member.state.bitwiseAnd(~Bits.joining, ordering: .acquiringAndReleasing).oldValue
        }
        guard let before else { return false }
        if before & Bits.closed != 0 {
            remove(member)
        } else if flags != 0, before & Bits.demand != 0 {
            settle(member)
        }
        return true
    }

    @inlinable
    func takeWaiting(for member: Member) -> [Note] {
        let taken: UncheckedTransfer<[Note]> = guarded.withLock { guarded in
            let notes = guarded.waiting.filter { $0.member === member }.map(\.note)
            guarded.waiting.removeAll { $0.member === member }
            return UncheckedTransfer(notes)
        }
        return taken.value
    }

    /// Delivers the current value to a member that has not seen it, now that it has demand.
    @inlinable
    func settle(_ member: Member) {
        leave(.settle(member))
    }

    /// Takes a closed member out.
    @inlinable
    func remove(_ member: Member) {
        if mailbox.enter() {
            drop(member)
            if !mailbox.leave() { handleMail() }
        } else {
            leave(.leave(member))
        }
    }

    /// Leaves a note that is not a value, and sees to it that somebody handles it.
    @inlinable
    func leave(_ note: Note) {
        if mailbox.post(note) {
            handleMail()
        } else if isDriven {
            guarded.withLock { UncheckedTransfer($0.callDriver) }.value?()
        }
    }

    /// The subject itself is gone, and nobody can send any more: lets go of every member that is not owed a value.
    @inlinable
    func abandon() {
        guard mailbox.enter() else { return }
        for index in stride(from: members.count - 1, through: 0, by: -1) {
            guard let member = members.places[index]?.takeUnretainedValue() else { continue }
            if member.state.load(ordering: .acquiring) & (Bits.owed | Bits.joining) != 0 { continue }
            guard member.close() & Bits.closed == 0 else { continue }
            members.take(at: index)?.release()
            member.operations.letGo(member)
        }
        isOver = true
        forgetIfUnneeded()
        if !mailbox.leave() { handleMail() }
    }

    // MARK: Driving

    /// Lets somebody who is the only one to send, one value at a time, own the mailbox for good.
    ///
    /// Then there is one order of values and everything else, the driver's, and one owner. Whoever else leaves a note calls
    /// the driver, who handles it in turn by ``handleNotes()``. Nothing is delivered until ``release()``.
    @inlinable
    func drive(_ callDriver: @escaping () -> Void) {
        guarded.withLock { $0.callDriver = UncheckedTransfer(callDriver).value }
    }

    /// Delivers the current value to those who have joined. The driver's to call, once.
    @inlinable
    func release() {
        isHeld.store(false, ordering: .releasing)
        handleNotes()
    }

    /// Sends a value. The driver's to call.
    @inlinable
    func sendDriven(_ value: Output) {
        guarded.withLock { $0.current = value }
        latest = value
        deliver(value)
        handleNotes()
    }

    /// Handles what others have left. The driver's to call.
    @inlinable
    func handleNotes() {
        while mailbox.hasMail {
            mailbox.collect(into: &batch)
            batch.reverse()
            while let note = batch.popLast() { handle(note) }
        }
    }

    /// Completes, and gives the mailbox up. The driver's to call, last.
    ///
    /// - Parameter isPatient: Whether the last value stays: for a member that has not seen it, for lack of demand, and for
    ///   who comes later. Both get the completion after it.
    @inlinable
    func finishDriven(isPatient: Bool) {
        isHeld.store(false, ordering: .releasing)
        handleNotes()
        guarded.withLock { guarded in
            guarded.completion = .finished
            guarded.callDriver = nil
        }
        for index in 0..<members.count {
            guard let member = members.places[index]?.takeUnretainedValue() else { continue }
            if isPatient, member.state.load(ordering: .acquiring) & (Bits.owed | Bits.closed) == Bits.owed { continue }
            members.take(at: index)?.release()
            if !postpone(.completion(.finished), for: member) { complete(member, with: .finished) }
        }
        isOver = !isPatient
        forgetIfUnneeded()
        if !mailbox.leave() { handleMail() }
    }

    /// A member that was owed the last value has got it.
    @inlinable
    func completeLate(_ member: Member, with completion: Subscribers.Completion<Failure>) {
        guard member.place < members.count, members.places[member.place]?.takeUnretainedValue() === member else {
            return
        }
        let place = member.place
        complete(member, with: completion)
        members.take(at: place)?.release()
        forgetIfUnneeded()
    }

    /// Lets go of the last value when nobody can ask for it any more.
    @inlinable
    func forgetIfUnneeded() {
        guard isOver, members.live == 0 else { return }
        latest = nil
        guarded.withLock { $0.current = nil }
    }

    // MARK: Upstreams

    @usableFromInline
    func attach(upstream subscription: any Subscription, waitsForDemand: Bool) {
        let core = SubscriptionCore.adopting(subscription)
        let isWanted = guarded.withLock { guarded in
            guard guarded.completion == nil else { return false }
            guarded.upstreams.removeAll(where: \.isSpent)
            guarded.upstreams.append(core)
            return true
        }
        guard isWanted else { return core.cancel() }
        if !waitsForDemand || hasDemand.load(ordering: .acquiring) { core.request(.unlimited) }
    }

    @inlinable
    func demandArrived() {
        if !hasDemand.load(ordering: .relaxed) { firstDemandArrived() }
    }

    @usableFromInline
    func firstDemandArrived() {
        guard !hasDemand.exchange(true, ordering: .acquiringAndReleasing), !keepsCurrent else { return }
        for upstream in guarded.withLock({ $0.upstreams }) { upstream.request(.unlimited) }
    }
}

/// Carries a value out from under a lock.
@usableFromInline
package struct UncheckedTransfer<Value>: @unchecked Sendable {
    // Sound: whoever takes it out is its only user, or the value is immutable.
    @usableFromInline package let value: Value
    @inlinable package init(_ value: Value) { self.value = value }
}
