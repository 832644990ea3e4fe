import Streams
import Synchronization

// The path of an event: it is accepted, handled at once or from the mailbox, decided by `transform`, and answered. All of it is
// inlinable, so that it is specialized where the loop's types are known: an unspecialized step costs ten times as much.
extension Loop {
    /// Accepts an event of a feedback stream.
    ///
    /// A loop that is being drained accepts only events that follow from work in flight: immediate answers of feedback to a
    /// state, and events of reactions. It refuses other events, such as those of a timer.
    ///
    /// - Parameter isAnswer: Whether the event is known to follow from work in flight, even if another thread sends it.
    @inlinable
    func take(event: Event, isAnswer: Bool) {
        let isHandledHere = isHandledHere
        if context.isDraining, !isHandledHere, !isAnswer { return context.noteRefused(event, .draining) }
        if !take(event, from: isHandledHere ? .loop : .outside), mailbox.isClosed { context.noteRefused(event, .ended) }
    }

    /// Accepts an event: handles it now if the loop is idle and the caller is on its actor, and otherwise queues it.
    ///
    /// - Parameters:
    ///   - sender: The sender, which determines the room in the inbox.
    ///   - asker: The settlement that reports the outcome to a waiting sender.
    /// - Returns: Whether the event was accepted; if not, the inbox is full, or the loop has ended: see ``isClosed``.
    @inlinable
    func take(_ event: Event, from sender: InboxSender, awaitedBy asker: Settlement? = nil) -> Bool {
        var turn = isHandledHere ? outlivingTurn.follower : Turn(isFromOutside: true)
        if asker != nil || turn.context != nil || instruments != nil {
            turn.attach(asker: asker, note: hook?.noteOfCaller, context: context.captureContext())
        }
        var isTaken = true
        let isHandled = runIfIdle {
            // An event bypasses the inbox only if that is empty.
            if let instruments, let inbox = instruments.inbox, sender == .hasRoom || isHeldBack || instruments.beganWithMail {
                isTaken = offer(event, turn, to: inbox, from: sender)
            } else {
                isTaken = handle(event, turn)
            }
        }
        if isHandled { return isTaken }
        if let inbox = instruments?.inbox {
            isTaken = offer(event, turn, to: inbox, from: sender)
        } else {
            isTaken = post(event, turn)
        }
        return isTaken
    }

    /// Queues an event in the mailbox.
    ///
    /// - Returns: Whether the event was accepted; if not, the loop is ending by itself.
    @inlinable @discardableResult
    package func post(_ event: Event, _ turn: Turn) -> Bool {
        var turn = turn
        // A left-over event has the task-locals of the task that starts the loop.
        if turn.context == nil, !context.carrying.isEmpty { turn.attach(context.captureContext()) }
        beginWait(&turn)
        if postIfOpen(.event(event, turn)) { return true }
        endWait(turn)
        return false
    }

    /// Handles an event, and passes its turn on to its consequences.
    ///
    /// - Returns: Whether the loop has not ended.
    @inlinable @discardableResult
    package func handle(_ event: Event, _ turn: Turn) -> Bool {
        guard !context.isCancelled, program != nil else {
            turn.refuse(.ended)
            return false
        }
        if let context = turn.context { context.bind { decide(event, turn) } } else { decide(event, turn) }
        return true
    }

    /// Handles an event with its sender's task-locals bound: calls `transform`, and performs the effects that it returns.
    ///
    /// - Parameter decided: Called at the end of the turn, with the error that `transform` threw.
    @inlinable
    func decide(_ event: Event, _ turn: Turn, decided: ((any Error)?) -> Void = { _ in }) {
        var cause: Int?
        if let instruments {
            guard admits(event, turn, &cause, instruments) else { return }
        } else {
            turn.attachments?.askers.begin()
        }
        begin(Turn(cause: cause, attachments: turn.attachments))
        var rejection: (any Error)?
        if !context.isCancelled {
            instruments?.beginCall()
            do {
                let effects = try transform(event)
                if let instruments { self.turn.transformTime = instruments.endCall() }
                perform(effects, of: event)
            } catch {
                // Rejected: the state is unchanged, and the loop continues.
                reject(event, error, turn)
                rejection = error
            }
        }
        // Still in the event's own item, so that the state is read before another item can change it.
        if turn.attachments != nil || instruments != nil { answer(turn) }
        decided(rejection)
        endTurn()
        instruments?.endItem()
    }

    /// Asks the hook whether an event is handled, records it, and counts it.
    ///
    /// - Parameter cause: Set to the number of its record, if a journal is kept.
    @inlinable
    func admits(
        _ event: Event, _ turn: Turn, _ cause: inout Int?, _ instruments: LoopInstruments<State, Event, Effect>
    ) -> Bool {
        instruments.beginItem()
        let admission = hook?.begin(event, turn) ?? .admitted
        if case .kept = admission { return false }
        turn.attachments?.askers.begin()
        let waited = endWait(of: turn)
        guard case .admitted = admission else {
            turnAway(event, turn, admission)
            return false
        }
        // The turn has not begun yet, so events that the journal or `onRunaway` sends now count as coming from outside.
        cause = record(.event(event), cause: turn.cause, times: (waited, .none, .none), context: turn.context)
        if instruments.steps != nil { count(event, turn, cause, instruments) }
        return true
    }

    @inlinable
    func transform(_ event: Event) throws -> Effects<Effect> {
        guard let lentProgram else { return .none }
        return try lentProgram._withUnsafeGuaranteedRef { program in
            try withUnsafeMutablePointer(to: &program.state) { try program.decide($0, event, program.environment, true) }
        }
    }

    /// Reports that `transform` rejected an event.
    @inlinable
    func reject(_ event: Event, _ error: any Error, _ turn: Turn) {
        noteRejected(event, error)
        let times: RecordTimes = (.none, instruments?.endCall() ?? .none, .none)
        record(.rejected(event, error), cause: self.turn.cause, times: times)
        turn.refuse(.rejected(error))
    }

    /// Answers the sender of a decided event, unless the hook holds the answer back.
    @inlinable
    func answer(_ turn: Turn) {
        if let hook {
            endTurn(of: hook)
            if context.isCancelled || !hook.tells(.answer, turn) { return }
        }
        if !context.isCancelled { turn.askers.decide() }
    }

    /// Counts an event, and reports a loop that runs away.
    @inlinable
    func count(_ event: Event, _ turn: Turn, _ number: Int?, _ instruments: LoopInstruments<State, Event, Effect>) {
        if turn.isFromOutside { instruments.steps?.reset() }
        guard let report = instruments.steps?.count(event) else { return }
        record(.runaway(steps: report.steps, chain: report.chain), cause: number, context: turn.context)
        // The journal may have cancelled the loop.
        if !context.isCancelled { instruments.options.onRunaway?(report) }
        if instruments.options.cancelsRunaway { cancel() }
    }

    // MARK: A sender that waits

    /// Handles an event at once, if the loop is idle and has no options, and returns the outcome for which its sender must wait.
    /// If all effects of the event are ready, there is none, and nothing is allocated: a ``Settlement`` is created only when
    /// something outlives the turn, such as a stream of effects or another event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - stage: The stage that the sender waits for: ``/LoopValues/SendStage/decided`` or ``/LoopValues/SendStage/settled``.
    ///   - read: Called with the state once the event has been decided, unless it was rejected.
    /// - Returns: The outcome for which the sender must wait, nil for none; or nil if the event was not handled.
    @inlinable
    func handle(
        _ event: Event, awaitedUntil stage: SendStage, reading read: (State) -> Void
    ) -> Result<Settlement.Outcome?, SendError>? {
        guard instruments == nil, context.carrying.isEmpty else { return nil }
        var answer: Result<Settlement.Outcome?, SendError>?
        let isHandled = runIfIdle {
            guard !context.isCancelled, program != nil else {
                answer = .failure(.ended)
                return
            }
            awaitedStage = stage
            // Here and not in `makeSettlement()`, which the task of another body may call. A sender that waits only for the decision
            // does not wait for the consequences of the event, and so is no awaiter.
            if liveEffects > 0, stage == .settled { awaitingBody = context.runningBody }
            decide(event, Turn(isFromOutside: true)) { rejection in
                awaitedStage = nil
                if awaitingBody != nil { awaitingBody = nil }
                answer = self.answer(rejection, stage, read)
            }
        }
        return isHandled ? answer : nil
    }

    /// Answers a waiting sender, at the end of the turn of its event.
    @inlinable
    func answer(
        _ rejection: (any Error)?, _ stage: SendStage, _ read: (State) -> Void
    ) -> Result<Settlement.Outcome?, SendError> {
        if let outcome = turn.askers.first?.outcome {
            if let rejection { outcome.fail(.rejected(rejection)) }
            if stage == .settled { return .success(outcome) }
            if let failure = outcome.failure { return .failure(failure) }
        }
        if let rejection { return .failure(.rejected(rejection)) }
        if context.isCancelled { return .failure(.interrupted(.loopEnded)) }
        if let program { read(program.state) }
        return .success(nil)
    }

    /// The current turn, for a consequence that outlives it. If a sender waits for the event, it also waits for that consequence.
    @inlinable @inline(__always)
    var outlivingTurn: Turn {
        if awaitedStage != nil { makeSettlement() }
        return turn
    }

    /// Creates the settlement of the event that ``handle(_:awaitedUntil:reading:)`` handles.
    @usableFromInline
    func makeSettlement() {
        guard awaitedStage.take() != nil else { return }
        let settlement = Settlement(of: context, Settlement.Outcome(awaiter: awaitingBody))
        settlement.outcome.begin()
        turn.attach(asker: settlement, note: nil, context: nil)
    }

    // MARK: The turn

    /// Begins a turn: the cause of everything that this thread sends from here on.
    @inlinable @inline(__always)
    func begin(_ turn: Turn) {
        self.turn = turn
        turnThread.store(currentThread(), ordering: .relaxed)
    }

    @inlinable @inline(__always)
    func endTurn() {
        turnThread.store(0, ordering: .relaxed)
        turn = Turn()
    }

    /// True while the calling thread handles an event or an effect of this loop.
    @inlinable @inline(__always)
    package var isHandledHere: Bool { turnThread.load(ordering: .relaxed) == currentThread() }

    // MARK: Effects: performed while their event is handled, or later; `apply` folds each into the state

    /// Applies ready effects, and subscribes to streams.
    @inlinable
    func perform(_ effects: Effects<Effect>, of event: Event) {
        switch effects.storage {
        case .one(let effects): perform(effects, of: event)
        case .several(let streams): performEach(of: streams, of: event)
        }
    }

    /// Applies ready effects, or subscribes to a stream.
    ///
    /// - Parameters:
    ///   - effects: The effects.
    ///   - event: Their event.
    ///   - tied: A subscriber that is tied to the child of the effects, which are performed as long as the child exists.
    @inlinable
    func perform(_ effects: AnyPublisher<Effect, Never>, of event: Event, by tied: EffectSubscriber? = nil) {
        switch effects.storage {
        case .just(let effect): if tied?.isCancelled != true { apply(effect) }
        case .values(let values): for effect in values where tied?.isCancelled != true { apply(effect) }
        case .hidden:
            if tied?.isCancelled == true { return }
            return run(effects, by: tied ?? EffectSubscriber(self, event, outlivingTurn))
        }
        tied?.leaveScope()
    }

    /// Performs streams in order. If an effect of an earlier stream removes a child, the later streams of that child are skipped.
    @inlinable
    func performEach(of streams: [Effects<Effect>.Stream], of event: Event) {
        // All streams of children are tied to them before the first effect is applied. Only a single ready effect in first
        // place needs no tie: nothing can remove its child before it is applied.
        let subscribers = streams.enumerated().map { place, stream in
            stream.scope.isEmpty || place == 0 && stream.effects.isSingle
                ? nil : EffectSubscriber(self, event, outlivingTurn, in: stream.scope)
        }
        for (stream, subscriber) in zip(streams, subscribers) { perform(stream.effects, of: event, by: subscriber) }
    }

    /// Applies an effect from the mailbox, after its event was handled, in a separate turn.
    @inlinable
    func apply(_ effect: Effect, from origin: EffectOrigin) {
        instruments?.beginItem()
        let turn = origin.turn
        turn.bind {
            begin(Turn(cause: turn.cause, attachments: turn.attachments))
            self.turn.transformTime = turn.transformTime
            apply(effect)
            if let hook { endTurn(of: hook) }
            endTurn()
        }
        instruments?.endItem()
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
    func run(_ effects: AnyPublisher<Effect, Never>, by subscriber: EffectSubscriber) {
        guard let number = remember(subscriber) else { return }
        subscriber.number = number
        liveEffects += 1
        context.counters?.liveEffects.store(liveEffects, ordering: .relaxed)
        if let hook { return run(effects, by: subscriber, under: hook) }
        subscriber.subscribe(to: effects)
    }

    // MARK: The state, which a reducer changes in place. Where possible, it is neither copied nor compared as a whole.

    /// Folds an effect into the state, and sends the new state to observers.
    ///
    /// In this order: streams of removed children are ended, the journal is written, events that follow are queued, and
    /// observers are notified.
    @inlinable
    func reduce(_ effect: Effect, into program: Program) {
        let hasScopes = scopes != nil
        if hasScopes {
            program.folding.node = scopes?.liveRoot
            program.folding.isAnyChildLive = program.folding.node != nil
        }
        let change: Change
        do {
            if let instruments {
                if instruments.isOpen {
                    instruments.before = program.state
                    instruments.beginCall()
                }
                try hook?.prepare(effect)
            }
            change = try withUnsafeMutablePointer(to: &program.state) {
                try program.foldInPlace($0, effect, &program.folding)
            }
        } catch { return refuse(effect, error) }
        let time = instruments?.endCall() ?? .none
        if hasScopes { scopes?.endStreamsOfDeparted() }
        if let instruments {
            // The record is the cause of events that observers of the state send.
            if let before = instruments.before.take() {
                let times: RecordTimes = (.none, turn.transformTime, time)
                turn.cause = record(.effect(effect, before: before, after: program.state), cause: turn.cause, times: times)
            }
            hook?.applied(followUps: program.folding.events?.count ?? 0)
        }
        if program.folding.events != nil { follow(program.folding.takeEvents()) }
        // If the state may be unchanged, one part of the reducer may have undone the change of another.
        if change != .certain, change != .possible || newestState == program.state { return }
        if context.isCancelled { return }
        if let hook, !hook.tells(.state(program.state), turn.follower) { return }
        if Reducer<State, Event, Effect, Environment>.isStateLarge { return showWithFewCopies(&program.state) }
        lentStates?._withUnsafeGuaranteedRef { $0.send(program.state) }
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

    /// Records that `apply` or the hook rejected an effect, and fails the waiting sender of its event, but not those of
    /// the events that have led to it. The state is unchanged, and no child was removed.
    @usableFromInline
    func refuse(_ effect: Effect, _ error: any Error) {
        instruments?.before = nil
        scopes?.forgetDepartures()
        let times: RecordTimes = (.none, turn.transformTime, instruments?.endCall() ?? .none)
        record(.effectRejected(effect, error), cause: turn.cause, times: times)
        hook?.rejected(error)
        outlivingTurn.askers.fail(.rejected(error))
    }
}
