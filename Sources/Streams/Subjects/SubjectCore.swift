import Synchronization

/// The common part of the subjects: an ordered list of members, to which one thread at a time delivers one value at a time.
///
/// Everything that happens to a subject goes through its ``Mailbox``: a thread that finds the mailbox idle acts at once as its
/// owner, and a thread that finds it busy posts a note to the owner.
///
/// A member is *joining* while its subscriber is inside `receive(subscription:)`, and until the owner has delivered the values
/// that were sent meanwhile, which are stored in the member. A member is *owed* the current value if it had no demand when that
/// was delivered. After any change of one member, the owner brings it up to date: see ``update(_:)``.
@usableFromInline package final class SubjectCore<Output, Failure: Error>: @unchecked Sendable {
    // Sound: locks protect `guarded` and `upstreams`. Only the owner of the mailbox accesses `members` and what follows.
    @usableFromInline package typealias Member = SubjectMember<Output, Failure>

    /// An item of the mailbox.
    @usableFromInline package enum Note {
        /// A value to deliver to all members.
        case value(Output)
        /// The completion to deliver to all members.
        case completion(Subscribers.Completion<Failure>)
        /// A member to add to the list.
        case join(Member)
        /// A member to bring up to date.
        case update(Member)
        /// The subject was deinitialized, so nothing more can be sent.
        case abandon
    }

    /// The state that the owner shares with all other threads.
    @usableFromInline package struct Guarded: @unchecked Sendable {
        // Sound: accessed only with the lock held.
        /// The last value that was sent, delivered or not, if the subject keeps one.
        @usableFromInline package var current: Output?
        @usableFromInline package var completion: Subscribers.Completion<Failure>?
        /// The additional state of a driven subject; nil in all others.
        @usableFromInline package var driven: DrivenState?

        @inlinable init(current: Output?, driven: DrivenState?) {
            self.current = current
            self.driven = driven
        }
    }

    @usableFromInline typealias Access = Mailbox<Note>.Access

    @usableFromInline package let mailbox: Mailbox<Note>
    @usableFromInline package let guarded: Lock<Guarded>
    @usableFromInline let upstreams = Upstreams()
    @usableFromInline package let keepsCurrent: Bool
    /// True if a loop, the driver, owns the mailbox until it finishes: see ``DrivenSubject``.
    @usableFromInline package let isDriven: Bool
    /// True once any member has requested values. Before that, a subject that keeps no value requests none from its upstreams.
    let hasDemand = Atomic(false)
    /// Requests an update of a member. Formed where the types are known: subscriptions are called through classes, and code that
    /// such a method calls is not specialized, at twenty times the cost.
    @usableFromInline let requestUpdate: (SubjectCore, Member) -> Void

    /// The members, in the order of joining. Members that have left remain until they are the majority.
    @exclusivity(unchecked) @usableFromInline package var members: ContiguousArray<Member>
    /// The number of members that have left.
    @exclusivity(unchecked) @usableFromInline package var leftCount = 0
    /// The last value that was delivered, if the subject keeps one and is not driven. It lags behind `current` while values wait.
    @exclusivity(unchecked) @usableFromInline var latest: Output?
    /// True once no subscriber can join or read the current value, which is then kept only for members that are owed it.
    @exclusivity(unchecked) @usableFromInline package var isOver = false
    /// True once the driver has finished. A member that remains is owed the last value and then the completion.
    @exclusivity(unchecked) @usableFromInline package var isFinished = false
    @exclusivity(unchecked) @usableFromInline var batch: [Note]

    @inlinable package init(current: Output?, driven: DrivenState? = nil) {
        mailbox = Mailbox()
        guarded = Lock(Guarded(current: current, driven: driven))
        keepsCurrent = current != nil
        isDriven = driven != nil
        members = []
        latest = driven == nil ? current : nil
        batch = []
        requestUpdate = { $0.postUpdate(of: $1) }
        if isDriven { _ = mailbox.enter() }
    }

    /// The subject's name in descriptions.
    @usableFromInline var name: String { keepsCurrent ? "CurrentValueSubject" : "PassthroughSubject" }

    /// The last value that was sent; nil if there is none, or if no subscriber can request it any more.
    @inlinable package var current: Output? { guarded.withLock { UncheckedTransfer($0.current) }.value }

    // MARK: Sending

    /// Sends a value, if the subject keeps none.
    @inlinable func send(_ value: Output) {
        guard mailbox.enter() else { return leave(value) }
        deliver(value)
        if !mailbox.leave() { handleMail() }
    }

    /// Passes a value to the owner. A separate function, so that the usual path stays small.
    @inlinable @inline(never) func leave(_ value: Output) {
        if mailbox.post(.value(value)) { handleMail() }
    }

    /// Makes a value the current one and sends it, if the subject keeps one. Values become current in the order in which they are
    /// delivered: both are determined with the lock held.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - alsoAfterTheEnd: Whether the value becomes current even after the subject has completed, when it is sent to no
    ///     subscriber.
    @inlinable func sendKeeping(_ value: Output, alsoAfterTheEnd: Bool = false) {
        let access: Access? = guarded.withLock { guarded in
            if guarded.completion != nil { return nil }
            // This does not release the old value: it is still retained by `latest`, or by the note that delivers it.
            guarded.current = value
            return mailbox.enter() ? .entered : post(.value(value))
        }
        switch access {
        case .entered:
            latest = value
            deliver(value)
            if !mailbox.leave() { handleMail() }
        case .owner: handleMail()
        case .posted, .closed: break
        case .full: yieldThread()
        case nil: if alsoAfterTheEnd { exchangeLast(value) }
        }
    }

    /// Posts a note to the owner. Called with the lock held, so it does not yield. A separate function, so that the usual path of
    /// a value stays small.
    @inlinable @inline(never) func post(_ note: Note, forHandover isForHandover: Bool = false) -> Access {
        mailbox.append(note, forHandover: isForHandover)
    }

    /// Changes the value of a subject that has completed. The old value, which may have no other owner, is released outside the
    /// lock.
    @inlinable @inline(never) func exchangeLast(_ value: Output) {
        var last = Optional(value)
        guarded.withLock { swap(&$0.current, &last) }
        discard(last)
    }

    @inlinable func send(completion: Subscribers.Completion<Failure>) {
        let access: Access = guarded.withLock { guarded in
            guard guarded.completion == nil else { return .posted }
            guarded.completion = completion
            return post(.completion(completion))
        }
        upstreams.end()
        if access == .owner { handleMail() }
    }

    /// Releases the members when the subject is deinitialized, after the values that were sent before have been delivered.
    @inlinable func abandon() {
        upstreams.end()
        if mailbox.enter() {
            releaseMembers()
            if !mailbox.leave() { handleMail() }
        } else if !isDriven, mailbox.post(.abandon) {
            handleMail()
        }
    }

    // MARK: Joining

    /// Attaches a subscriber. Its place in the order of values and the current value at that place are determined in one step,
    /// before the subscriber is called.
    @inlinable func attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        let member = SubjectMemberOf(subscriber, of: self)
        var current: Output?
        var isHeld = false
        var access = Access.posted
        let completion: Subscribers.Completion<Failure>? = guarded.withLock { guarded in
            if isDriven || guarded.completion == nil { current = guarded.current }
            if guarded.completion != nil { return guarded.completion }
            if isDriven {
                guarded.driven?.joined.append(member)
                isHeld = guarded.driven?.isHeld == true
            } else if mailbox.enter() {
                append(member)
                access = .entered
            } else {
                access = post(.join(member))
            }
            return nil
        }
        if let completion {
            // A driven subject sends its last value before the completion.
            if let current {
                return PullSubscription.run(CollectionOfOne(current), named: name, completion: completion, to: subscriber)
            }
            subscriber.receive(subscription: Subscriptions.empty)
            return subscriber.receive(completion: completion)
        }
        switch access {
        case .entered: if !mailbox.leave() { handleMail() }
        case .owner: handleMail()
        case .posted, .full, .closed: break
        }
        subscriber.receive(subscription: member)
        endJoining(member, owing: current, isHeld: isHeld)
    }

    /// Sends a member the current value, and ends its joining. If anything was sent to it meanwhile, the owner ends the joining.
    ///
    /// The subscribing thread delivers the postponed values only if it has sent all of them itself.
    ///
    /// - Parameters:
    ///   - member: The member that is joining.
    ///   - current: The current value, if any.
    ///   - isHeld: Whether the driver decides when the member receives the current value.
    @inlinable func endJoining(_ member: Member, owing current: Output?, isHeld: Bool) {
        var owed = current
        if let value = owed, !isHeld, member.offerCounting(value) { owed = nil }
        // Nil if the member must be brought up to date, for which no note has been posted yet.
        let (access, isForHandover): (Access?, Bool) = guarded.withLock { guarded in
            if member.postponed.isEmpty {
                if owed != nil { member.state.bitwiseOr(StateBits.owed, ordering: .relaxed) }
                let before = member.state.bitwiseAnd(~StateBits.starting, ordering: .acquiringAndReleasing).oldValue
                let isUpToDate = owed == nil ? guarded.completion == nil : before & StateBits.demand == 0
                return (isUpToDate && before & StateBits.closed == 0 ? .posted : nil, false)
            }
            // The value that is still owed is delivered before the others.
            if let owed { member.postponed.insert(.value(owed), at: 0) }
            let isForHandover = member.isPostponedByOthers
            if isDriven { return (nil, isForHandover) }
            return (post(.update(member), forHandover: isForHandover), isForHandover)
        }
        switch access {
        case nil: postUpdate(of: member, forHandover: isForHandover)
        case .owner: handleMail()
        case .entered, .posted, .full, .closed: break
        }
    }

    /// Stores a value or completion for a member if it is joining, and returns whether it is.
    @inlinable package func postpone(_ note: Note, for member: Member) -> Bool {
        guard member.state.load(ordering: .acquiring) & StateBits.starting != 0 else { return false }
        return guarded.withLock { _ in
            guard member.state.load(ordering: .acquiring) & StateBits.starting != 0 else { return false }
            member.postponed.append(note)
            if currentThread() != member.joiner { member.isPostponedByOthers = true }
            return true
        }
    }

    // MARK: The owner

    /// Handles the notes that were posted before the owner leaves the mailbox.
    @inlinable @inline(never) package func handleMail(within slice: TimeSlice? = nil) {
        if !mailbox.work(within: slice, &batch, { handle($0) }) { runDetached { [self] in handleMail(within: TimeSlice()) } }
    }

    @inlinable package func handle(_ note: Note) {
        switch note {
        case .value(let value):
            if keepsCurrent { latest = value }
            deliver(value)
        case .completion(let completion): completeAll(with: completion)
        case .join(let member): append(member)
        case .update(let member): update(member)
        case .abandon: releaseMembers()
        }
    }

    /// Offers a value to every member.
    ///
    /// Members are used unretained: the list does not change during a delivery, as its owner is busy with it.
    @inlinable @inline(__always) package func deliver(_ value: Output) {
        for index in 0..<members.count { Unmanaged.passUnretained(members[index])._withUnsafeGuaranteedRef { $0.offer(value) } }
    }

    /// Offers a value to a member that is joining, has limited demand, or is closed.
    @inlinable @inline(never) func offerSlowly(_ value: Output, to member: Member) {
        if postpone(.value(value), for: member) { return }
        if member.offerCounting(value) {
            if keepsCurrent { member.state.bitwiseAnd(~StateBits.owed, ordering: .relaxed) }
        } else if keepsCurrent {
            let (_, state) = member.state.bitwiseOr(StateBits.owed, ordering: .acquiringAndReleasing)
            // Demand may have arrived since the last check; then its request has not seen that a value is owed.
            if state & StateBits.demand != 0, state & StateBits.closed == 0 { postUpdate(of: member) }
        }
    }

    /// Makes the owner bring a member up to date; the caller becomes the owner if the mailbox is idle.
    ///
    /// - Parameters:
    ///   - member: The member.
    ///   - isForHandover: Whether a handover job must do this, see ``Mailbox``.
    @inlinable package func postUpdate(of member: Member, forHandover isForHandover: Bool = false) {
        if !isForHandover, mailbox.enter() {
            update(member)
            if !mailbox.leave() { handleMail() }
        } else if isDriven, let driver = guarded.withLock({ UncheckedTransfer($0.driven?.driver) }).value {
            driver.call(driver.object, member, isForHandover)
        } else if mailbox.post(.update(member), forHandover: isForHandover) {
            handleMail()
        }
    }

    /// Brings a member up to date: delivers postponed values, and the current value if that is owed and requested; completes it
    /// if the driver has finished; removes it if it has left.
    @inlinable package func update(_ member: Member) {
        if member.state.load(ordering: .acquiring) & StateBits.starting != 0 { deliverPostponed(to: member) }
        let state = member.state.load(ordering: .acquiring)
        if state & StateBits.closed == 0 {
            if state & StateBits.owed != 0 {
                guard state & StateBits.demand != 0, let value = isDriven ? current : latest else { return }
                member.state.bitwiseAnd(~StateBits.owed, ordering: .relaxed)
                _ = member.offerCounting(value)
            }
            if isFinished { member.complete(with: .finished) } else if !isOver { return }
        } else {
            member.finish(member, nil)
        }
        remove(member)
    }

    /// Delivers the values that were sent to a member while it was joining, and ends its joining.
    @inlinable func deliverPostponed(to member: Member) {
        // Only the owner appends to it.
        let notes = guarded.withLock { _ in UncheckedTransfer(member.takePostponed()) }.value
        var isOwed = false
        for note in notes {
            switch note {
            case .value(let value): isOwed = !member.offerCounting(value) && keepsCurrent
            case .completion(let completion): member.complete(with: completion)
            case .join, .update, .abandon: break
            }
        }
        if isOwed { member.state.bitwiseOr(StateBits.owed, ordering: .relaxed) }
        member.state.bitwiseAnd(~StateBits.starting, ordering: .acquiringAndReleasing)
    }

    @inlinable func completeAll(with completion: Subscribers.Completion<Failure>) {
        for member in takeMembers() where !postpone(.completion(completion), for: member) { member.complete(with: completion) }
    }

    // MARK: The list of members

    @inlinable package func append(_ member: Member) {
        member.isListed = true
        members.append(member)
    }

    /// Removes a member from the list. In the list, many are removed together, so that each takes constant time on average.
    @inlinable func remove(_ member: Member) {
        if member.isListed {
            member.isListed = false
            leftCount += 1
            if leftCount == members.count || leftCount > 16 && leftCount > members.count / 2 {
                members.removeAll { !$0.isListed }
                leftCount = 0
            }
        }
        forgetIfUnneeded()
    }

    /// Empties the list.
    @inlinable package func takeMembers() -> ContiguousArray<Member> {
        let taken = members
        members = []
        leftCount = 0
        for member in taken { member.isListed = false }
        return taken
    }

    /// Releases the members, except those that are joining or are owed a value. A released member lives as long as its
    /// subscription is retained, and retains its subscriber until the subscription is cancelled.
    @inlinable func releaseMembers() {
        for member in takeMembers() {
            // One that has cancelled may be listed still.
            let state = member.state.load(ordering: .acquiring)
            if state & StateBits.closed == 0, state & (StateBits.owed | StateBits.starting) != 0 { append(member) }
        }
        isOver = true
        forgetIfUnneeded()
    }

    /// Releases the last value if no subscriber can request it any more.
    @inlinable package func forgetIfUnneeded() {
        guard isOver, members.count == leftCount else { return }
        latest = nil
        discard(guarded.withLock { UncheckedTransfer($0.current.take()) })
    }

    // MARK: Upstreams

    /// Adds an upstream to a subject that is used as a subscriber. It is cancelled at once if the subject has ended.
    ///
    /// - Parameters:
    ///   - subscription: The subscription to the upstream.
    ///   - waitsForDemand: Whether values are requested only once a member has requested any.
    func attach(upstream subscription: any Subscription, waitsForDemand: Bool) {
        let core = SubscriptionCore.adopting(subscription)
        guard upstreams.append(core) else { return core.cancel() }
        if !waitsForDemand || hasDemand.load(ordering: .acquiring) { core.request(.unlimited) }
    }

    /// Records that a member has requested values. The first time, requests values from the upstreams, unless that was done when
    /// they were added.
    func demandArrived() {
        if hasDemand.load(ordering: .relaxed) || hasDemand.exchange(true, ordering: .acquiringAndReleasing) { return }
        if !keepsCurrent { upstreams.request() }
    }
}

/// A subscriber of a subject, and the subscription that it has received.
///
/// `state` is a single word, which equals `unlimited` if the member is open and has unlimited demand: so a value for such a
/// member costs one load. All other states take a slower path.
@usableFromInline package class SubjectMember<Output, Failure: Error>: SubscriptionCore, @unchecked Sendable {
    // Sound: `state` is atomic, and the lock of the subject protects the postponed events. Only the thread that may deliver to
    // this member accesses the downstream of the subclass: the owner of the subject's mailbox or, until the joining ends, the
    // subscribing thread.
    @usableFromInline package let state = Atomic<UInt64>(StateBits.starting)
    @usableFromInline package let subject: SubjectCore<Output, Failure>
    /// Delivers a value. The closures are formed where the type of the subscriber is known: methods that are called through a
    /// class are not specialized, at twenty times the cost.
    @usableFromInline let deliver: (SubjectMember, Output) -> Subscribers.Demand
    /// Sends a completion, if any, and releases the subscriber.
    @usableFromInline let finish: (SubjectMember, Subscribers.Completion<Failure>?) -> Void
    /// The subscribing thread.
    @usableFromInline let joiner: UInt
    /// The values and the completion that were sent while this member was joining.
    @exclusivity(unchecked) @usableFromInline var postponed: [SubjectCore<Output, Failure>.Note]
    /// True if a thread other than the subscribing one has sent one of them.
    @exclusivity(unchecked) @usableFromInline var isPostponedByOthers = false
    /// True while it is in the list of the subject. Accessed only by the owner of the mailbox.
    @exclusivity(unchecked) @usableFromInline package var isListed = false

    @inlinable init(
        of subject: SubjectCore<Output, Failure>, deliver: @escaping (SubjectMember, Output) -> Subscribers.Demand,
        finish: @escaping (SubjectMember, Subscribers.Completion<Failure>?) -> Void
    ) {
        self.subject = subject
        self.deliver = deliver
        self.finish = finish
        joiner = currentThread()
        postponed = []
    }

    /// Closes this member for good.
    ///
    /// - Returns: The previous state. If it is not `closed`, this call has closed the member, and the caller performs the
    ///   consequences.
    @inlinable final func close() -> UInt64 { state.bitwiseOr(StateBits.closed, ordering: .acquiringAndReleasing).oldValue }

    /// Adds demand, unless the member is closed, and returns the previous state.
    @inlinable final func add(_ demand: Subscribers.Demand) -> UInt64 {
        let wanted = min(UInt64(demand.rawValue), StateBits.unlimited)
        var before = state.load(ordering: .relaxed)
        while before & StateBits.closed == 0 {
            let sum = min((before & StateBits.demand) + wanted, StateBits.unlimited)
            let (exchanged, seen) = state.compareExchange(
                expected: before, desired: (before & ~StateBits.demand) | sum, ordering: .acquiringAndReleasing)
            if exchanged { return before }
            before = seen
        }
        return before
    }

    /// Delivers a value if the member is open and has unlimited demand, as it nearly always is; otherwise takes the slower path.
    /// Only for the owner of the mailbox.
    @inlinable @inline(__always) final func offer(_ value: Output) {
        guard state.load(ordering: .relaxed) == StateBits.unlimited else { return subject.offerSlowly(value, to: self) }
        _ = deliver(self, value)
    }

    /// Delivers a value if there is demand, reduces the demand, and returns whether there was any. Only for the thread that may
    /// deliver.
    @inlinable final func offerCounting(_ value: Output) -> Bool {
        let seen = state.load(ordering: .relaxed)
        guard seen & StateBits.closed == 0, seen & StateBits.demand != 0 else { return false }
        if seen & StateBits.demand != StateBits.unlimited { state.wrappingSubtract(1, ordering: .relaxed) }
        let more = deliver(self, value)
        if more != .none { _ = add(more) }
        return true
    }

    /// Completes the subscriber, unless it has cancelled. Only for the thread that may deliver.
    @inlinable package final func complete(with completion: Subscribers.Completion<Failure>) {
        finish(self, close() & StateBits.closed == 0 ? completion : nil)
    }

    /// Removes and returns the postponed events. Only with the lock of the subject held.
    @inlinable final func takePostponed() -> [SubjectCore<Output, Failure>.Note] {
        defer { postponed = [] }
        return postponed
    }

    package override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        let before = add(demand)
        guard before & StateBits.closed == 0 else { return }
        subject.demandArrived()
        if before & StateBits.owed != 0, before & StateBits.starting == 0 { subject.requestUpdate(subject, self) }
    }

    package override func cancel() {
        // A member that is joining is removed when its joining ends.
        if close() & (StateBits.closed | StateBits.starting) == 0 { subject.requestUpdate(subject, self) }
    }

    package override var description: String { subject.name }
}

/// A member with a known type of subscriber.
@usableFromInline
final class SubjectMemberOf<Downstream: Subscriber>: SubjectMember<Downstream.Input, Downstream.Failure>,
    @unchecked Sendable
{
    // Sound: as the base class says.
    @exclusivity(unchecked) @usableFromInline var holder: Borrowed<Downstream>?

    @inlinable init(_ downstream: Downstream, of subject: SubjectCore<Downstream.Input, Downstream.Failure>) {
        holder = Borrowed(downstream)
        super.init(
            of: subject,
            deliver: isLarge(Downstream.Input.self)
                ? Self.deliverLarge() : { unsafeDowncast($0, to: SubjectMemberOf.self).receive($1) },
            finish: { unsafeDowncast($0, to: SubjectMemberOf.self).finish($1) })
    }

    /// Returns `deliver` without specialization. Specialized code copies a value for each closure on its path, while this passes
    /// its address.
    @usableFromInline @_semantics("optimize.sil.specialize.generic.never")
    static func deliverLarge() -> (SubjectMember<Downstream.Input, Downstream.Failure>, Downstream.Input) -> Subscribers.Demand {
        { unsafeDowncast($0, to: SubjectMemberOf.self).receive($1) }
    }

    @inlinable @inline(__always) func receive(_ value: Downstream.Input) -> Subscribers.Demand {
        holder.borrow { $0.value.receive(value) } ?? .none
    }

    @inlinable func finish(_ completion: Subscribers.Completion<Downstream.Failure>?) {
        if let holder = holder.take(), let completion { holder.value.receive(completion: completion) }
    }

    package override var customMirror: Mirror {
        let seen = state.load(ordering: .relaxed)
        let isOpen = seen & StateBits.closed == 0
        let demand = min(seen & StateBits.demand, StateBits.unlimited)
        return mirror([
            ("parent", (isOpen ? subject.name : nil) as Any), ("downstream", (isOpen ? Downstream.self : nil) as Any),
            ("demand", demand == StateBits.unlimited ? Subscribers.Demand.unlimited : .max(Int(demand))),
            ("subject", (isOpen ? subject.name : nil) as Any),
        ])
    }
}

/// The bits of a member's state word: the lower 61 count the demand, the others are flags.
@usableFromInline package enum StateBits {
    /// The demand that stands for no limit.
    @inlinable static var unlimited: UInt64 { 1 << 60 }
    /// The mask of the demand.
    @inlinable static var demand: UInt64 { 1 << 61 - 1 }

    /// The subscriber has not returned from `receive(subscription:)`.
    @inlinable package static var starting: UInt64 { 1 << 61 }

    /// The subscriber has not received its subject's current value, for lack of demand.
    @inlinable package static var owed: UInt64 { 1 << 62 }

    /// The subscription was cancelled or has completed: nothing more is sent.
    @inlinable package static var closed: UInt64 { 1 << 63 }
}

/// Returns whether a value is so large that copying it costs more than looking up types at run time. As measured, that begins at 2
/// to 4 KB.
///
/// A function and not a property of a generic type, which a debug build would look up for each call.
@inlinable @inline(__always) package func isLarge<Value>(_: Value.Type) -> Bool { MemoryLayout<Value>.size > 2048 }
