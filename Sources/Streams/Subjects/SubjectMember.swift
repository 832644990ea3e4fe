import Synchronization

/// One subscriber of a subject, and the subscription it was given. `state` is a single word, so that a value for a subscriber
/// without a limit costs one load: it is exactly `unlimited` then. All else about a member goes the slow way.
@usableFromInline package class SubjectMember<Output, Failure: Error>: SubscriptionCore, @unchecked Sendable {
    // Sound: `state` is atomic; `place` and the downstream of the subclass are only touched by the one who may deliver
    // to this member: the owner of the subject's mailbox, or the thread that subscribes while `starting` is set.
    @usableFromInline package let state = Atomic<UInt64>(StateBits.starting)
    @usableFromInline package let subject: SubjectCore<Output, Failure>
    @usableFromInline let operations: MemberOperations<Output, Failure>
    @exclusivity(unchecked) @usableFromInline var place = -1

    @inlinable init(subject: SubjectCore<Output, Failure>, operations: MemberOperations<Output, Failure>) {
        self.subject = subject
        self.operations = operations
        super.init()
    }

    /// Closes this member for good.
    /// - Returns: The state it met. Whoever meets one that is not `closed` has closed it, and sees to what follows.
    @inlinable final func close() -> UInt64 { state.bitwiseOr(StateBits.closed, ordering: .acquiringAndReleasing).oldValue }

    /// Adds demand; returns the state it met.
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

    /// Hands over a value if nothing stands against it: nearly every value goes this way. The owner's to call. The operations are
    /// lent: a closure of what is not is retained for each call, at half the cost of a delivery.
    @inlinable @inline(__always) final func offer(_ value: Output) {
        guard state.load(ordering: .relaxed) == StateBits.unlimited else { return subject.offerSlowly(value, to: self) }
        _ = Unmanaged.passUnretained(operations)._withUnsafeGuaranteedRef { $0.deliver(self, value) }
    }

    /// Hands over a value if there is demand for it, which goes down; returns whether. Only for the one who may deliver.
    @inlinable final func offerCounting(_ value: Output) -> Bool {
        let seen = state.load(ordering: .relaxed)
        guard seen & StateBits.closed == 0, seen & StateBits.demand != 0 else { return false }
        if seen & StateBits.demand != StateBits.unlimited { state.wrappingSubtract(1, ordering: .relaxed) }
        let more = operations.deliver(self, value)
        if more != .none { _ = add(more) }
        return true
    }

    @usableFromInline package override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        let before = add(demand)
        guard before & StateBits.closed == 0 else { return }
        subject.demandArrived()
        if before & StateBits.owed != 0, before & StateBits.starting == 0 { subject.leave(self, .settle) }
    }

    @usableFromInline package override func cancel() {
        // While it joins, the subscribing thread sees to the rest.
        if close() & (StateBits.closed | StateBits.starting) == 0 { operations.remove(self) }
    }

    @usableFromInline package override var description: String { subject.name }
}

/// A member whose subscriber's type is known.
@usableFromInline
final class SubjectMemberOf<Downstream: Subscriber>: SubjectMember<Downstream.Input, Downstream.Failure>,
    @unchecked Sendable
{
    // Sound: as the base class says.
    @exclusivity(unchecked) @usableFromInline var holder: BorrowedSubscriber<Downstream>?

    @inlinable init(
        _ downstream: Downstream,
        of subject: SubjectCore<Downstream.Input, Downstream.Failure>,
        operations: MemberOperations<Downstream.Input, Downstream.Failure>
    ) {
        holder = BorrowedSubscriber(downstream)
        super.init(subject: subject, operations: operations)
    }

    @inlinable @inline(__always) func receive(_ value: Downstream.Input) -> Subscribers.Demand {
        switch holder {
        case .some(let holder): holder.receive(value)
        case .none: .none
        }
    }

    @inlinable func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
        if let holder = holder.take() { holder.receive(completion: completion) }
    }

    @inlinable func letGo() { holder = nil }

    @usableFromInline package override var customMirror: Mirror {
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

/// What can be done with the members of one subscriber type. Methods reached through a class run unspecialised, at twenty times
/// the cost; closures formed where the types are known do not. A subject keeps one set for each type of subscriber it has met.
@usableFromInline package final class MemberOperations<Output, Failure: Error>: @unchecked Sendable {
    // Sound: immutable, and the closures capture nothing but a type.
    @usableFromInline typealias Member = SubjectMember<Output, Failure>
    @usableFromInline let type: ObjectIdentifier
    /// Another set of the same subject's.
    @usableFromInline let next: MemberOperations?
    @usableFromInline let deliver: (Member, Output) -> Subscribers.Demand
    @usableFromInline let finish: (Member, Subscribers.Completion<Failure>) -> Void
    @usableFromInline let letGo: (Member) -> Void, remove: (Member) -> Void

    @inlinable init<S: Subscriber>(for type: S.Type, next: MemberOperations?) where S.Input == Output, S.Failure == Failure {
        (self.type, self.next) = (ObjectIdentifier(type), next)
        deliver = Self.isLarge ? Self.deliverLarge(to: type) : { unsafeDowncast($0, to: SubjectMemberOf<S>.self).receive($1) }
        finish = { unsafeDowncast($0, to: SubjectMemberOf<S>.self).finish($1) }
        letGo = { unsafeDowncast($0, to: SubjectMemberOf<S>.self).letGo() }
        remove = { $0.subject.remove($0) }
    }

    /// Whether a value is so large that its copies cost more than to look up types does: measured, somewhere from 2 to 4 KB.
    @inlinable package static var isLarge: Bool { MemoryLayout<Output>.size > 2048 }
    /// The same, not specialised: specialised code copies a value for each closure on its way, this passes on its address.
    @usableFromInline @_semantics("optimize.sil.specialize.generic.never")
    static func deliverLarge<S: Subscriber>(to _: S.Type) -> (Member, Output) -> Subscribers.Demand
    where S.Input == Output, S.Failure == Failure {
        { unsafeDowncast($0, to: SubjectMemberOf<S>.self).receive($1) }
    }
}
