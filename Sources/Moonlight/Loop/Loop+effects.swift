import Streams

// What becomes of an event: effects, which are folded into the state.
extension Loop {
    @inlinable
    func handle(_ event: Event) {
        if instruments != nil { return handleTraced(event, Trace(isFromOutside: true)) }
        transformAndRun(event)
    }

    /// - Returns: What `transform` threw, if it did.
    @inlinable @discardableResult
    func transformAndRun(_ event: Event) -> (any Error)? {
        guard !isCancelled.isSet else { return nil }
        do {
            perform(try transform(event), of: event)
            return nil
        } catch {
            // Refused: the state stays as it is, and the loop goes on.
            return error
        }
    }

    @inlinable
    func transform(_ event: Event) throws -> AnyPublisher<Effect, Never> {
        guard let lentProgram else { return .nothing }
        return try lentProgram._withUnsafeGuaranteedRef { program in
            if program.isReduced {
                return try withUnsafePointer(to: &program.state) { try program.decide($0, event, program.environment, true) }
            }
            if Self.isStateLarge { return try program.transformWithoutCopy(event) }
            return try program.withState { try program.transform($0, event, program.environment) }
        }
    }

    /// Applies the effects that lie ready, and subscribes to others.
    @inlinable
    func perform(_ effects: AnyPublisher<Effect, Never>, of event: Event) {
        switch effects.storage {
        case .just(let effect): applyPlainly(effect)
        case .values(let values): for effect in values { applyPlainly(effect) }
        case .hidden:
            guard let bundle = effects.hidden(as: EffectBundle<Effect>.self) else { return run(effects, of: event) }
            for stream in bundle.turns(in: context, under: nil) { perform(stream, of: event) }
        }
    }

    /// Applies an effect, in the course of its event.
    @inlinable
    func applyPlainly(_ effect: Effect) {
        if instruments != nil || isTracing { return applyTraced(effect, trace) }
        fold(effect)
    }

    /// Applies an effect that comes later.
    @inlinable
    func apply(_ effect: Effect, from origin: EffectOrigin) {
        if instruments != nil || isTracing {
            instruments?.beginItem()
            return applyTraced(effect, origin.trace)
        }
        fold(effect)
    }

    /// Folds an effect into the state, and shows it.
    ///
    /// - Parameter look: Gets the states before and after, before anybody else sees the change.
    @inlinable
    func fold(_ effect: Effect, _ look: (State, State) -> Void = { _, _ in }) {
        guard !isCancelled.isSet, let lentProgram else { return }
        isApplying = true
        defer { isApplying = false }
        lentProgram._withUnsafeGuaranteedRef { program in
            if program.isReduced { return reduce(effect, into: program, look) }
            if Self.isStateLarge { return foldWithFewCopies(effect, into: program, look) }
            let (next, isChange) = program.withState { state in
                let next = program.apply(effect, to: state)
                let isChange = next != state && !isCancelled.isSet
                look(state, next)
                return (next, isChange)
            }
            guard isChange else { return }
            program.state = next
            lentStates?._withUnsafeGuaranteedRef { $0.sendDriven(next) }
        }
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
    func run(_ effects: AnyPublisher<Effect, Never>, of event: Event) {
        let subscriber = EffectSubscriber(self, event, trace)
        guard remember(subscriber) else { return }
        liveEffects += 1
        let (isOver, isAwaited) = subscriber.subscribe(to: effects)
        guard isOver else { return }
        // Effects that another thread has sent meanwhile wait in the mailbox: its end comes after them.
        if isAwaited { post(.effectsEnded(subscriber)) } else { forget(subscriber) }
    }
}
