import Synchronization

// What a subject has to do with a loop that drives it, as Moonlight's drives its states: see `isDriven`.
extension SubjectCore {
    /// Tells the driver, if there is one, that there is mail.
    @inlinable func callDriver() {
        if isDriven { guarded.withLock { UncheckedTransfer($0.callDriver) }.value?() }
    }

    @inlinable package func handleBatch() {
        if batch.isEmpty { return }
        batch.reverse()
        while let note = batch.popLast() { handle(note) }
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
    @inlinable package func forgetIfUnneeded() {
        guard isOver, members.live == 0 else { return }
        latest = nil
        guarded.withLock { $0.current = nil }
    }
}
