import Streams

// How a loop runs a reducer: in place, without a copy of the state and without comparing it as a whole.
extension Loop {
    @inlinable
    convenience init(
        _ initialState: State, _ environment: Environment, _ reducer: Reducer<State, Event, Effect, Environment>,
        _ options: LoopOptions<State, Event, Effect>, home: Home?
    ) {
        let program = Program(environment: environment, reducer: reducer)
        self.init(initialState, program, home: home, instruments: Instruments.make(options))
    }

    /// Folds an effect into the state, and shows it.
    ///
    /// In this order: children that have left lose their effects, the journal is written, events that follow are queued,
    /// observers are told.
    ///
    /// - Returns: Whether the state has changed.
    @inlinable
    func fold(
        _ effect: Effect, by reducer: Reducer<State, Event, Effect, Environment>, _ look: (State, State) -> Void
    ) -> Bool {
        isApplying = true
        defer { isApplying = false }
        let before = instruments?.journal == nil ? nil : state
        let scopes = context.scopes.liveRoot
        var events: [Event] = []
        let change: Change
        do {
            change = try reducer.fold(&state!, effect, &events, scopes)
        } catch {
            refuse(effect, error)
            return false
        }
        if scopes != nil { context.scopes.bidFarewell() }
        if let before { look(before, state!) }
        for event in events { take(event: event) }
        guard isReal(change), !isCancelled.isSet else { return false }
        states?.sendDriven(state!)
        return true
    }

    /// Whether a change has made a difference: one part of a reducer may have undone what another did.
    @inlinable
    func isReal(_ change: Change) -> Bool {
        switch change {
        case .none: false
        case .certain: true
        case .possible: states?.lastValue != state
        }
    }

    /// An `apply` has thrown: nothing has happened but that.
    @usableFromInline
    func refuse(_ effect: Effect, _ error: any Error) {
        context.scopes.forgetDepartures()
        record(.effectRejected(effect, error), cause: trace.cause)
        trace.settlement?.fail(.rejected(error))
    }
}
