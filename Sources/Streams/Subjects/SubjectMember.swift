import Synchronization

/// A subscriber of a subject, and the subscription that it has received.
///
/// `state` is a single word, which equals `unlimited` if the member is open and has unlimited demand: so a value for such a
/// member costs one load. All other states take a slower path.
@usableFromInline package class SubjectMember<Output, Failure: Error>: SubscriptionCore, @unchecked Sendable {
    // Sound: `state` is atomic. Only the thread that may deliver to this member accesses `place` and the downstream of the
    // subclass: the owner of the subject's mailbox or, while `starting` is set, the thread that subscribes.
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
    ///
    /// - Returns: The previous state. If it is not `closed`, this call has closed the member, and the caller does what follows
    ///   from that.
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
    ///
    /// The operations are used unretained. Otherwise each call would retain the closure, at half the cost of a delivery.
    @inlinable @inline(__always) final func offer(_ value: Output) {
        guard state.load(ordering: .relaxed) == StateBits.unlimited else { return subject.offerSlowly(value, to: self) }
        _ = Unmanaged.passUnretained(operations)._withUnsafeGuaranteedRef { $0.deliver(self, value) }
    }

    /// Delivers a value if there is demand, reduces the demand, and returns whether there was any. Only for the thread that may
    /// deliver.
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
        // A member that is joining is removed by the subscribing thread.
        if close() & (StateBits.closed | StateBits.starting) == 0 { operations.remove(self) }
    }

    @usableFromInline package override var description: String { subject.name }
}

/// A member with a known type of subscriber.
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

/// The operations on members of one type of subscriber. Methods that are called through a class are not specialized, at twenty
/// times the cost; closures that are formed where the types are known are specialized. A subject keeps one set for each type of
/// subscriber that it has met.
@usableFromInline package final class MemberOperations<Output, Failure: Error>: @unchecked Sendable {
    // Sound: immutable, and the closures capture only a type.
    @usableFromInline typealias Member = SubjectMember<Output, Failure>
    /// The type of subscriber.
    @usableFromInline let type: ObjectIdentifier
    /// The next set of the same subject.
    @usableFromInline let next: MemberOperations?
    @usableFromInline let deliver: (Member, Output) -> Subscribers.Demand
    @usableFromInline let finish: (Member, Subscribers.Completion<Failure>) -> Void
    @usableFromInline let letGo: (Member) -> Void
    @usableFromInline let remove: (Member) -> Void

    @inlinable init<S: Subscriber>(for type: S.Type, next: MemberOperations?) where S.Input == Output, S.Failure == Failure {
        self.type = ObjectIdentifier(type)
        self.next = next
        deliver =
            isLarge(Output.self) ? Self.deliverLarge(to: type) : { unsafeDowncast($0, to: SubjectMemberOf<S>.self).receive($1) }
        finish = { unsafeDowncast($0, to: SubjectMemberOf<S>.self).finish($1) }
        letGo = { unsafeDowncast($0, to: SubjectMemberOf<S>.self).letGo() }
        remove = { $0.subject.remove($0) }
    }

    /// Returns the operation `deliver` without specialization. Specialized code copies a value for each closure on its way, while
    /// this passes on its address.
    @usableFromInline @_semantics("optimize.sil.specialize.generic.never")
    static func deliverLarge<S: Subscriber>(to _: S.Type) -> (Member, Output) -> Subscribers.Demand
    where S.Input == Output, S.Failure == Failure {
        { unsafeDowncast($0, to: SubjectMemberOf<S>.self).receive($1) }
    }
}
