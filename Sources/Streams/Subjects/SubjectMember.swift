import Synchronization

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
        super.init()
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

    @usableFromInline package override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        let before = add(demand)
        guard before & StateBits.closed == 0 else { return }
        subject.demandArrived()
        if before & StateBits.owed != 0, before & StateBits.starting == 0 { subject.requestUpdate(subject, self) }
    }

    @usableFromInline package override func cancel() {
        // A member that is joining is removed when its joining ends.
        if close() & (StateBits.closed | StateBits.starting) == 0 { subject.requestUpdate(subject, self) }
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

    @inlinable init(_ downstream: Downstream, of subject: SubjectCore<Downstream.Input, Downstream.Failure>) {
        holder = BorrowedSubscriber(downstream)
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
        switch holder {
        case .some(let holder): holder.receive(value)
        case .none: .none
        }
    }

    @inlinable func finish(_ completion: Subscribers.Completion<Downstream.Failure>?) {
        if let holder = holder.take(), let completion { holder.receive(completion: completion) }
    }

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
