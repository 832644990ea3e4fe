import Synchronization

/// A subject whose values all come from one owner, its driver, one at a time: the stream of a loop's states.
///
/// The driver owns the subject's mailbox for good. So values and everything else have one owner and one order, the driver's. A
/// step to be taken for a member is an item of the driver's mailbox: it is handled in its turn, like any other item, by the thread
/// that posted it or by an heir. The subject's own mailbox holds only members that have joined, which run no user code. Nothing is
/// delivered until ``release()``.
///
/// It is what its publisher hides, so that one object is both. When the last reference is released, nobody can subscribe any more,
/// and the members are let go. Its properties are references and closures, for which `deinit` looks up no types.
@usableFromInline package final class DrivenSubject<Output>: HiddenPublisher<Output, Never> {
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
        core = SubjectCore(current: value, isDriven: true)
        self.companion = companion
        super.init(depth: 1) { attach(unsafeDowncast($0, to: DrivenSubject.self), $1) }
    }

    @inlinable deinit { core.perform(core, .abandon) }

    /// The stream of its values.
    @inlinable package var publisher: AnyPublisher<Output, Never> { AnyPublisher(hidden: self) }

    /// Attaches a subscriber.
    @inlinable package func attach(_ subscriber: some Subscriber<Output, Never>) { core.attach(subscriber) }

    /// Sets the driver, which this retains until its end, and the closure that passes it each step to be taken for a member.
    @inlinable package func drive(
        by driver: AnyObject,
        _ call: @escaping (AnyObject, Member, SubjectCore<Output, Never>.MemberStep, _ isForHeir: Bool) -> Void
    ) { core.storage.pointee.guarded.withLock { $0.driver = .init(driver, call: call) } }

    @usableFromInline package typealias Member = SubjectMember<Output, Never>

    /// Lifts the hold on deliveries, so that members get the current value, and adds the members that have joined. Called
    /// once.
    @inlinable package func release() {
        core.isHeld.store(false, ordering: .releasing)
        takeJoined()
    }

    /// Sends a value.
    ///
    /// A subscriber that joined before the value became current must be a member when it is delivered; one that joins later
    /// must not. So the value becomes current in a step in which no subscriber waits to become a member.
    @inlinable package func send(_ value: Output) {
        while !core.makeCurrent(value) { core.appendJoined() }
        core.deliver(value)
    }

    /// Makes an equal value current, without notifying anyone.
    @inlinable package func exchange(_ value: Output) {
        while !core.makeCurrent(value) { core.appendJoined() }
    }

    /// Changes the loop's value in place, without a second version of it, and makes it current. The caller then delivers it.
    ///
    /// - Parameters:
    ///   - change: Makes the change. The current value must consist of the same objects as the loop's, and no user code may
    ///     run.
    ///   - value: Returns the loop's value.
    @inlinable package func commit(_ change: () -> Void, _ value: () -> Output) {
        while !core.commit(change, value) { core.appendJoined() }
    }

    /// Delivers a value that has been committed.
    @inlinable package func deliver(_ value: Output) { core.deliver(value) }

    /// Makes members of the subscribers that have joined.
    @inlinable package func takeJoined() { while core.takeMail() { core.appendJoined() } }

    /// Completes the subject, and leaves its mailbox. Called last.
    ///
    /// - Parameter isPatient: Whether the last value is kept, for members that have not received it for lack of demand, and
    ///   for later subscribers. Both receive the completion after it.
    @inlinable package func finish(isPatient: Bool) { core.finishDriven(isPatient: isPatient) }

    /// The value last sent, also after the subject has ended; nil once nobody can get it any more.
    @inlinable package var last: Output? { core.currentIfAny }
}
