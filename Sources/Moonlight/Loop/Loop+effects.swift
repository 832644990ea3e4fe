import Streams

// Effects, which are performed while their event is handled, or arrive later; `apply` folds each into the state.
extension Loop {
    /// Applies ready effects, and subscribes to streams.
    @inlinable
    func perform(_ effects: Effects<Effect>, of event: Event) {
        switch effects.storage {
        case .one(let effects): perform(effects, of: event)
        case .several(let streams): performEach(of: streams, of: event)
        }
    }

    @inlinable
    func perform(_ effects: AnyPublisher<Effect, Never>, of event: Event) {
        switch effects.storage {
        case .just(let effect): apply(effect)
        case .values(let values): for effect in values { apply(effect) }
        case .hidden: run(effects, by: EffectSubscriber(self, event, outlivingTurn))
        }
    }

    /// Performs streams in order. If an effect of an earlier stream removes a child, the later streams of that child are skipped.
    @usableFromInline
    func performEach(of streams: [Effects<Effect>.Stream], of event: Event) {
        // All streams of children are tied to them before the first effect is applied. Only a single ready effect in first
        // place needs no tie: nothing can remove its child before it is applied.
        let subscribers = streams.enumerated().map { place, stream in
            stream.scope.isEmpty || place == 0 && stream.isSingle
                ? nil : EffectSubscriber(self, event, outlivingTurn, in: stream.scope)
        }
        for (stream, subscriber) in zip(streams, subscribers) {
            if let subscriber { perform(stream.effects, by: subscriber) } else { perform(stream.effects, of: event) }
        }
    }

    /// Performs effects of a child, as long as the child exists.
    @inlinable
    func perform(_ effects: AnyPublisher<Effect, Never>, by subscriber: EffectSubscriber<State, Event, Effect, Environment>) {
        switch effects.storage {
        case .just(let effect): if !subscriber.isCancelled { apply(effect) }
        case .values(let values): for effect in values where !subscriber.isCancelled { apply(effect) }
        case .hidden: return subscriber.isCancelled ? () : run(effects, by: subscriber)
        }
        subscriber.leaveScope()
    }

    /// Applies an effect from the mailbox, after its event was handled, in a turn of its own.
    @inlinable
    func apply(_ effect: Effect, from origin: EffectOrigin) {
        journal?.beginItem()
        let turn = origin.turn
        turn.bind {
            begin(Turn(cause: turn.cause, attachments: turn.attachments))
            self.turn.transformTime = turn.transformTime
            apply(effect)
            if let hook { endTurn(of: hook) }
            endTurn()
        }
        journal?.endItem()
    }

    /// Applies an effect that its stream sends during `subscribe`.
    @inlinable
    func applyOnTheSpot(_ effect: Effect, from origin: EffectOrigin) {
        // A stream may violate the grammar and send during the delivery of its previous effect, which is then queued.
        guard !isApplying else { return post(.effect(effect, from: origin)) }
        if !origin.isCancelled { apply(effect) }
    }

    /// Applies an effect in the current turn: folds it into the state, and sends the new state to observers.
    @inlinable
    func apply(_ effect: Effect) {
        guard !context.isCancelled, let lentProgram else { return }
        // One effect of an event is not the cause of the next.
        let cause = turn.cause
        isApplying = true
        inTransit { lentProgram._withUnsafeGuaranteedRef { reduce(effect, into: $0) } }
        isApplying = false
        turn.cause = cause
    }

    /// Subscribes to a stream of effects. Effects that it sends during `subscribe` are applied at once, before any item of the
    /// mailbox.
    @inlinable
    func run(
        _ effects: AnyPublisher<Effect, Never>, by subscriber: EffectSubscriber<State, Event, Effect, Environment>
    ) {
        guard remember(subscriber) else { return }
        liveEffects += 1
        context.counters?.note(liveEffects: liveEffects)
        if let hook { return run(effects, by: subscriber, under: hook) }
        subscribe(subscriber, to: effects)
    }

    @inlinable
    func subscribe(
        _ subscriber: EffectSubscriber<State, Event, Effect, Environment>, to effects: AnyPublisher<Effect, Never>
    ) {
        let (isOver, isAwaited) = subscriber.subscribe(to: effects)
        guard isOver else { return }
        // Effects that another thread has sent meanwhile are in the mailbox; the end of the stream comes after them.
        if isAwaited { post(.effectsEnded(subscriber)) } else { forget(subscriber) }
    }

    // MARK: The state, which a reducer changes in place. Where possible, it is neither copied nor compared as a whole.

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
        let time = journal?.endCall() ?? .none
        if hasScopes { scopes?.endStreamsOfDeparted() }
        if let instruments {
            record(applied: effect, in: time, program, instruments)
            instruments.hook?.applied(followUps: program.folding.events?.count ?? 0)
        }
        if program.folding.events != nil { follow(program.folding.takeEvents()) }
        // If the state may be unchanged, one part of the reducer may have undone the change of another.
        if change == .none || change == .possible && newestState == program.state { return }
        if context.isCancelled { return }
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

    /// The last state that was shown or will be.
    @usableFromInline
    var newestState: State? { hook?.keptState ?? states?.last }

    /// Queues the follow-up events of an effect. They are results, so that no bound of the inbox applies to them, and no sender
    /// awaits them.
    @usableFromInline
    func follow(_ events: [Event]) {
        for event in events {
            var next = outlivingTurn.follower
            next.isFollowUp = true
            post(event, next)
        }
    }

    /// Records that `apply` or the hook rejected an effect, and fails the waiting sender of its event. The state is unchanged,
    /// and no child was removed.
    @usableFromInline
    func refuse(_ effect: Effect, _ error: any Error) {
        instruments?.journal?.before = nil
        scopes?.forgetDepartures()
        let times = RecordTimes(transform: turn.transformTime, apply: journal?.endCall() ?? .none)
        record(.effectRejected(effect, error), cause: turn.cause, times: times)
        hook?.rejected(error)
        outlivingTurn.settlement?.fail(.rejected(error))
    }
}
