import Synchronization

// What a driven subject does differently: see ``DrivenSubject``.

extension SubjectMember {
    /// Takes a step for this member, as the driver was asked to. The subject may have ended meanwhile.
    @inlinable package func takeFromDriver(_ step: SubjectCore<Output, Failure>.MemberStep) {
        subject.takeFromDriver(step, of: self)
    }
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
