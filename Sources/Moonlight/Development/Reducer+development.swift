import Streams

extension Reducer {
    /// Returns this reducer with its history, for use in development: steps can be looked at again and left out while the program
    /// runs.
    ///
    /// ```swift
    /// let store = Store(
    ///     reducer: app.inDevelopment(keeping: 1_000), initialState: Development(App()), environment: live,
    ///     feedback: { $0.latest { states in [ … ] } })
    /// store.send(.event(.add))
    /// store.skip(3)                    // as if step 3 had not been
    /// store.jump(to: 1)                // `state.shown` is the state after step 1; `state.latest` goes on
    /// ```
    /// It is a reducer like any other: plans and explorations run it, too. Effects are never run again. What is in flight goes on,
    /// whatever the developer does; each command of ``Store`` says what becomes of it.
    ///
    /// - Parameter limit: The number of steps to keep, at least 1.
    /// - Complexity: When `limit` steps are kept, each further one folds the oldest a second time and moves the others; to leave out,
    ///   restore or jump folds all of them. Three states are kept, which share what `apply` left as it was.
    public func inDevelopment(
        keeping limit: Int
    ) -> Reducer<
        Development<State, Event, Effect>, DevelopmentEvent<Event>, DevelopmentEffect<Event, Effect>, Environment
    > {
        typealias Whole = Reducer<
            Development<State, Event, Effect>, DevelopmentEvent<Event>, DevelopmentEffect<Event, Effect>, Environment
        >
        precondition(limit > 0, "inDevelopment(keeping:) needs room for a step: pass at least 1")
        return Whole(
            bind: { [bind] loop in
                let decide = bind(loop)
                return { state, event, environment, isFirst in
                    if let command = event.command {
                        if let refusal = state.pointee.refusal(of: command) { throw refusal }
                        return .just(.command(command))
                    }
                    guard case .event(let inner) = event else { return .none }
                    if state.pointee.isLocked { throw Rejection("the store is locked: it may only be looked at") }
                    // An event is the step after the last; nothing comes between `decide` and the first ready effect.
                    let cause = state.pointee.count + 1
                    let effects = try withUnsafeMutablePointer(to: &state.pointee.latest) {
                        try decide($0, inner, environment, isFirst)
                    }
                    return Effects<DevelopmentEffect<Event, Effect>>.just(.began(inner))
                        .combined(with: effects.map { .effect($0, cause: cause) })
                }
            },
            parts: [
                Whole.Part(
                    region: .everything, mayThrow: true,
                    fold: { [fold] state, effect, folding in
                        // A fold that is done again has no consequences outside the state: no events, no removed children.
                        let again: Development<State, Event, Effect>.Fold = { state, effect in
                            var ignored = Folding<Event>()
                            _ = try withUnsafeMutablePointer(to: &state) { try fold($0, effect, &ignored) }
                        }
                        let node = folding.node
                        var inner = Folding<Event>(node: node)
                        let first: Development<State, Event, Effect>.Fold = { state, effect in
                            _ = try withUnsafeMutablePointer(to: &state) { try fold($0, effect, &inner) }
                        }
                        switch effect {
                        case .began(let event): state.pointee.begin(event, keeping: limit, again)
                        case .effect(let effect, let cause):
                            try state.pointee.take(effect, cause: cause, keeping: limit, again, first: first)
                        case .command(let command):
                            state.pointee.carryOut(command, keeping: limit, again, first: first)
                            if let node { withUnsafeMutablePointer(to: &state.pointee.latest) { self.prune($0, node) } }
                        }
                        folding.follow(inner) { .event($0) }
                        return .certain
                    },
                    prune: { state, node in withUnsafeMutablePointer(to: &state.pointee.latest) { self.prune($0, node) } })
            ])
    }
}

extension DevelopmentEvent {
    /// The command of a developer; nil for an event of the reducer.
    var command: DevelopmentCommand? {
        switch self {
        case .event: nil
        case .skip(let number): .skip(number)
        case .restore(let number): .restore(number)
        case .jump(let number): .jump(to: number)
        case .pause: .pause
        case .resume: .resume
        case .lock: .lock
        case .unlock: .unlock
        }
    }
}

extension Publisher where Failure == Never {
    /// Connects feedback of a reducer to the one in development: it follows the latest state, wherever the developer looks.
    ///
    /// - Parameter feedback: The feedback of the reducer; called once, during this call, with the stream of its latest states.
    /// - Returns: The streams of events for the reducer in development.
    public func latest<State, Event, Effect>(
        _ feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>]
    ) -> [AnyPublisher<DevelopmentEvent<Event>, Never>] where Output == Development<State, Event, Effect> {
        feedback(map(\.latest).removeDuplicates().eraseToAnyPublisher())
            .map { events in events.map { DevelopmentEvent.event($0) }.eraseToAnyPublisher() }
    }
}
