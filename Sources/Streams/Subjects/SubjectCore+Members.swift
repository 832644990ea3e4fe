import Synchronization

extension SubjectCore {
    /// Attaches a subscriber. Its place in the order of values and the current value at that place are determined in one step,
    /// before the subscriber is called.
    @inlinable func attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        let entry: Entry = storage.pointee.guarded.withLock { guarded in
            if let completion = guarded.completion { return .ended(completion, last: isDriven ? guarded.current : nil) }
            let member = SubjectMemberOf(subscriber, of: self, operations: operations(for: S.self, &guarded))
            if mailbox.enter() {
                member.place = members.append(member)
                return .joined(member, current: guarded.current, .now)
            }
            let turn: Turn = mailbox.post(.join(member)) ? .mail : .later
            return .joined(member, current: guarded.current, turn)
        }
        switch entry {
        case .ended(let completion, last: let last?):
            PullSubscription.run(CollectionOfOne(last), named: name, completion: completion, to: subscriber)
        case .ended(let completion, last: nil):
            subscriber.receive(subscription: Subscriptions.empty)
            subscriber.receive(completion: completion)
        case .joined(let member, let current, let turn):
            switch turn {
            case .now: if !mailbox.leave() { handleMail() }
            case .mail: handleMail()
            case .later, .over: break
            }
            subscriber.receive(subscription: member)
            finishJoining(member, owing: current)
        }
    }

    /// The result of attaching a subscriber.
    @usableFromInline enum Entry: @unchecked Sendable {
        // Sound: passed from the locked section to the thread that runs it, and nowhere else.
        /// The subject has completed. `last` is the value to send before the completion, if the subject is driven.
        case ended(Subscribers.Completion<Failure>, last: Output?)
        /// The subscriber has joined as a member.
        case joined(Member, current: Output?, Turn)
    }

    /// Returns the operations for a type of subscriber, and creates them if there are none. Called with the lock held.
    @inlinable func operations<S: Subscriber>(
        for type: S.Type, _ guarded: inout Guarded
    ) -> MemberOperations<Output, Failure> where S.Input == Output, S.Failure == Failure {
        var known = guarded.operations
        while let operations = known, operations.type != ObjectIdentifier(type) { known = operations.next }
        if let known { return known }
        let operations = MemberOperations(for: type, next: guarded.operations)
        guarded.operations = operations
        return operations
    }

    /// Delivers the notes that have accumulated while the subscriber received its subscription, and then leaves the member to the
    /// owner.
    ///
    /// - Parameters:
    ///   - member: The member that is joining.
    ///   - current: The current value that the member is owed, if any.
    ///   - isOwner: Whether the caller is the owner. The owner delivers all notes, as none can be added meanwhile.
    @inlinable func finishJoining(_ member: Member, owing current: Output?, asOwner isOwner: Bool = false) {
        var owed = current
        while true {
            if let value = owed, !isHeld.load(ordering: .acquiring), member.offerCounting(value) { owed = nil }
            if endJoining(member, leaving: owed == nil ? 0 : StateBits.owed) { return }
            let (notes, isRest) = takeWaiting(for: member, all: isOwner)
            for note in notes {
                switch note {
                case .value(let value):
                    if member.offerCounting(value) { owed = nil } else if keepsCurrent { owed = value }
                case .completion(let completion):
                    return complete(member, with: completion)
                case .join, .member, .abandon: break
                }
            }
            guard isRest else { continue }
            // The value that is still owed is delivered before the notes of other threads.
            if let owed { keepWaiting(owed, for: member) }
            return leave(member, .joined, forHeir: true)
        }
    }

    /// Takes the notes for a member that is joining: all of them, or those that the calling thread has sent before any other
    /// thread has.
    ///
    /// - Returns: The notes, and whether notes of other threads are left.
    @inlinable func takeWaiting(for member: Member, all: Bool) -> (notes: [Note], isRest: Bool) {
        let thread = currentThread()
        var (notes, isRest) = ([Note](), false)
        storage.pointee.guarded.withLock { guarded in
            guarded.waiting.removeAll { entry in
                guard entry.member === member, !isRest else { return false }
                isRest = !all && entry.sender != thread
                if !isRest { notes.append(entry.note) }
                return !isRest
            }
        }
        return (notes, isRest)
    }

    /// Stores a value as the first note for a member that is joining.
    @inlinable func keepWaiting(_ value: Output, for member: Member) {
        storage.pointee.guarded.withLock { $0.waiting.insert((member, .value(value), 0), at: 0) }
    }

    /// Ends the joining of a member and leaves it to the owner, unless more notes have been added for it.
    ///
    /// - Parameters:
    ///   - member: The member that is joining.
    ///   - flags: `StateBits.owed` if the member is still owed the current value, otherwise 0.
    /// - Returns: False if more notes have been added.
    @inlinable func endJoining(_ member: Member, leaving flags: UInt64) -> Bool {
        let (before, hasEnded): (UInt64?, Bool) = storage.pointee.guarded.withLock { guarded in
            if !guarded.waiting.isEmpty, guarded.waiting.contains(where: { $0.member === member }) { return (nil, false) }
            member.state.bitwiseOr(flags, ordering: .relaxed)
            let before = member.state.bitwiseAnd(~StateBits.starting, ordering: .acquiringAndReleasing).oldValue
            return (before, guarded.completion != nil)
        }
        guard let before else { return false }
        if before & StateBits.closed != 0 {
            remove(member)
        } else if flags != 0, before & StateBits.demand != 0 {
            leave(member, .settle)
        } else if flags == 0, isDriven, hasEnded {
            leave(member, .finish)
        }
        return true
    }

    /// Removes a closed member.
    @inlinable func remove(_ member: Member) {
        guard mailbox.enter() else { return leave(member, .leave) }
        drop(member)
        if !mailbox.leave() { handleMail() }
    }

    /// Passes a step for a member to the driver, if there is one, or else posts it to the mailbox.
    ///
    /// - Parameters:
    ///   - member: The member.
    ///   - step: What is to be done.
    ///   - isForHeir: Whether the step must be left to an heir, see ``Mailbox``.
    @inlinable package func leave(_ member: Member, _ step: MemberStep, forHeir isForHeir: Bool = false) {
        if isDriven, let driver = storage.pointee.guarded.withLock({ UncheckedTransfer($0.driver) }).value {
            return driver.call(driver.object, member, step, isForHeir)
        }
        if mailbox.post(.member(member, step), forHeir: isForHeir) { handleMail() }
    }

    /// Releases the members when the subject is deinitialized, after the values that were sent before have been delivered.
    @inlinable func abandon() {
        upstreams.end()
        if mailbox.enter() {
            letGo()
            if !mailbox.leave() { handleMail() }
        } else if !isDriven, mailbox.post(.abandon) {
            handleMail()
        }
    }

    /// Releases the members, except those that are joining or are owed a value. A released member lives as long as its
    /// subscription is held, and keeps its subscriber until the subscription is cancelled.
    @inlinable func letGo() {
        for index in stride(from: members.count - 1, through: 0, by: -1) {
            guard let member = members.places[index]?.takeUnretainedValue() else { continue }
            if member.state.load(ordering: .acquiring) & (StateBits.owed | StateBits.starting) != 0 { continue }
            members.take(at: index)?.release()
        }
        isOver = true
        forgetIfUnneeded()
    }

    /// Adds an upstream to a subject that is used as a subscriber. It is cancelled at once if the subject has ended.
    ///
    /// - Parameters:
    ///   - subscription: The subscription to the upstream.
    ///   - waitsForDemand: Whether values are requested only once a member has requested any.
    @usableFromInline func attach(upstream subscription: any Subscription, waitsForDemand: Bool) {
        let core = SubscriptionCore.adopting(subscription)
        guard upstreams.append(core) else { return core.cancel() }
        if !waitsForDemand || hasDemand.load(ordering: .acquiring) { core.request(.unlimited) }
    }

    /// Records that a member has requested values. The first time, requests values from the upstreams, unless that was done when
    /// they were added.
    @usableFromInline func demandArrived() {
        if hasDemand.load(ordering: .relaxed) || hasDemand.exchange(true, ordering: .acquiringAndReleasing) { return }
        if !keepsCurrent { upstreams.request() }
    }
}
