import Moonlight
import Streams

// Events with idempotency keys.
extension Store where State: Sendable, Event: Sendable {
    /// Sends an event that is handled once, however often it is sent with that key.
    ///
    /// ```swift
    /// let result = await orders.send(.place(order), key: request.idempotencyKey)
    /// ```
    /// The key is in the log together with the event's ready effects, so that a crash changes nothing. An event with a known key
    /// is answered as the first one was, once that answer is durable: with success, or with ``RepeatedRejection``. ``Durable``
    /// determines the remembered keys, by default the latest 10,000. The store must be durable.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - key: The idempotency key, chosen by the sender.
    ///   - stage: The stage to wait for. A repeated event only waits for the decision.
    /// - Returns: Success if the event, or the earlier one with that key, has reached the stage; otherwise the reason.
    @discardableResult
    public func send(_ event: Event, key: String, until stage: SendStage = .settled) async -> Result<Void, SendError> {
        await send(event, by: KeyedRequest<State>(key: key, read: nil), until: stage)
    }

    /// Sends an event that is handled once, and reads the state after it.
    ///
    /// ```swift
    /// let ticket = try await store.send(.take, key: request.idempotencyKey) { $0.nextTicket }
    /// ```
    /// The reading is in the log, too: a repeated event receives the same.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - key: The idempotency key, chosen by the sender.
    ///   - reading: Reads the state. Called inside the loop, at most once.
    /// - Returns: The reading when the event was first handled.
    /// - Throws: The reason why there is no reading. A reading that cannot be written leaves the event handled, and throws
    ///   `SendError.notDurable(_:isTaken:)` with ``DurabilityError/unwritable(_:)``.
    public func send<Reading: Codable & Sendable>(
        _ event: Event, key: String, reading: @escaping @Sendable (State) -> Reading
    ) async throws(SendError) -> Reading {
        let codec = Codec<Reading>.json
        let request = KeyedRequest<State>(key: key) { try codec.encode(reading($0)) }
        try await send(event, by: request, until: .decided).get()
        do { return try codec.decode(request.reading) } catch { throw .notDurable(error, isTaken: true) }
    }

    private func send(
        _ event: Event, by request: KeyedRequest<State>, until stage: SendStage
    ) async -> Result<Void, SendError> {
        precondition(durability != nil, "only a durable store remembers keys; create the store with `durable:`")
        // Sound: awaited before this returns, so that only one task uses the event at a time.
        let send = UncheckedTransfer { await self.send(event, until: stage) }
        return await DurabilityContext.$request.withValue(request) { await send.value() }
    }
}
