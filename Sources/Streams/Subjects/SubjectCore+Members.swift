import Synchronization

extension SubjectCore {
    /// Attaches a subscriber. Where it joins in the order of values, and what the current value is there, are decided in one
    /// step, before the subscriber is called.
    @inlinable func attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        let entry: Entry = room.pointee.guarded.withLock { guarded in
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
            case .later: callDriver()
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
    @inlinable func finishJoining(_ member: Member, owing current: Output?) {
        var owed = current
        while true {
            if let value = owed, !isHeld.load(ordering: .acquiring), member.offerCounting(value) { owed = nil }
            if endJoining(member, leaving: owed == nil ? 0 : Bits.owed) { return }
            let notes = room.pointee.guarded.withLock { guarded in
                defer { guarded.waiting.removeAll { $0.member === member } }
                return UncheckedTransfer(guarded.waiting.filter { $0.member === member }.map(\.note))
            }.value
            for note in notes {
                switch note {
                case .value(let value):
                    if member.offerCounting(value) { owed = nil } else if keepsCurrent { owed = value }
                case .completion(let completion):
                    return complete(member, with: completion)
                case .join, .settle, .leave, .finish: break
                }
            }
        }
    }
    /// Leaves a member to the owner, unless more has come to wait for it.
    @inlinable func endJoining(_ member: Member, leaving flags: UInt64) -> Bool {
        let (before, hasEnded): (UInt64?, Bool) = room.pointee.guarded.withLock { guarded in
            if !guarded.waiting.isEmpty, guarded.waiting.contains(where: { $0.member === member }) { return (nil, false) }
            member.state.bitwiseOr(flags, ordering: .relaxed)
            let before = member.state.bitwiseAnd(~Bits.starting, ordering: .acquiringAndReleasing).oldValue
            return (before, guarded.completion != nil)
        }
        guard let before else { return false }
        if before & Bits.closed != 0 {
            remove(member)
        } else if flags != 0, before & Bits.demand != 0 {
            leave(.settle(member))
        } else if flags == 0, isDriven, hasEnded {
            leave(.finish(member))
        }
        return true
    }
    /// Takes a closed member out.
    @inlinable func remove(_ member: Member) {
        guard mailbox.enter() else { return leave(.leave(member)) }
        drop(member)
        if !mailbox.leave() { handleMail() }
    }
    /// Leaves a note that is not a value, and sees to it that somebody handles it.
    @inlinable func leave(_ note: Note) { if mailbox.post(note) { handleMail() } else { callDriver() } }
    /// The subject itself is gone, and nobody can send any more. Members are let go of, but for those that are owed a value;
    /// each lives as long as somebody holds its subscription, until that is cancelled.
    @inlinable func abandon() {
        upstreams.end()
        guard mailbox.enter() else { return }
        for index in stride(from: members.count - 1, through: 0, by: -1) {
            guard let member = members.places[index]?.takeUnretainedValue() else { continue }
            if member.state.load(ordering: .acquiring) & (Bits.owed | Bits.starting) != 0 { continue }
            members.take(at: index)?.release()
        }
        isOver = true
        forgetIfUnneeded()
        if !mailbox.leave() { handleMail() }
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
