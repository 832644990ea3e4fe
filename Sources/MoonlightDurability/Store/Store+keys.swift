import Moonlight
import Streams

// Senders that may send the same event again.
extension Store where State: Sendable, Event: Sendable {
    /// Sends an event that is taken once, however often it is sent with that key.
    ///
    /// ```swift
    /// let result = await orders.send(.place(order), key: request.idempotencyKey)
    /// ```
    /// The key is in the log together with the event's ready effects, so that this also holds over a crash. An event with a key that was
    /// taken before is not handled; it is answered as the first one was, when that answer is durable: success, or ``RepeatedRejection``
    /// with the reason for which `transform` rejected it. Keys are remembered as ``Durable`` says, 10,000 of them by default. The store
    /// must be durable.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - key: The key, chosen by the sender.
    ///   - stage: The stage to wait for. A repeated event waits for the decision alone.
    /// - Returns: Success if the event, or the one with that key before it, has reached the stage; otherwise the reason.
    @discardableResult
    public func send(_ event: Event, key: String, until stage: SendStage = .settled) async -> Result<Void, SendError> {
        await send(event, by: KeyedErrand<State>(key: key, read: nil), until: stage)
    }

    /// Sends an event that is taken once, and reads the state as it is when the event has been decided.
    ///
    /// ```swift
    /// let ticket = try await store.send(.take, key: request.idempotencyKey) { $0.nextTicket }
    /// ```
    /// What is read is in the log, too: an event that is sent again receives the same.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - key: The key, chosen by the sender.
    ///   - reading: Reads the state. Called inside the loop, at most once.
    /// - Returns: What was read when the event was taken first.
    /// - Throws: The reason why there is no reading.
    public func send<Reading: Codable & Sendable>(
        _ event: Event, key: String, reading: @escaping @Sendable (State) -> Reading
    ) async throws(SendError) -> Reading {
        let codec = Codec<Reading>.json
        let errand = KeyedErrand<State>(key: key) { try codec.encode(reading($0)) }
        try await send(event, by: errand, until: .decided).get()
        do {
            guard let answer = try errand.answer?.get() else { throw DurabilityError.closed }
            return try codec.decode(answer.reading)
        } catch { throw .notDurable(error, isTaken: true) }
    }

    private func send(
        _ event: Event, by errand: KeyedErrand<State>, until stage: SendStage
    ) async -> Result<Void, SendError> {
        precondition(durability != nil, "only a durable store remembers keys: create it with `durable:`")
        // Sound: awaited before this returns, so that nobody else has the event at the same time.
        let send = UncheckedTransfer { await self.send(event, until: stage) }
        return await DurabilityContext.$errand.withValue(errand) { await send.value() }
    }
}
