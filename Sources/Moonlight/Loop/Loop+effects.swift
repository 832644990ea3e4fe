import Streams

// What becomes of an event: effects, which are folded into the state.
extension Loop {
    @inlinable
    func handle(_ event: Event) {
        if instruments != nil || isTracing { return handleTraced(event, Trace(isFromOutside: true)) }
        transformAndRun(event)
    }

    /// - Parameter decided: Called between `transform` and its effects.
    /// - Returns: What `transform` threw, if it did.
    @inlinable @inline(__always) @discardableResult
    func transformAndRun(_ event: Event, decided: () -> Void = {}) -> (any Error)? {
        guard !cancellation.isCancelled else { return nil }
        do {
            let effects = try transform(event)
            decided()
            perform(effects, of: event)
            return nil
        } catch {
            // Refused: the state stays as it is, and the loop goes on.
            context.tellRefused(event, .rejected(error))
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

    /// Applies the effects that lie ready, and subscribes to others.
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

    /// Performs one stream after the other. Children may leave by the effects of an earlier one; the later ones of such a child
    /// are left out.
    @usableFromInline
    func performEach(of streams: [Effects<Effect>.Stream], of event: Event) {
        // Before the first of them nothing has happened yet.
        let subscribers = streams.enumerated().map { place, stream in
            stream.scope.isEmpty || place == 0 && stream.isSingle ? nil : EffectSubscriber(self, event, keptTrace, in: stream.scope)
        }
        for (stream, subscriber) in zip(streams, subscribers) {
            if let subscriber { perform(stream.effects, by: subscriber) } else { perform(stream.effects, of: event) }
        }
    }

    /// Performs the effects of a child, as long as it is there.
    @inlinable
    func perform(_ effects: AnyPublisher<Effect, Never>, by subscriber: EffectSubscriber<State, Event, Effect, Environment>) {
        switch effects.storage {
        case .just(let effect): if !subscriber.isCancelled { applyPlainly(effect) }
        case .values(let values): for effect in values where !subscriber.isCancelled { applyPlainly(effect) }
        case .hidden: return subscriber.isCancelled ? () : run(effects, by: subscriber)
        }
        subscriber.leaveScope()
    }

    /// Applies an effect, in the course of its event.
    @inlinable
    func applyPlainly(_ effect: Effect) {
        if instruments != nil {
            applyInTrace(effect)
        } else if isTracing {
            inTransit { fold(effect) }
        } else {
            fold(effect)
        }
    }

    /// Applies an effect that comes later.
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

    /// Folds an effect into the state, and shows it.
    ///
    /// - Parameter look: Gets the states before and after, before anybody else sees the change.
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
        // A stream may break the rules and send from inside the delivery of its own last effect: that one queues.
        guard !isApplying else { return post(.effect(effect, from: origin)) }
        if !origin.isCancelled { applyPlainly(effect) }
    }

    /// Subscribes to effects. Those that are sent meanwhile are applied at once, before anything else in the mailbox.
    @inlinable
    func run(
        _ effects: AnyPublisher<Effect, Never>, by subscriber: EffectSubscriber<State, Event, Effect, Environment>
    ) {
        guard remember(subscriber) else { return }
        liveEffects += 1
        context.counters?.note(liveEffects: liveEffects)
        let (isOver, isAwaited) = subscriber.subscribe(to: effects)
        guard isOver else { return }
        // Effects that another thread has sent meanwhile wait in the mailbox: its end comes after them.
        if isAwaited { post(.effectsEnded(subscriber)) } else { forget(subscriber) }
    }
}
