import Streams
import Synchronization

// The stream of a loop's states is a driven subject: all of its values come from the loop, one at a time, and the loop owns
// the subject's mailbox for good. So values and everything else have one owner and one order, the loop's. A step to be taken
// for a member is an item of the loop's mailbox: it is handled in its turn, like any other item, by the thread that posted it
// or by an heir. The subject's own mailbox holds only members that have joined, which run no user code. Nothing is delivered
// until `release()`.
extension CurrentValueSubject {
    /// Creates a subject that a loop drives. ``value`` must not be read after its end.
    @inlinable convenience init(driven value: Output) {
        self.init(core: SubjectCore(name: "CurrentValueSubject", current: value, isDriven: true))
    }

    /// Sets the driver, which this retains until its end, and the closure that passes it each step to be taken for a member.
    @inlinable func drive(
        by driver: AnyObject,
        _ call: @escaping (AnyObject, Member, SubjectCore<Output, Failure>.MemberStep, _ isForHeir: Bool) -> Void
    ) { core.storage.pointee.guarded.withLock { $0.driver = .init(driver, call: call) } }

    @usableFromInline typealias Member = SubjectMember<Output, Failure>

    /// Lifts the hold on deliveries, so that members get the current value, and adds the members that have joined. Called
    /// once.
    @inlinable func release() {
        core.isHeld.store(false, ordering: .releasing)
        takeJoined()
    }

    /// Sends a value.
    ///
    /// A subscriber that joined before the value became current must be a member when it is delivered; one that joins later
    /// must not. So the value becomes current in a step in which no subscriber waits to become a member.
    @inlinable func sendDriven(_ value: Output) {
        while !core.makeCurrent(value) { core.appendJoined() }
        core.deliver(value)
    }

    /// Makes an equal value current, without notifying anyone.
    @inlinable func exchangeDriven(_ value: Output) {
        while !core.makeCurrent(value) { core.appendJoined() }
    }

    /// Changes the loop's value in place, without a second version of it, and makes it current. The caller then delivers it.
    ///
    /// - Parameters:
    ///   - change: Makes the change. The current value must consist of the same objects as the loop's, and no user code may
    ///     run.
    ///   - value: Returns the loop's value.
    @inlinable func commitDriven(_ change: () -> Void, _ value: () -> Output) {
        while !core.commit(change, value) { core.appendJoined() }
    }

    /// Delivers a value that has been committed.
    @inlinable func deliverDriven(_ value: Output) { core.deliver(value) }

    /// Makes members of the subscribers that have joined.
    @inlinable func takeJoined() { while core.takeMail() { core.appendJoined() } }

    /// Completes the subject, and leaves its mailbox. Called last.
    ///
    /// - Parameter isPatient: Whether the last value is kept, for members that have not received it for lack of demand, and
    ///   for later subscribers. Both receive the completion after it.
    @inlinable func finishDriven(isPatient: Bool) { core.finishDriven(isPatient: isPatient) }

    /// The value last sent, also after the subject has ended; nil once nobody can get it any more.
    @inlinable var lastValue: Output? { core.currentIfAny }
}

extension SubjectMember {
    /// Takes a step for this member, as the driver was asked to. The subject may have ended meanwhile.
    @inlinable func takeFromDriver(_ step: SubjectCore<Output, Failure>.MemberStep) { subject.takeFromDriver(step, of: self) }
}

extension SubjectCore {
    @inlinable func takeFromDriver(_ step: MemberStep, of member: Member) {
        // There is no driver any more, and the mailbox works like any other subject's.
        if isFinished { return leave(member, step) }
        while takeMail() { appendJoined() }
        take(step, of: member)
    }

    /// Moves the members that have joined into the batch.
    ///
    /// - Returns: Whether there were any.
    @inlinable @inline(__always) func takeMail() -> Bool {
        guard mailbox.hasMail else { return false }
        _ = mailbox.collect(into: &batch, as: .own)
        return true
    }

    @inlinable func appendJoined() { while let note = batch.popLast() { handle(note) } }

    /// Changes the loop's value and makes it current, with the lock held.
    ///
    /// - Returns: False if there was mail, which was moved into the batch instead.
    @inlinable func commit(_ change: () -> Void, _ value: () -> Output) -> Bool {
        storage.pointee.guarded.withLock { guarded in
            if takeMail() { return false }
            // The loop's value consists of the same objects, so none of them is deallocated here.
            guarded.current = nil
            change()
            guarded.current = value()
            return true
        }
    }

    /// Makes a value current.
    ///
    /// - Returns: False if there was mail, which was moved into the batch instead.
    @inlinable func makeCurrent(_ value: Output) -> Bool {
        // Two paths: in the second one, a large value without references would be copied three times.
        if _isPOD(Output.self) {
            return storage.pointee.guarded.withLock { guarded in
                if takeMail() { return false }
                guarded.current = value
                return true
            }
        }
        // Swapped, because the old value may hold objects of the user's, which must be released outside the lock.
        var other: Output? = value
        return storage.pointee.guarded.withLock { guarded in
            if takeMail() { return false }
            swap(&guarded.current, &other)
            return true
        }
    }

    @inlinable func finishDriven(isPatient: Bool) {
        isHeld.store(false, ordering: .releasing)
        // The driver's captures are released outside the lock.
        let driver = storage.pointee.guarded.withLock { guarded in
            guarded.completion = .finished
            _ = takeMail()
            return UncheckedTransfer(guarded.driver.take())
        }
        discard(driver)
        // From here on, nobody can join.
        isFinished = true
        appendJoined()
        for index in 0..<members.count {
            guard let member = members.places[index]?.takeUnretainedValue() else { continue }
            let state = member.state.load(ordering: .acquiring)
            // These members complete by themselves: one when it has received the last value, the other when it has joined.
            if isPatient, state & StateBits.closed == 0, state & (StateBits.owed | StateBits.starting) != 0 { continue }
            members.take(at: index)?.release()
            if !postpone(.completion(.finished), for: member) { complete(member, with: .finished) }
        }
        isOver = !isPatient
        forgetIfUnneeded()
        if !mailbox.leave() { handleMail() }
    }
}
