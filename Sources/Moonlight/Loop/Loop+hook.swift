import Streams

// A loop with a hook, whose output may be held back.
extension Loop {
    @usableFromInline package var isCancelled: Bool { context.isCancelled }

    @usableFromInline
    package func wake() { post(.work { $0.goOn(isInTurn: false) }, forHandover: true) }

    @usableFromInline
    package func wakeInTurn() { post(.work { $0.goOn(isInTurn: true) }) }

    @usableFromInline
    package func note(isKeeping: Bool) {
        openEventStreams += isKeeping ? 1 : -1
        context.transits.wrappingAdd(isKeeping ? 1 : -1, ordering: .acquiringAndReleasing)
    }

    /// Lets the hook publish its output, and checks for changes.
    func goOn(isInTurn: Bool) {
        guard let hook, program != nil else { return }
        if !isInTurn {
            instruments?.beginItem()
            endTurn(of: hook)
        }
        hook.goOn(isInTurn: isInTurn)
        releaseMark()
        if !isInTurn { instruments?.endItem() }
    }

    /// Publishes an output that the hook has held back, in a separate turn.
    @usableFromInline
    package func tell(_ output: LoopOutput<State>, _ turn: Turn) {
        turn.bind {
            begin(Turn(cause: turn.cause, attachments: turn.attachments))
            switch output {
            case .state(let state): inTransit { states?.send(state) }
            case .answer: break
            case .refusal(let publish), .stream(let publish): publish()
            }
            if case .state = output {} else if let hook { endTurn(of: hook) }
            endTurn()
            if !context.isCancelled { turn.askers.decide() }
        }
    }

    @usableFromInline
    func endTurn(of hook: any LoopHook<State, Event, Effect>) {
        guard let program else { return }
        withUnsafePointer(to: &program.state) { hook.endTurn($0) }
    }

    /// Answers an event that the hook does not admit.
    @usableFromInline
    func turnAway(_ event: Event, _ turn: Turn, _ admission: TurnAdmission) {
        switch admission {
        case .admitted, .kept: return
        case .refused(let error):
            turn.refuse(error)
            context.noteRefused(event, error)
            turn.askers.decide()
        case .repeated(let error):
            if let error { turn.refuse(error) }
            if let hook, !context.isCancelled, hook.tells(.answer, turn) { turn.askers.decide() }
        }
        instruments?.endItem()
    }

    /// Reports a refusal, now or when the hook permits it.
    @usableFromInline
    func noteRejected(_ event: Event, _ error: any Error) {
        if let hook {
            hook.rejected(error)
            let refused = UncheckedTransfer(event)
            let report = { [context] in context.noteRefused(refused.value, .rejected(error)) }
            guard hook.tells(.refusal(report), Turn()) else { return }
        }
        context.noteRefused(event, .rejected(error))
    }

    /// Subscribes to a stream of effects, now or when the hook permits it.
    @usableFromInline
    func run(
        _ effects: AnyPublisher<Effect, Never>, by subscriber: EffectSubscriber, under hook: any LoopHook<State, Event, Effect>
    ) {
        do {
            subscriber.work = try hook.willSubscribe(to: effects.jobID?.located(at: subscriber.path), of: subscriber.event)
        } catch { return refuse(subscriber, error) }
        let stream = UncheckedTransfer(effects)
        let begin = { [unowned self] in
            // Its child may have been removed meanwhile.
            if subscriber.isCancelled { return forget(subscriber) }
            guard let work = subscriber.work else { return subscriber.subscribe(to: stream.value) }
            hook.subscribe(work) { local in
                if let local { subscriber.ownTurn.attach(CarriedContext(subscriber.ownTurn.context, with: local)) }
                subscriber.subscribe(to: stream.value)
            }
        }
        // The stream itself retains the rest of its turn.
        if hook.tells(.stream(begin), Turn(attachments: turn.attachments).follower) { begin() }
    }

    /// Refuses a stream whose event the hook cannot record: after a crash, the stream could not be resumed.
    private func refuse(_ subscriber: EffectSubscriber, _ error: any Error) {
        record(.rejected(subscriber.event, error), cause: turn.cause)
        subscriber.ownTurn.askers.fail(.rejected(error))
        noteRejected(subscriber.event, error)
        forget(subscriber)
    }
}
