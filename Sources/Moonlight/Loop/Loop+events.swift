import Streams

// How events come in.
extension Loop {
    /// Takes an event that feedback has sent.
    @inlinable
    func take(event: Event) { _ = send(event) }

    /// Takes an event.
    ///
    /// - Returns: Whether it was taken; if not, the inbox is full.
    @inlinable
    func send(_ event: Event) -> Bool {
        if instruments != nil || isTracing { return takeTraced(event) }
        take(.event(event))
        return true
    }

    /// Takes an event, with what it comes from.
    ///
    /// - Returns: Whether it was taken; if not, the inbox is full.
    @usableFromInline
    func takeTraced(_ event: Event, _ settlement: Settlement? = nil) -> Bool {
        if settlement != nil { tracing.store(true, ordering: .relaxed) }
        var trace = traceOfCaller ?? Trace(isFromOutside: true)
        if let settlement {
            trace.settlements.append(settlement)
            trace.isFromOutside = true
        }
        guard let inbox = instruments?.inbox else {
            take(.tracedEvent(event, trace))
            return true
        }
        switch inbox.offer(event, trace) {
        case .queued:
            take(.inboxHasMail)
        case .coalesced:
            // The loop may have passed by while the event was being folded: this mark makes up for the one it used.
            take(.inboxHasMail)
            recordInTurn(.coalesced(event), cause: nil)
        case .dropped(let oldest, let itsTrace):
            itsTrace.reject(.overflow)
            take(.inboxHasMail)
            recordInTurn(.overflowed(oldest), cause: itsTrace.cause)
        case .refused:
            recordInTurn(.overflowed(event), cause: nil)
            return false
        }
        return true
    }

    /// Handles the next event of the inbox, with those that fold into it.
    @usableFromInline
    func takeFromInbox() {
        guard let inbox = instruments?.inbox, let next = inbox.next() else { return }
        var (event, trace) = next
        while let folded = inbox.foldNext(into: &event, &trace) { record(.coalesced(folded), cause: trace.cause) }
        handleTraced(event, trace)
    }
}
