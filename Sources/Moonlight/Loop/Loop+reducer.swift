import Streams

// Runs a reducer, which changes the state in place. Where possible, the state is neither copied nor compared as a whole.
extension Loop {
    /// Folds an effect into the state, and sends the new state to observers.
    ///
    /// In this order: streams of removed children are ended, the journal is written, events that follow are queued, and
    /// observers are notified.
    @inlinable
    func reduce(_ effect: Effect, into program: Program) {
        let hasScopes = scopes != nil
        if hasScopes { program.folding.node = scopes?.liveRoot }
        let change: Change
        do {
            if let instruments { try prepare(effect, program, instruments) }
            change = try withUnsafeMutablePointer(to: &program.state) {
                try program.foldInPlace($0, effect, &program.folding)
            }
        } catch { return refuse(effect, error) }
        let time = instruments?.endCall() ?? .none
        if hasScopes { scopes?.endStreamsOfDeparted() }
        if let instruments {
            record(applied: effect, in: time, program, instruments)
            instruments.hook?.applied(followUps: program.folding.events?.count ?? 0)
        }
        if program.folding.events != nil { follow(program.folding.takeEvents()) }
        // If the change is only possible, one part of the reducer may have undone what another did.
        if change == .none || change == .possible && newestState == program.state { return }
        if cancellation.isCancelled { return }
        if let hook, !hook.tells(.state(program.state), turn.follower) { return }
        if Reducer<State, Event, Effect, Environment>.isStateLarge { return showWithFewCopies(&program.state) }
        lentStates?._withUnsafeGuaranteedRef { states in
            withUnsafeMutablePointer(to: &program.state) { state in
                state.withTaken { states.send($0) }
            }
        }
    }

    @usableFromInline @_semantics("optimize.sil.specialize.generic.never")
    func showWithFewCopies(_ state: inout State) { lend(&state) { states?.send($0) } }

    /// The last state that was shown or is to be.
    @usableFromInline
    var newestState: State? { hook?.keptState ?? states?.last }

    /// Queues the events that an effect has led to. They are results, so no bound of the inbox applies to them, and nobody awaits
    /// them by themselves.
    @usableFromInline
    func follow(_ events: [Event]) {
        for event in events {
            var next = outlivingTurn.follower
            next.isFollowUp = true
            post(event, next)
        }
    }

    /// Records that an `apply` threw, or that the hook cannot take the effect, and fails the wait for its event. The state is as it was,
    /// and no child was removed.
    @usableFromInline
    func refuse(_ effect: Effect, _ error: any Error) {
        instruments?.journal?.before = nil
        scopes?.forgetDepartures()
        let times = RecordTimes(transform: turn.transformTime, apply: instruments?.endCall() ?? .none)
        record(.effectRejected(effect, error), cause: turn.cause, times: times)
        hook?.rejected(error)
        outlivingTurn.settlement?.fail(.rejected(error))
    }
}
