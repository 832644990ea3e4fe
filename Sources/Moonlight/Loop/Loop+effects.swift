import Streams

// Events: `transform` turns them into effects, which `apply` folds into the state.
extension Loop {
    @inlinable
    func handle(_ event: Event) {
        if instruments != nil || isTracing { return handleTraced(event, Trace(isFromOutside: true)) }
        transformAndRun(event)
    }

    /// Calls `transform` with an event, and performs the effects that it returns.
    ///
    /// - Parameter decided: Called after `transform` has returned, before its effects are performed.
    /// - Returns: The error that `transform` threw, if any.
    @inlinable @inline(__always) @discardableResult
    func transformAndRun(_ event: Event, decided: () -> Void = {}) -> (any Error)? {
        guard !cancellation.isCancelled else { return nil }
        do {
            let effects = try transform(event)
            decided()
            perform(effects, of: event)
            return nil
        } catch {
            // Rejected: the state stays as it is, and the loop goes on.
            tellRejected(event, error)
            return error
        }
    }

    @inlinable
    func transform(_ event: Event) throws -> Effects<Effect> {
        guard let lentProgram else { return .none }
        return try lentProgram._withUnsafeGuaranteedRef { program in
            try withUnsafeMutablePointer(to: &program.state) { try program.decide($0, event, program.environment, true) }
        }
    }

    /// Applies effects that are ready, and subscribes to streams of others.
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
        case .just(let effect): applyPlainly(effect)
        case .values(let values): for effect in values { applyPlainly(effect) }
        case .hidden: run(effects, by: EffectSubscriber(self, event, keptTrace))
        }
    }

    /// Performs streams one after another. If an effect of an earlier stream removes a child, the later streams of that child
    /// are skipped.
    @usableFromInline
    func performEach(of streams: [Effects<Effect>.Stream], of event: Event) {
        // All streams of children are tied to them before the first effect is applied. Only a single ready effect in first
        // place needs no tie: nothing can remove its child before it is applied.
        let subscribers = streams.enumerated().map { place, stream in
            stream.scope.isEmpty || place == 0 && stream.isSingle
                ? nil : EffectSubscriber(self, event, keptTrace, in: stream.scope)
        }
        for (stream, subscriber) in zip(streams, subscribers) {
            if let subscriber { perform(stream.effects, by: subscriber) } else { perform(stream.effects, of: event) }
        }
    }

    /// Performs effects of a child, as long as the child exists.
    @inlinable
    func perform(_ effects: AnyPublisher<Effect, Never>, by subscriber: EffectSubscriber<State, Event, Effect, Environment>) {
        switch effects.storage {
        case .just(let effect): if !subscriber.isCancelled { applyPlainly(effect) }
        case .values(let values): for effect in values where !subscriber.isCancelled { applyPlainly(effect) }
        case .hidden: return subscriber.isCancelled ? () : run(effects, by: subscriber)
        }
        subscriber.leaveScope()
    }

    /// Applies an effect while its event is being handled.
    @inlinable
    func applyPlainly(_ effect: Effect) {
        if instruments == nil, !isTracing {
            fold(effect)
        } else if instruments != nil || gate != nil {
            applyInTrace(effect)
        } else {
            inTransit { fold(effect) }
        }
    }

    /// Applies an effect that came through the mailbox, after its event was handled.
    @inlinable
    func apply(_ effect: Effect, from origin: EffectOrigin) {
        if instruments != nil || origin.isTraced || isTracing {
            instruments?.beginItem()
            let trace = origin.trace
            trace.bind { applyTraced(effect, trace) }
            instruments?.endItem()
            return
        }
        fold(effect)
    }

    /// Folds an effect into the state, and sends the new state to observers.
    ///
    /// - Parameter look: Called with the states before and after, if a journal is kept, before observers receive the new one.
    @inlinable
    func fold(_ effect: Effect, _ look: (State, State) -> Void = { _, _ in }) {
        guard !cancellation.isCancelled, let lentProgram else { return }
        isApplying = true
        defer { isApplying = false }
        lentProgram._withUnsafeGuaranteedRef { reduce(effect, into: $0, look) }
    }

    /// Applies an effect that its stream sends from inside `subscribe`.
    @inlinable
    func applyOnTheSpot(_ effect: Effect, from origin: EffectOrigin) {
        // A stream may break the rules and send from inside the delivery of its previous effect: such an effect is queued.
        guard !isApplying else { return post(.effect(effect, from: origin)) }
        if !origin.isCancelled { applyPlainly(effect) }
    }

    /// Subscribes to a stream of effects. Those that it sends from inside `subscribe` are applied at once, before anything in
    /// the mailbox.
    @inlinable
    func run(
        _ effects: AnyPublisher<Effect, Never>, by subscriber: EffectSubscriber<State, Event, Effect, Environment>
    ) {
        guard remember(subscriber) else { return }
        liveEffects += 1
        context.counters?.note(liveEffects: liveEffects)
        if let gate { return run(effects, by: subscriber, through: gate) }
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
}
