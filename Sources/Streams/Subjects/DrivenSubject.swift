import Synchronization

/// A subject whose values all come from one owner, its driver, one at a time: the stream of a loop's states.
///
/// The driver owns the subject's mailbox until it finishes. So values and all other items have one owner and one order, the
/// driver's. The update of a member is an item of the driver's mailbox: it is handled in its turn, like any other item, by the
/// thread that posted it or by a handover job. Subscribers that join wait in a separate list until the driver's next step.
/// Nothing is delivered until ``release()``.
///
/// It is also the box of its publisher, so that one object is both. When the last reference is released, no subscriber can join
/// any more, and the members are released. Its properties are references and closures, for which `deinit` looks up no types.
@usableFromInline package final class DrivenSubject<Output>: HiddenPublisher<Output, Never> {
    @usableFromInline package typealias Member = SubjectMember<Output, Never>

    @usableFromInline let core: SubjectCore<Output, Never>
    /// An object that belongs to the driver, for `attach`.
    @usableFromInline package let companion: AnyObject

    /// Creates a subject.
    ///
    /// - Parameters:
    ///   - value: The first value.
    ///   - companion: An object that is kept for `attach`.
    ///   - attach: Attaches a subscriber, formed where the types are known.
    @inlinable package init(
        _ value: Output, companion: AnyObject, attach: @escaping (DrivenSubject, AnySubscriber<Output, Never>) -> Void
    ) {
        core = SubjectCore(current: value, driven: .init())
        self.companion = companion
        super.init { attach(unsafeDowncast($0, to: DrivenSubject.self), $1) }
    }

    // A finished subject has released its members. `abandon` is not specialized here, and looks up types.
    @inlinable deinit { if !core.isOver { core.abandon() } }

    /// The stream of its values.
    @inlinable package var publisher: AnyPublisher<Output, Never> { AnyPublisher(storing: .hidden(self)) }

    /// The last value that was sent, also after the subject has ended; nil once no subscriber can receive it any more.
    @inlinable package var last: Output? { core.current }

    /// Attaches a subscriber.
    @inlinable package func attach(_ subscriber: some Subscriber<Output, Never>) { core.attach(subscriber) }

    /// Sets the driver, which this retains until its end, and the closure that passes it each update of a member.
    @inlinable package func drive(by driver: AnyObject, _ call: @escaping (AnyObject, Member, _ isForHandover: Bool) -> Void) {
        core.guarded.withLock { $0.driven?.driver = .init(driver, call: call) }
    }

    /// Starts deliveries, so that members receive the current value. Called once.
    @inlinable package func release() { core.guarded.withLock { $0.driven?.isHeld = false } }

    /// Sends a value.
    @inlinable package func send(_ value: Output) {
        core.makeCurrent(value)
        core.deliver(value)
    }

    /// Completes the subject, and leaves its mailbox. Called last.
    ///
    /// - Parameter isPatient: Whether the last value is kept, for members that have not received it for lack of demand, and
    ///   for later subscribers. Both receive the completion after it.
    @inlinable package func finish(isPatient: Bool) { core.finishDriven(isPatient: isPatient) }
}

extension SubjectMember {
    /// Brings this member up to date, at its request. The subject may have ended meanwhile.
    @inlinable package func updateByDriver() {
        // After the driver has finished, the mailbox works like any other subject's.
        if subject.isFinished { return subject.postUpdate(of: self) }
        subject.guarded.withLock { subject.appendJoined(&$0) }
        subject.update(self)
    }
}

extension SubjectCore {
    /// The additional state that a driven subject shares with other threads.
    @usableFromInline package struct DrivenState {
        /// The driver, and the closure that passes it each update of a member, formed where its type is known; nil after the end.
        @usableFromInline var driver: Driver?
        /// The subscribers that have joined since the driver's last step.
        @usableFromInline var joined: [Member]
        /// Keeps the current value from new members until the driver releases it.
        @usableFromInline var isHeld: Bool

        @inlinable init() {
            joined = []
            isHeld = true
        }
    }

    @usableFromInline package struct Driver {
        @usableFromInline let object: AnyObject
        @usableFromInline let call: (AnyObject, Member, _ isForHandover: Bool) -> Void

        @inlinable init(_ object: AnyObject, call: @escaping (AnyObject, Member, Bool) -> Void) {
            self.object = object
            self.call = call
        }
    }

    /// Makes members of the subscribers that have joined. Only for the driver, with the lock held.
    @inlinable package func appendJoined(_ guarded: inout Guarded) {
        guard let joined = guarded.driven?.joined, !joined.isEmpty else { return }
        for member in joined { append(member) }
        guarded.driven?.joined = []
    }

    /// Makes a value current.
    ///
    /// A subscriber that joined before that must be a member when the value is delivered; one that joins later must not. So both
    /// are done in one step.
    @inlinable func makeCurrent(_ value: Output) {
        // Swapped, because the old value may contain objects of the user, which must be released outside the lock.
        var other: Output? = value
        guarded.withLock { guarded in
            appendJoined(&guarded)
            swap(&guarded.current, &other)
        }
        discard(other)
    }

    @inlinable func finishDriven(isPatient: Bool) {
        // The driver's captured values are released outside the lock. From here on, no subscriber can join.
        let driver = guarded.withLock { guarded in
            appendJoined(&guarded)
            guarded.completion = .finished
            return UncheckedTransfer(guarded.driven?.driver.take())
        }
        discard(driver)
        isFinished = true
        for member in takeMembers() {
            let state = member.state.load(ordering: .acquiring)
            if isPatient, state & StateBits.closed == 0, state & (StateBits.owed | StateBits.starting) != 0 {
                // It completes when it has received the last value, or has joined.
                append(member)
            } else if !postpone(.completion(.finished), for: member) {
                member.complete(with: .finished)
            }
        }
        isOver = !isPatient
        forgetIfUnneeded()
        if !mailbox.leave() { handleMail() }
    }
}
