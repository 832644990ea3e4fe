import Synchronization

extension SubjectCore {
    /// Attaches a subscriber. Where it joins in the order of values, and what the current value is there, are decided in one
    /// step, before the subscriber is called.
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

    /// What a new subscriber finds.
    @usableFromInline enum Entry: @unchecked Sendable {
        // Sound: it goes from under the lock to the one who took it.
        case ended(Subscribers.Completion<Failure>, last: Output?)
        case joined(Member, current: Output?, Turn)
    }

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

    /// Delivers what waited while the subscriber took its subscription, and then leaves the member to the owner.
    ///
    /// - Parameter isOwner: Whether the caller is the owner, which delivers everything: no more can come to wait meanwhile.
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
            // The value that is still owed comes before the others'.
            if let owed { keepWaiting(owed, for: member) }
            return leave(member, .joined, forHeir: true)
        }
    }

    /// Takes what waits for a member that joins: all of it, or what the calling thread has sent before anybody else has.
    /// - Returns: The notes, and whether others are left.
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

    @inlinable func keepWaiting(_ value: Output, for member: Member) {
        storage.pointee.guarded.withLock { $0.waiting.insert((member, .value(value), 0), at: 0) }
    }

    /// Leaves a member to the owner, unless more has come to wait for it.
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

    /// Takes a closed member out.
    @inlinable func remove(_ member: Member) {
        guard mailbox.enter() else { return leave(member, .leave) }
        drop(member)
        if !mailbox.leave() { handleMail() }
    }

    /// Leaves word of what is to be done about a member, and sees to it that somebody does it.
    @inlinable package func leave(_ member: Member, _ step: MemberStep, forHeir isForHeir: Bool = false) {
        if isDriven, let driver = storage.pointee.guarded.withLock({ UncheckedTransfer($0.driver) }).value {
            return driver.call(member, step, isForHeir)
        }
        if mailbox.post(.member(member, step), forHeir: isForHeir) { handleMail() }
    }

    /// The subject itself is gone, and nobody can send any more; what was sent before is delivered first.
    @inlinable func abandon() {
        upstreams.end()
        if mailbox.enter() {
            letGo()
            if !mailbox.leave() { handleMail() }
        } else if !isDriven, mailbox.post(.abandon) {
            handleMail()
        }
    }

    /// Lets go of the members, but for those that are owed a value; each lives as long as somebody holds its subscription, until that
    /// is cancelled.
    @inlinable func letGo() {
        for index in stride(from: members.count - 1, through: 0, by: -1) {
            guard let member = members.places[index]?.takeUnretainedValue() else { continue }
            if member.state.load(ordering: .acquiring) & (StateBits.owed | StateBits.starting) != 0 { continue }
            members.take(at: index)?.release()
        }
        isOver = true
        forgetIfUnneeded()
    }

    // What feeds a subject that is itself used as a subscriber.
    @usableFromInline func attach(upstream subscription: any Subscription, waitsForDemand: Bool) {
        let core = SubscriptionCore.adopting(subscription)
        guard upstreams.append(core) else { return core.cancel() }
        if !waitsForDemand || hasDemand.load(ordering: .acquiring) { core.request(.unlimited) }
    }

    @usableFromInline func demandArrived() {
        if hasDemand.load(ordering: .relaxed) || hasDemand.exchange(true, ordering: .acquiringAndReleasing) { return }
        if !keepsCurrent { upstreams.request() }
    }
}
