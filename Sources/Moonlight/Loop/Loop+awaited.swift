import Streams
import Synchronization

// An event whose sender waits, and finds the loop idle.
extension Loop {
    /// Handles an event at once, if the loop is idle, and reports what its sender still has to wait for.
    ///
    /// If all effects of the event are ready, that is nothing, and nothing is allocated for it: a ``Settlement`` is only made when
    /// something keeps the trace of the event, as a stream of effects or another event does.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - stage: Until when the sender waits: ``SendStage/decided`` or ``SendStage/settled``.
    ///   - read: Called with the state once the event has been decided about, unless it was rejected.
    /// - Returns: What has become of it; nil if the loop is busy, or has instruments or a gate: then the event has not been
    ///   taken.
    @inlinable
    func handleAwaited(_ event: Event, until stage: SendStage, reading read: (State) -> Void) -> Sent? {
        guard instruments == nil, gate == nil, isHome, mailbox.enter() else { return nil }
        let sent = decide(event, until: stage, read)
        if isIdleForGood || !mailbox.leave() { runMail(.own) }
        return sent
    }

    @inlinable @inline(__always)
    func decide(_ event: Event, until stage: SendStage, _ read: (State) -> Void) -> Sent {
        guard !cancellation.isCancelled, program != nil else { return .over(.failure(.ended)) }
        // The mailbox was idle, so that no other item has a trace. To copy an empty one costs as much as the rest.
        let idle = tracedThread.load(ordering: .relaxed)
        trace.awaitedUntil = stage
        tracedThread.store(currentThread(), ordering: .relaxed)
        defer {
            tracedThread.store(idle, ordering: .relaxed)
            if trace.awaitedUntil != nil { trace.awaitedUntil = nil } else { trace = Trace() }
        }
        let error = transformAndRun(event)
        if let settlement = trace.settlement {
            if let error { settlement.fail(.rejected(error)) }
            if stage == .settled { return .waiting(settlement.outcome) }
            if let failure = settlement.outcome.failure { return .over(.failure(failure)) }
        }
        if let error { return .over(.failure(.rejected(error))) }
        if cancellation.isCancelled { return .over(.failure(.interrupted(.loopEnded))) }
        if let program { read(program.state) }
        return .over(.success(()))
    }

    /// Makes the settlement of the event that ``handleAwaited(_:until:reading:)`` handles, in the task of its sender.
    @usableFromInline
    func makeSettlement(until stage: SendStage) {
        trace.awaitedUntil = nil
        // Who waits for the decision only is not held by what the event leads to.
        let body = stage == .settled ? RunningBody.currentOrigin as? EffectOrigin : nil
        let settlement = Settlement(of: cancellation, awaiter: body?.context === context ? body : nil)
        settlement.begin()
        trace.add(asker: settlement)
    }
}

/// What has become of an event that was handled at once.
@usableFromInline
enum Sent {
    /// There is nothing to wait for.
    case over(Result<Void, SendError>)
    /// Something that it caused is in flight.
    case waiting(Settlement.Outcome)
}
