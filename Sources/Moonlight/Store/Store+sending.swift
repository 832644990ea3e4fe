import Streams
import Synchronization

// Sending an event, and waiting for its outcome.
extension Store {
    /// Sends an event.
    ///
    /// If the loop is idle and may run on the calling thread, the event is handled before this returns, together with its ready
    /// effects. Otherwise it is queued, and may be handled after this has returned. The loop may be busy even if no one else
    /// sends events: a body of `run` that sends an effect or ends, for example, enters it briefly on its own thread.
    ///
    /// It cannot be called where `await` is possible. There, `send` is the form that waits, and ``post(_:)`` is this one. At the
    /// top level of a `main.swift`, the compiler chooses this form even after `await`, and reports an error: see ``post(_:)``.
    ///
    /// - Parameter event: The event.
    /// - Returns: Success if the event was taken; otherwise the reason: the loop has ended or is being drained, or too many
    ///   events wait. To learn whether `transform` accepted the event, use the `async` form.
    @available(*, noasync, message: "at the top level of main.swift write send(event, until: .settled), or post(event)")
    @inlinable @discardableResult
    public func send(_ event: Event) -> Result<Void, SendError> {
        if !context.isRunning, let refusal = refusal(of: event) { return .failure(refusal) }
        return take(event, nil, false) ? .success(()) : .failure(reasonNotTaken(event))
    }

    /// Sends an event without waiting for its consequences. This is the synchronous `send`, for asynchronous code, in which
    /// `send` means the form that waits.
    ///
    /// If the loop is busy, even briefly, the event is handled after this has returned.
    ///
    /// - Parameter event: The event.
    /// - Returns: Success if the event was taken; otherwise the reason: the loop has ended or is being drained, or too many
    ///   events wait.
    @inlinable @discardableResult
    public func post(_ event: Event) -> Result<Void, SendError> { send(event) }

    /// Sends an event, and returns when it has reached a stage: by default, when it and everything that it caused has settled.
    ///
    /// ```swift
    /// switch await store.send(.bid(amount), until: .decided, within: .seconds(2)) {
    /// case .success: return 202                          // accepted; the payment continues
    /// case .failure(.rejected(let reason)): return 409
    /// …
    /// ```
    /// An event has settled when its effects have finished, and so have the events that feedback sent while they were applied,
    /// with their own effects. Observers have been notified by then. A `sink` that was formed on an actor runs there soon; one of
    /// the main actor runs before an `await` there returns. Events that feedback sends later, of its own accord, do not count. Do
    /// not await it from work for which the event itself waits: an effect that awaits its own event never settles.
    ///
    /// At any stage, this first waits for room if the inbox is bounded by ``InboxBound/suspend(_:)``. At the deadline, if there is
    /// one, the error is ``/LoopValues/SendError/timedOut(isTaken:)``: an event that was taken continues; one that still waited for
    /// room was not taken.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - stage: The stage to wait for.
    ///   - limit: The longest time to wait; nil for no limit.
    ///   - clock: The clock that measures the time.
    /// - Returns: Success if the event has reached the stage; otherwise the reason, for example that `transform` rejected it, or
    ///   that the task was cancelled, which ends the wait but not the event. If the loop is cancelled meanwhile, the error is
    ///   ``/LoopValues/SendError/interrupted(_:)`` if the event had been handled, and ``/LoopValues/SendError/ended`` if not.
    @inlinable @discardableResult
    public func send(
        _ event: Event, until stage: SendStage = .settled, within limit: Duration? = nil,
        on clock: some Clock<Duration> = ContinuousClock()
    ) async -> Result<Void, SendError> {
        if let limit { return await send(event, until: stage, within: limit, clock) }
        if stage != .taken, context.isRunning, let answer = handleAwaited(event, stage, { _ in }) {
            switch answer {
            case .success(nil): return .success(())
            case .success(let outcome?): return await context.wait(for: outcome)
            case .failure(let error): return .failure(error)
            }
        }
        return await send(event, until: stage, from: context.runningBody, reading: nil)
    }

    /// Sends an event, and reads the state when the event has been decided.
    ///
    /// Nothing else happens between the event and the reading: the reading is of the state that this event and its ready effects
    /// have led to. (``state`` after `await send` may also include later events.)
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - reading: Reads the state. Called inside the loop, at most once; if it blocks, the whole loop waits.
    /// - Returns: The result of `reading`.
    /// - Throws: A ``/LoopValues/SendError`` if there is no reading: the event was rejected or lost, the loop has ended, or the
    ///   task was cancelled.
    @inlinable
    public func send<Reading: Sendable>(
        _ event: Event, reading: @escaping @Sendable (State) -> Reading
    ) async throws(SendError) -> Reading {
        if context.isRunning {
            var result: Reading?
            if let answer = handleAwaited(event, .decided, { result = reading($0) }) {
                if case .failure(let error) = answer { throw error }
                guard let result else { throw .ended }
                return result
            }
        }
        // Not the store itself, which the event would retain.
        let (shown, context) = (shown, context)
        var result: Reading?
        // Sound: called inside an item of the loop, during which no other code can change the state, and before this continues.
        let read = UncheckedTransfer { result = reading(Self.state(from: shown, context)) }
        try await send(event, until: .decided, from: context.runningBody, reading: { read.value() }).get()
        guard let result else { throw .ended }
        return result
    }

    // MARK: The way to the loop

    /// Returns the reason why a loop that is not running refuses an event of the caller; nil if it accepts the event, because the
    /// event follows from the item being handled. Also notifies observers of refusals, if the loop is being drained.
    @usableFromInline
    func refusal(of event: Event) -> SendError? {
        if context.isOver { return .ended }
        guard context.isDraining, !loop.isHandledHere else { return nil }
        context.noteRefused(event, .draining)
        return .draining
    }

    /// Returns the reason why the loop has not taken an event of the caller.
    @usableFromInline
    func reasonNotTaken(_ event: Event) -> SendError { loop.isClosed ? refusal(of: event) ?? .ended : .overflow }

    /// Sends an event, and waits until it has reached a stage, or until the deadline.
    @usableFromInline
    func send(
        _ event: Event, until stage: SendStage, within limit: Duration, _ clock: some Clock<Duration>
    ) async -> Result<Void, SendError> {
        // Sound: awaited before this returns, so that only one task uses the event at a time.
        let send = UncheckedTransfer { [body = context.runningBody] in
            await self.send(event, until: stage, from: body, reading: nil)
        }
        return await withTaskGroup(of: Result<Void, SendError>?.self) { group in
            group.addTask { await send.value() }
            group.addTask {
                try? await clock.wait(until: clock.instant(after: limit), tolerance: nil)
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            if case .some(.some(let result)) = first { return result }
            // A cancelled wait reports whether the event was taken.
            guard case .some(.some(let result)) = await group.next() else { return .failure(.timedOut(isTaken: true)) }
            if case .failure(.cancelled(let isTaken)) = result, !Task.isCancelled { return .failure(.timedOut(isTaken: isTaken)) }
            return result
        }
    }

    /// Sends an event, and waits until it has reached a stage.
    ///
    /// - Parameters:
    ///   - body: The stream or job of this loop whose body is calling; nil if the caller is something else.
    ///   - read: Called inside the loop when the event has been accepted and its ready effects applied.
    @inlinable
    func send(
        _ event: Event, until stage: SendStage, from body: EffectOrigin?, reading read: (@Sendable () -> Void)?
    ) async -> Result<Void, SendError> {
        if let body { loop.beginAwaiting(in: body) }
        defer { if let body { context.endAwaiting(in: body) } }
        var hasRoom = false
        while true {
            if !context.isRunning, let refusal = refusal(of: event) {
                if hasRoom { loop.giveRoomBack() }
                return .failure(refusal)
            }
            // A new outcome for each attempt: if the event is not taken, the outcome of that attempt has ended.
            // A sender that waits only for the decision does not wait for the consequences of the event, and so is no awaiter.
            let awaiter = stage == .settled ? body : nil
            let outcome = Settlement.Outcome(endsWhenDecided: stage == .decided, awaiter: awaiter, read: read)
            if offer(event, hasRoom: hasRoom, outcome) {
                if stage == .taken { return .success(()) }
                if let result = outcome.result { return result }
                return await context.wait(for: outcome)
            }
            guard !loop.isClosed, let waitForRoom = loop.waitForRoom else { return .failure(reasonNotTaken(event)) }
            hasRoom = await waitForRoom()
            guard hasRoom else { return .failure(.cancelled(isTaken: false)) }
        }
    }

    /// Sends an event whose settlement reports to `outcome`. The settlement is not retained here.
    ///
    /// - Returns: Whether the event was taken.
    @inlinable
    func offer(_ event: Event, hasRoom: Bool, _ outcome: Settlement.Outcome) -> Bool {
        take(event, Settlement(of: context, outcome), hasRoom)
    }
}
