import Synchronization

// A subject whose values all come from one loop: see `drive(_:)`.
extension SubjectCore {
    /// Lets somebody who is the only one to send, one value at a time, own the mailbox for good.
    ///
    /// Then there is one order of values and everything else, the driver's, and one owner. Whoever else leaves a note calls
    /// the driver, who handles it in turn by ``handleNotes()``. Nothing is delivered until ``release()``.
    @inlinable func drive(_ callDriver: @escaping () -> Void) { guarded.withLock { $0.callDriver = callDriver } }
    /// Tells the driver, if there is one, that there is mail.
    @inlinable func callDriver() {
        if isDriven { guarded.withLock { UncheckedTransfer($0.callDriver) }.value?() }
    }

    /// Delivers the current value to those who have joined. The driver's to call, once.
    @inlinable func release() {
        isHeld.store(false, ordering: .releasing)
        handleNotes()
    }

    /// Sends a value. The driver's to call.
    ///
    /// Who joined before the value became current must be a member when it is delivered, who joins after must not: so it
    /// becomes current in a step in which there is no mail. Until then, who is owed a value gets the one before.
    @inlinable func sendDriven(_ value: Output) {
        while !makeCurrent(value) { handleBatch() }
        deliver(value)
        handleNotes()
    }

    /// Changes what the driver has, without a second version of it, and makes it current. The driver's to call, who then
    /// delivers it.
    ///
    /// - Parameters:
    ///   - change: Makes the change. Nothing may have changed since the current value was sent, and no user code may run.
    ///   - value: What the driver has.
    @inlinable func commitDriven(_ change: () -> Void, _ value: () -> Output) {
        while !commit(change, value) { handleBatch() }
    }

    /// - Returns: False if there was mail, which has been taken instead.
    @inlinable func commit(_ change: () -> Void, _ value: () -> Output) -> Bool {
        guarded.withLock { guarded in
            if mailbox.hasMail {
                mailbox.collect(into: &batch)
                return false
            }
            // The driver has the same: nothing is let go of for good.
            guarded.current = nil
            change()
            guarded.current = value()
            return true
        }
    }

    /// Delivers a value that has been committed. The driver's to call.
    @inlinable func deliverDriven(_ value: Output) {
        deliver(value)
        handleNotes()
    }

    /// - Returns: False if there was mail, which has been taken instead.
    @inlinable func makeCurrent(_ value: Output) -> Bool {
        if _isPOD(Output.self) { return guarded.withLock { replaceCurrent(by: value, in: &$0) } }
        // What goes with the old value may be an object of the user's: it is let go of with the lock free.
        let (isCurrent, old) = guarded.withLock { guarded in
            let old = UncheckedTransfer(guarded.current)
            return (replaceCurrent(by: value, in: &guarded), old)
        }
        withExtendedLifetime(old) {}
        return isCurrent
    }

    /// - Returns: False if there was mail, which has been taken instead.
    @inlinable func replaceCurrent(by value: Output, in guarded: inout Guarded) -> Bool {
        if mailbox.hasMail {
            mailbox.collect(into: &batch)
            return false
        }
        guarded.current = value
        return true
    }

    /// Handles what others have left. The driver's to call.
    @inlinable func handleNotes() {
        while mailbox.hasMail {
            mailbox.collect(into: &batch)
            handleBatch()
        }
    }

    @inlinable func handleBatch() {
        if batch.isEmpty { return }
        batch.reverse()
        while let note = batch.popLast() { handle(note) }
    }

    /// Completes, and gives the mailbox up. The driver's to call, last.
    ///
    /// - Parameter isPatient: Whether the last value stays: for a member that has not seen it, for lack of demand, and for
    ///   who comes later. Both get the completion after it.
    @inlinable func finishDriven(isPatient: Bool) {
        isHeld.store(false, ordering: .releasing)
        guarded.withLock { guarded in
            guarded.completion = .finished
            guarded.callDriver = nil
            if mailbox.hasMail { mailbox.collect(into: &batch) }
        }
        // From here on nobody joins.
        isFinished = true
        handleBatch()
        for index in 0..<members.count {
            guard let member = members.places[index]?.takeUnretainedValue() else { continue }
            let state = member.state.load(ordering: .acquiring)
            // These complete themselves: one when it has got the last value, the other when it has joined.
            if isPatient, state & Bits.closed == 0, state & (Bits.owed | Bits.joining) != 0 { continue }
            members.take(at: index)?.release()
            if !postpone(.completion(.finished), for: member) { complete(member, with: .finished) }
        }
        isOver = !isPatient
        forgetIfUnneeded()
        if !mailbox.leave() { handleMail() }
    }

    /// A member that was owed the last value has got it.
    @inlinable func completeLate(_ member: Member) {
        guard member.place < members.count, members.places[member.place]?.takeUnretainedValue() === member else { return }
        let place = member.place
        complete(member, with: .finished)
        members.take(at: place)?.release()
        forgetIfUnneeded()
    }

    /// Lets go of the last value when nobody can ask for it any more.
    @inlinable func forgetIfUnneeded() {
        guard isOver, members.live == 0 else { return }
        latest = nil
        guarded.withLock { $0.current = nil }
    }
}

extension CurrentValueSubject {
    /// The value last sent, of a driven subject that may have ended; nil once nobody can ask for it.
    @inlinable package var lastValue: Output? { core.currentIfAny }
}
