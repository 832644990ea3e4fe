import Streams

// A loop with an `OutputGate`: what it tells may have to wait.
extension Loop {
    /// Connects the loop with its gate, if it has one.
    @usableFromInline
    func connectGate() {
        guard let gate = instruments?.gate else { return }
        // A retain cycle until the loop ends. Every loop ends.
        gate.progress.setWake { [self] in post(.gate, forHeir: true) }
    }

    /// Queues the events that were left over from before, ahead of all others. The caller is the owner.
    @inlinable
    func queueLeftOver() {
        instruments?.gate?.log.open { event, isFollowUp, errand in
            var trace = Trace(isFromOutside: true)
            (trace.isFollowUp, trace.errand) = (isFollowUp, errand)
            trace.context = instruments?.captureContext()
            beginWait(&trace)
            post(.tracedEvent(event, trace))
        }
    }

    /// Holds back the present state.
    @usableFromInline
    func holdState(in gate: OutputGate<State, Event, Effect>) {
        if let program { hold(.state(program.state), trace, in: gate) }
    }

    /// Holds something back. While anything is held, the loop neither ends by itself nor is it quiet.
    private func hold(
        _ what: OutputGate<State, Event, Effect>.Held.What, _ trace: Trace, in gate: OutputGate<State, Event, Effect>
    ) {
        if gate.transit == nil {
            gate.transit = Transit(context)
            openEventStreams += 1
        }
        gate.hold(what, trace)
    }

    /// Tells a refusal, now or when it may be told.
    @usableFromInline
    func tellRejected(_ event: Event, _ error: any Error) {
        guard let gate = instruments?.gate else { return context.tellRefused(event, .rejected(error)) }
        gate.log.noteRejection(error)
        if gate.isOpen { return context.tellRefused(event, .rejected(error)) }
        let event = UncheckedTransfer(event)
        hold(.call { [context] in context.tellRefused(event.value, .rejected(error)) }, Trace(), in: gate)
    }

    /// Answers an event that is not handled.
    @usableFromInline
    func turnAway(
        _ event: Event, _ trace: Trace, _ admission: TurnAdmission,
        by gate: OutputGate<State, Event, Effect>
    ) {
        switch admission {
        case .admitted: return
        case .refused(let error):
            trace.refuse(error)
            context.tellRefused(event, error)
            trace.asker?.decide()
        case .repeated(let error):
            if let error { trace.refuse(error) }
            endTurn(gate)
            answer(trace, gate)
        }
        instruments?.endItem()
    }

    @usableFromInline
    func endTurn(_ gate: OutputGate<State, Event, Effect>) {
        guard let program else { return }
        withUnsafePointer(to: &program.state) { gate.log.endTurn($0) }
    }

    /// Answers the sender of an event, now or when it may be told.
    @usableFromInline
    func answer(_ trace: Trace, _ gate: OutputGate<State, Event, Effect>) {
        if cancellation.isCancelled { return }
        if gate.isOpen { return trace.asker?.decide() ?? () }
        guard trace.settlement != nil else { return }
        hold(.call {}, trace, in: gate)
    }

    /// Subscribes to a stream of effects, now or when the loop may act on what it has seen.
    @usableFromInline
    func run(
        _ effects: AnyPublisher<Effect, Never>, by subscriber: EffectSubscriber<State, Event, Effect, Environment>,
        through gate: OutputGate<State, Event, Effect>
    ) {
        let work = gate.log.noteStream(of: subscriber.event, job: effects.jobID?.located(at: subscriber.path))
        if let work { gate.streams[ObjectIdentifier(subscriber)] = work }
        if gate.isOpen { return begin(effects, by: subscriber, work, gate) }
        let stream = UncheckedTransfer(effects)
        gate.heldStreams += 1
        // The stream keeps the trace by itself.
        hold(
            .call { [unowned self] in
                gate.heldStreams -= 1
                begin(stream.value, by: subscriber, work, gate)
            }, Trace(settlement: trace.settlement),
            in: gate)
    }

    private func begin(
        _ effects: AnyPublisher<Effect, Never>, by subscriber: EffectSubscriber<State, Event, Effect, Environment>,
        _ work: UInt64?, _ gate: OutputGate<State, Event, Effect>
    ) {
        // Its child may have been removed meanwhile.
        if subscriber.isCancelled { return forget(subscriber) }
        guard let work else { return subscribe(subscriber, to: effects) }
        gate.log.begin(work) { local in
            if let local {
                // For a job that has to wait, and is begun elsewhere.
                subscriber.ownTrace.context = CarriedContext((instruments?.carrying ?? []) + [local])
            }
            subscribe(subscriber, to: effects)
        }
    }

    /// Tells what has been released meanwhile.
    @usableFromInline
    func openGate() {
        guard let gate = instruments?.gate, program != nil else { return }
        instruments?.beginItem()
        gate.failHeld()
        endTurn(gate)
        while !cancellation.isCancelled, let next = gate.next() {
            switch next.what {
            case .state(let state): next.trace.bind { show(state, next.trace) }
            case .call(let call): next.trace.bind { tell(next.trace, call) }
            }
        }
        if gate.held.isEmpty, let transit = gate.transit {
            gate.transit = nil
            openEventStreams -= 1
            withExtendedLifetime(transit) {}
        }
        endIfFailed()
        instruments?.endItem()
    }

    /// Ends a loop that is being drained if its log has failed, and nothing is left but what cannot be told any more.
    @usableFromInline
    func endIfFailed() {
        guard cancellation.isDraining, let gate = instruments?.gate, gate.progress.failure != nil else { return }
        if liveEffects == gate.heldStreams { cancel() }
    }

    private func show(_ state: State, _ trace: Trace) {
        let before = beginTrace(Trace(cause: trace.cause, settlement: trace.settlement, context: trace.context))
        inTransit { states?.send(state) }
        endTrace(before)
    }

    private func tell(_ trace: Trace, _ call: () -> Void) {
        let before = beginTrace(Trace(cause: trace.cause, settlement: trace.settlement, context: trace.context))
        call()
        if let gate = instruments?.gate { endTurn(gate) }
        endTrace(before)
        if !cancellation.isCancelled { trace.asker?.decide() }
    }
}
