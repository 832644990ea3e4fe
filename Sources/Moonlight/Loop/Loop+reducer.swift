import Streams

// Runs a reducer, which changes the state in place. Where possible, the state is neither copied nor compared as a whole.
extension Loop {
    /// Folds an effect into the state, and sends the new state to observers.
    ///
    /// In this order: streams of removed children are ended, the journal is written, events that follow are queued, and
    /// observers are notified.
    @inlinable
    func reduce(_ effect: Effect, into program: Program, _ look: (State, State) -> Void) {
        let isRecorded = isRecording
        if isRecorded { instruments?.journal?.before = program.state }
        let hasScopes = scopes != nil
        if hasScopes { program.folding.node = scopes?.liveRoot }
        let hasGate = gate != nil
        let change: Change
        if isRecorded { instruments?.beginCall() }
        do {
            if hasGate { try gate?.log.prepare(effect) }
            change = try withUnsafeMutablePointer(to: &program.state) {
                try program.foldInPlace($0, effect, &program.folding)
            }
        } catch {
            if isRecorded { instruments?.journal?.before = nil }
            return refuse(effect, error)
        }
        if isRecorded { instruments?.endApply() }
        if hasScopes { scopes?.endStreamsOfDeparted() }
        if isRecorded { instruments?.journal?.tell(look, program.state) }
        if hasGate { noteApplied(followUps: program.folding.events?.count ?? 0) }
        if program.folding.events != nil { follow(program.folding.takeEvents()) }
        // If the change is only possible, one part of the reducer may have undone what another did.
        if change == .none || change == .possible && (hasGate ? newestState : states?.last) == program.state { return }
        if cancellation.isCancelled { return }
        if hasGate, holdsState() { return }
        if Reducer<State, Event, Effect, Environment>.isStateLarge { return showWithFewCopies(&program.state) }
        lentStates?._withUnsafeGuaranteedRef { states in
            withUnsafeMutablePointer(to: &program.state) { state in
                state.withTaken { states.send($0) }
            }
        }
    }

    @usableFromInline @_semantics("optimize.sil.specialize.generic.never")
    func showWithFewCopies(_ state: inout State) { lend(&state) { states?.send($0) } }

    /// Takes the events that an effect has led to. They are results, so no bound of the inbox applies to them.
    @usableFromInline
    func follow(_ events: [Event]) {
        for event in events {
            if instruments != nil || isTracing {
                var trace = traceOfCaller ?? Trace()
                // Who waits for the event that has led here does not ask for this one.
                trace.asker = nil
                (trace.isFollowUp, trace.errand) = (true, nil)
                beginWait(&trace)
                take(.tracedEvent(event, trace))
            } else {
                take(event)
            }
        }
    }

    /// Records that an `apply` threw, or that the log cannot have the effect, and fails the wait for its event. The state is as it was,
    /// and no child was removed.
    @usableFromInline
    func refuse(_ effect: Effect, _ error: any Error) {
        scopes?.forgetDepartures()
        let times = RecordTimes(transform: trace.transformTime, apply: instruments?.endCall() ?? .none)
        record(.effectRejected(effect, error), cause: trace.cause, times: times)
        gate?.log.noteRejection(error)
        keptTrace.settlement?.fail(.rejected(error))
    }
}
