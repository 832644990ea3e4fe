import Streams
import Synchronization

// The stream of a loop's states is a subject whose values all come from the loop, one at a time: it owns the mailbox for
// good. Then there is one order of values and everything else, the loop's, and one owner. What is to be done about a member is an
// item of the loop's mailbox, so that it is done in its turn and by who brought it; in the subject's own mailbox are only the members
// that have joined, which is no user code. Nothing is delivered until `release()`.
extension CurrentValueSubject {
    /// A subject that a loop drives. Nobody may read ``value`` after its end.
    @inlinable convenience init(driven value: Output) {
        self.init(core: SubjectCore(name: "CurrentValueSubject", current: value, isDriven: true))
    }

    /// Sets who takes in what is to be done about a member.
    @inlinable func drive(_ call: @escaping (Member, SubjectCore<Output, Failure>.MemberStep, _ isForHeir: Bool) -> Void) {
        core.storage.pointee.guarded.withLock { $0.driver = .init(call: call) }
    }
    @usableFromInline typealias Member = SubjectMember<Output, Failure>

    /// Delivers the current value to those who have joined. Called once.
    @inlinable func release() {
        core.isHeld.store(false, ordering: .releasing)
        takeJoined()
    }

    /// Sends a value.
    ///
    /// Who joined before the value became current must be a member when it is delivered, who joins after must not: so it
    /// becomes current in a step in which nobody waits to become a member.
    @inlinable func sendDriven(_ value: Output) {
        while !core.makeCurrent(value) { core.appendJoined() }
        core.deliver(value)
    }

    /// Makes an equal value current, of which nobody need be told.
    @inlinable func exchangeDriven(_ value: Output) {
        while !core.makeCurrent(value) { core.appendJoined() }
    }

    /// Changes what the loop has, without a second version of it, and makes it current. Then it is to be delivered.
    ///
    /// - Parameters:
    ///   - change: Makes the change. The current value must consist of the objects that the loop has, and no user code may run.
    ///   - value: What the loop has.
    @inlinable func commitDriven(_ change: () -> Void, _ value: () -> Output) {
        while !core.commit(change, value) { core.appendJoined() }
    }

    /// Delivers a value that has been committed.
    @inlinable func deliverDriven(_ value: Output) { core.deliver(value) }

    /// Makes members of those that have joined.
    @inlinable func takeJoined() { while core.takeMail() { core.appendJoined() } }

    /// Completes, and gives the mailbox up. Called last.
    ///
    /// - Parameter isPatient: Whether the last value stays: for a member that has not seen it, for lack of demand, and for
    ///   who comes later. Both get the completion after it.
    @inlinable func finishDriven(isPatient: Bool) { core.finishDriven(isPatient: isPatient) }

    /// The value last sent, of a subject that may have ended; nil once nobody can ask for it.
    @inlinable var lastValue: Output? { core.currentIfAny }
}

extension SubjectMember {
    /// Does what the driver was told of this member, whose subject may have ended meanwhile.
    @inlinable func takeFromDriver(_ step: SubjectCore<Output, Failure>.MemberStep) { subject.takeFromDriver(step, of: self) }
}

extension SubjectCore {
    @inlinable func takeFromDriver(_ step: MemberStep, of member: Member) {
        // Then there is no driver any more, and the mailbox is like any other subject's.
        if isFinished { return leave(member, step) }
        while takeMail() { appendJoined() }
        take(step, of: member)
    }

    /// Takes the members that have joined into the batch.
    ///
    /// - Returns: Whether there were any.
    @inlinable @inline(__always) func takeMail() -> Bool {
        guard mailbox.hasMail else { return false }
        _ = mailbox.collect(into: &batch, as: .own)
        return true
    }

    @inlinable func appendJoined() { while let note = batch.popLast() { handle(note) } }

    /// - Returns: False if there was mail, which has been taken instead.
    @inlinable func commit(_ change: () -> Void, _ value: () -> Output) -> Bool {
        storage.pointee.guarded.withLock { guarded in
            if takeMail() { return false }
            // The loop has the same: nothing is let go of for good.
            guarded.current = nil
            change()
            guarded.current = value()
            return true
        }
    }

    /// - Returns: False if there was mail, which has been taken instead.
    @inlinable func makeCurrent(_ value: Output) -> Bool {
        // Two ways for the sake of a large value without references: in the second it would be copied three times.
        if _isPOD(Output.self) {
            return storage.pointee.guarded.withLock { guarded in
                if takeMail() { return false }
                guarded.current = value
                return true
            }
        }
        // Exchanged: what goes with the old value may be an object of the user's, which is let go of with the lock free.
        var other: Output? = value
        return storage.pointee.guarded.withLock { guarded in
            if takeMail() { return false }
            swap(&guarded.current, &other)
            return true
        }
    }

    @inlinable func finishDriven(isPatient: Bool) {
        isHeld.store(false, ordering: .releasing)
        // What it calls is let go of outside the lock.
        let driver = storage.pointee.guarded.withLock { guarded in
            guarded.completion = .finished
            _ = takeMail()
            return UncheckedTransfer(guarded.driver.take())
        }
        discard(driver)
        // From here on nobody joins.
        isFinished = true
        appendJoined()
        for index in 0..<members.count {
            guard let member = members.places[index]?.takeUnretainedValue() else { continue }
            let state = member.state.load(ordering: .acquiring)
            // These complete themselves: one when it has got the last value, the other when it has joined.
            if isPatient, state & StateBits.closed == 0, state & (StateBits.owed | StateBits.starting) != 0 { continue }
            members.take(at: index)?.release()
            if !postpone(.completion(.finished), for: member) { complete(member, with: .finished) }
        }
        isOver = !isPatient
        forgetIfUnneeded()
        if !mailbox.leave() { handleMail() }
    }
}
