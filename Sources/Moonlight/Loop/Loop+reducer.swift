import Streams

// How a loop runs a reducer: in place, without a copy of the state and without comparing it as a whole.
extension Loop {
    @inlinable
    convenience init(
        _ initialState: State, _ environment: Environment, _ reducer: Reducer<State, Event, Effect, Environment>,
        _ options: LoopOptions<State, Event, Effect>, home: HomeActor?
    ) {
        let context = LoopContext()
        let program = Program(state: initialState, environment: environment, reducer: reducer, loop: context)
        self.init(program, home: home, instruments: LoopInstruments.make(options), context: context)
    }

    /// Folds an effect into the state, and shows it.
    ///
    /// In this order: children that have left lose their effects, the journal is written, events that follow are queued,
    /// observers are told.
    @inlinable
    func reduce(_ effect: Effect, into program: Program, _ look: (State, State) -> Void) {
        let before = instruments?.journal == nil ? nil : program.state
        let liveRoot = scopes?.liveRoot
        var events: [Event] = []
        let change: Change
        do {
            change = try withUnsafeMutablePointer(to: &program.state) {
                program.inPlaceUpdate?.state = UnsafeRawPointer($0)
                return try program.foldInPlace($0, effect, &events, liveRoot, program.inPlaceUpdate)
            }
        } catch {
            return refuse(effect, error)
        }
        if liveRoot != nil { scopes?.endStreamsOfDeparted() }
        if let before { look(before, program.state) }
        for event in events { follow(event) }
        // One part of a reducer may have undone what another did.
        if change == .none || change == .possible && states?.lastValue == program.state {
            program.inPlaceUpdate?.isShared = false
            return
        }
        if cancellation.isCancelled { return }
        program.inPlaceUpdate?.isShared = true
        lentStates?._withUnsafeGuaranteedRef { states in
            program.withState { if change == .committed { states.deliverDriven($0) } else { states.sendDriven($0) } }
        }
    }

    /// Lets parts of the reducer commit what they change, where nobody needs the state before.
    @inlinable
    func makeInPlaceUpdate() {
        guard let program, let states, program.mayCommit, instruments?.journal == nil, InPlaceUpdate.isOn else { return }
        program.inPlaceUpdate = InPlaceUpdate { [cancellation] state, isShared, change in
            if cancellation.isCancelled { return false }
            let state = state.assumingMemoryBound(to: State.self)
            if !isShared { states.exchangeDriven(state.pointee) }
            states.commitDriven(change) { state.pointee }
            return true
        }
    }

    /// Takes an event that an effect has led to: a result, which no bound of the mailbox may refuse.
    @inlinable
    func follow(_ event: Event) {
        if instruments != nil || isTracing {
            take(.tracedEvent(event, traceOfCaller ?? Trace()))
        } else {
            take(.event(event))
        }
    }

    /// An `apply` has thrown: nothing has happened but that.
    @usableFromInline
    func refuse(_ effect: Effect, _ error: any Error) {
        scopes?.forgetDepartures()
        record(.effectRejected(effect, error), cause: trace.cause)
        trace.settlement?.fail(.rejected(error))
    }
}
