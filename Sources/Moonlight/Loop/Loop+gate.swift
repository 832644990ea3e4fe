import Streams

// A loop with an `OutputGate`: what it tells may have to wait.
extension Loop {
    /// Connects the loop with its gate.
    @usableFromInline
    func connectGate() {
        keepTraces()
        // A retain cycle until the loop ends. Every loop ends.
        gate?.log.setLoop(self)
    }

    @usableFromInline
    package func wake() { post(.gate, forHeir: true) }

    /// Queues the events that were left over from before, ahead of all others. The caller is the owner.
    @inlinable
    func queueLeftOver() {
        gate?.log.open { event, isFollowUp, errand in
            var trace = Trace(isFromOutside: true)
            (trace.isFollowUp, trace.errand) = (isFollowUp, errand)
            trace.context = instruments?.captureContext()
            beginWait(&trace)
            post(.tracedEvent(event, trace))
        }
    }

    /// Notes that the effect was applied for which the log was prepared.
    @usableFromInline
    func noteApplied(followUps: Int) { gate?.log.noteApplied(followUps: followUps) }

    /// The last state that was shown or is to be.
    @usableFromInline
    var newestState: State? { gate?.held?.newest ?? states?.last }

    /// Holds back the present state, if it has to be.
    ///
    /// - Returns: Whether it is held back.
    @usableFromInline
    func holdsState() -> Bool {
        guard let gate, !gate.isOpen, let program else { return false }
        hold(.state(program.state), trace, in: gate)
        return true
    }

    /// Holds something back. While anything is held, the loop neither ends by itself nor is it quiet.
    private func hold(_ what: HeldOutput<State, Event>.Entry.What, _ trace: Trace, in gate: OutputGate<State, Event, Effect>) {
        if gate.held == nil { openEventStreams += 1 }
        let held = gate.held ?? HeldOutput(context)
        gate.held = held
        gate.hold(what, trace, in: held)
    }

    /// Tells a refusal, now or when it may be told.
    @usableFromInline
    func tellRejected(_ event: Event, _ error: any Error) {
        guard let gate else { return context.tellRefused(event, .rejected(error)) }
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
        do {
            subscriber.work = try gate.log.noteStream(of: subscriber.event, job: effects.jobID?.located(at: subscriber.path))
        } catch { return refuse(subscriber, error) }
        if gate.isOpen { return begin(effects, by: subscriber, gate) }
        let stream = UncheckedTransfer(effects)
        // The stream keeps the trace by itself.
        hold(
            .call { [unowned self] in
                gate.held?.streams -= 1
                begin(stream.value, by: subscriber, gate)
            }, Trace(settlement: trace.settlement),
            in: gate)
        gate.held?.streams += 1
    }

    /// Refuses a stream whose event the log cannot have: after a crash, nobody could take it up again.
    private func refuse(_ subscriber: EffectSubscriber<State, Event, Effect, Environment>, _ error: any Error) {
        record(.rejected(subscriber.event, error), cause: trace.cause)
        subscriber.ownTrace.settlement?.fail(.rejected(error))
        tellRejected(subscriber.event, error)
        forget(subscriber)
    }

    private func begin(
        _ effects: AnyPublisher<Effect, Never>, by subscriber: EffectSubscriber<State, Event, Effect, Environment>,
        _ gate: OutputGate<State, Event, Effect>
    ) {
        // Its child may have been removed meanwhile.
        if subscriber.isCancelled { return forget(subscriber) }
        guard let work = subscriber.work else { return subscribe(subscriber, to: effects) }
        gate.log.begin(work) { local in
            if let local {
                subscriber.ownTrace.context = CarriedContext(subscriber.ownTrace.context, with: local)
            }
            subscribe(subscriber, to: effects)
        }
    }

    /// Tells what has been released meanwhile.
    @usableFromInline
    func openGate() {
        guard let gate, program != nil else { return }
        instruments?.beginItem()
        gate.failHeld()
        endTurn(gate)
        while !cancellation.isCancelled, let next = gate.next() {
            switch next.what {
            case .state(let state): next.trace.bind { show(state, next.trace) }
            case .call(let call): next.trace.bind { tell(next.trace, call) }
            }
        }
        goOnWithPostponed(gate)
        endIfFailed()
        instruments?.endItem()
    }

    /// Has an event wait, if a stream of an event before it is held back.
    ///
    /// - Returns: Whether it waits.
    @usableFromInline
    func postpones(_ event: Event, _ trace: Trace) -> Bool {
        guard let gate, let held = gate.held, gate.isHoldingStreams || held.hasPostponed(before: trace) else { return false }
        held.postpone(event, trace)
        return true
    }

    /// Handles the first event that waits for streams.
    @usableFromInline
    func takePostponed() {
        guard let gate, let held = gate.held else { return }
        held.isMarked = false
        if !gate.isHoldingStreams, let next = held.popPostponed() { handleInTurn(next.event, next.trace) }
        goOnWithPostponed(gate)
        endIfFailed()
    }

    /// Has the next event handled that waits for streams, if none is held any more. One at a time, since an event may start a stream;
    /// and after what is in the mailbox, since that follows from the event before it.
    private func goOnWithPostponed(_ gate: OutputGate<State, Event, Effect>) {
        guard !cancellation.isCancelled, let held = gate.held, !gate.isHoldingStreams else { return }
        if held.hasPostponed {
            if !held.isMarked { post(.postponed) }
            held.isMarked = true
        } else if held.entries.isEmpty {
            gate.held = nil
            openEventStreams -= 1
        }
        // Let go of last, because that looks whether anything is in flight.
        withExtendedLifetime(held) {}
        releaseMark()
    }

    /// Ends a loop that is being drained if its log has failed, and nothing is left but what cannot be told any more.
    @usableFromInline
    func endIfFailed() {
        guard cancellation.isDraining, let gate, gate.log.failureOfProgress != nil else { return }
        if liveEffects == heldStreams, gate.held?.hasPostponed != true { cancel() }
    }

    /// How many streams are held back.
    @usableFromInline
    var heldStreams: Int { gate?.held?.streams ?? 0 }

    private func show(_ state: State, _ trace: Trace) {
        let before = beginTrace(Trace(cause: trace.cause, settlement: trace.settlement, context: trace.context))
        inTransit { states?.send(state) }
        endTrace(before)
    }

    private func tell(_ trace: Trace, _ call: () -> Void) {
        let before = beginTrace(Trace(cause: trace.cause, settlement: trace.settlement, context: trace.context))
        call()
        if let gate { endTurn(gate) }
        endTrace(before)
        if !cancellation.isCancelled { trace.asker?.decide() }
    }
}
