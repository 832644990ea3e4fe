import Moonlight
import Streams

/// Many stores of one kind, each known by an id: rooms, orders, connections. Most of them are asleep.
///
/// ```swift
/// let rooms = Fleet(
///     reducer: room, environment: { _ in world }, durable: .folder("rooms", schema: Schema(RoomEffect.self)), idle: .seconds(120),
///     initialState: { (id: RoomID) in Room(id) })
///
/// try await rooms.send(.join(user), to: id)        // wakes the room, or creates it
/// for await state in rooms.states(of: id) { … }
/// await rooms.drain(within: .seconds(30))
/// ```
/// A member is a loop with the guarantees of a durable ``Moonlight/Store``. One that has not been used for a while falls asleep: only its
/// log on the disk remains, from which the next event wakes it. Its senders do not notice.
///
/// A fleet can be used from any thread. Releasing the last reference to it cancels its members; ``drain(within:on:)`` loses nothing.
public final class Fleet<ID: LosslessStringConvertible & Sendable, State: Equatable & Sendable, Event: Sendable>: Sendable {
    let core: FleetCore<State, Event>
    let storage: (any FleetBackend)?

    init(_ core: FleetCore<State, Event>, storage: (any FleetBackend)?) {
        self.core = core
        self.storage = storage
    }

    deinit { core.cancel() }

    /// Returns the text of an id.
    func text(_ id: ID) throws(FleetError) -> String {
        let text = id.description
        guard text.utf8.count <= 1024 else { throw .invalidID(text) }
        return text
    }

    // MARK: Sending

    /// Sends an event to a member, and waits until it has reached a stage. The member is woken if it is asleep, and created if it does not
    /// exist.
    ///
    /// ```swift
    /// try await rooms.send(.join(user), to: id, until: .decided, within: .seconds(2))
    /// ```
    /// At the deadline, the error is `SendError.timedOut(isTaken:)`. An event that was taken continues, and may still be decided and
    /// written. An event was not taken if its member was still being woken, or if it waited for room.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - id: The member.
    ///   - stage: The stage to wait for. Success means that its cause is in the log, to the degree of ``DurableFleet``.
    ///   - limit: The longest time to wait; nil for no limit.
    ///   - clock: The clock that measures the time.
    /// - Throws: The reason why the event was not taken, was rejected, or did not reach the stage.
    public func send(
        _ event: Event, to id: ID, until stage: SendStage = .settled, within limit: Duration? = nil,
        on clock: some Clock<Duration> = ContinuousClock()
    ) async throws(FleetError) {
        try await core.send(to: text(id), within: limit, on: clock) { await $0.send(event, until: stage) }
    }

    /// Sends an event to a member, and reads its state after the event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - id: The member.
    ///   - limit: The longest time to wait; nil for no limit. An event that was taken by then continues.
    ///   - clock: The clock that measures the time.
    ///   - reading: Reads the state. Called inside the loop, at most once.
    /// - Returns: The reading.
    /// - Throws: The reason why there is no reading.
    public func send<Reading: Sendable>(
        _ event: Event, to id: ID, within limit: Duration? = nil, on clock: some Clock<Duration> = ContinuousClock(),
        reading: @escaping @Sendable (State) -> Reading
    ) async throws(FleetError) -> Reading {
        let box = Lock<Reading?>(nil)
        let text = try text(id)
        try await core.send(to: text, within: limit, on: clock) { store in
            do throws(SendError) {
                let value = try await store.send(event, reading: reading)
                discard(box.withLock { $0.replace(with: value) })
                return .success(())
            } catch { return .failure(error) }
        }
        guard let value = box.withLock({ $0 }) else { throw .send(id: text, .ended) }
        return value
    }

    /// Sends an event that is handled once, however often it is sent to that member with that key: see `Store.send(_:key:until:)`. The
    /// fleet must be durable.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - id: The member, which remembers the key.
    ///   - key: The idempotency key, chosen by the sender.
    ///   - stage: The stage to wait for. A repeated event only waits for the decision.
    ///   - limit: The longest time to wait; nil for no limit. An event that was taken by then continues. To learn its outcome, send it
    ///     again with the same key.
    ///   - clock: The clock that measures the time.
    /// - Throws: The reason why the event, or the earlier one with that key, was not taken, was rejected, or did not reach the stage.
    public func send(
        _ event: Event, to id: ID, key: String, until stage: SendStage = .settled, within limit: Duration? = nil,
        on clock: some Clock<Duration> = ContinuousClock()
    ) async throws(FleetError) {
        precondition(storage != nil, "only a durable fleet remembers keys; create the fleet with `durable:`")
        try await core.send(to: text(id), within: limit, on: clock) { store in
            await DurabilityContext.$request.withValue(KeyedRequest<State>(key: key, read: nil)) {
                await store.send(event, until: stage)
            }
        }
    }

    /// Sends an event that is handled once, and reads the state after it. The fleet must be durable.
    ///
    /// ```swift
    /// let ticket = try await rooms.send(.take, to: id, key: request.idempotencyKey) { $0.nextTicket }
    /// ```
    /// The reading is in the log of the member, too: a repeated event receives the same.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - id: The member, which remembers the key.
    ///   - key: The idempotency key, chosen by the sender.
    ///   - limit: The longest time to wait; nil for no limit. An event that was taken by then continues.
    ///   - clock: The clock that measures the time.
    ///   - reading: Reads the state. Called inside the loop, at most once.
    /// - Returns: The reading when the event was first handled.
    /// - Throws: The reason why there is no reading. A reading that cannot be written leaves the event handled, and throws
    ///   `SendError.notDurable(_:isTaken:)` with ``DurabilityError/unwritable(_:)``.
    public func send<Reading: Codable & Sendable>(
        _ event: Event, to id: ID, key: String, within limit: Duration? = nil,
        on clock: some Clock<Duration> = ContinuousClock(), reading: @escaping @Sendable (State) -> Reading
    ) async throws(FleetError) -> Reading {
        precondition(storage != nil, "only a durable fleet remembers keys; create the fleet with `durable:`")
        let codec = Codec<Reading>.json
        let box = Lock<KeyedRequest<State>?>(nil)
        let text = try text(id)
        try await core.send(to: text, within: limit, on: clock) { store in
            // A new one for each attempt, since a request counts for one event.
            let request = KeyedRequest<State>(key: key) { try codec.encode(reading($0)) }
            let result = await DurabilityContext.$request.withValue(request) { await store.send(event, until: .decided) }
            discard(box.withLock { $0.replace(with: request) })
            return result
        }
        do {
            guard let request = box.withLock({ $0 }) else { throw DurabilityError.closed }
            return try codec.decode(request.reading)
        } catch { throw .send(id: text, .notDurable(error, isTaken: true)) }
    }

    // MARK: Reading

    /// Returns the state of a member, which is woken if it is asleep.
    ///
    /// - Throws: The reason why it cannot be woken.
    public func state(of id: ID) async throws(FleetError) -> State {
        switch await core.enter(try text(id)) {
        case .refused(let error): throw error
        case .use(let resident, let place):
            defer { core.leave(place) }
            return resident.store.state
        }
    }

    /// Returns the states of a member: the current one first, for which it is woken, and then each change. Slow consumers skip to the newest.
    ///
    /// - Parameters:
    ///   - id: The member.
    ///   - keepsAwake: True if it stays awake during the iteration. If not, the states continue when it is woken the next time.
    /// - Returns: The states. They end with the fleet, or if the member cannot be woken.
    public func states(of id: ID, keepsAwake: Bool = false) -> AsyncStream<State> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let watcher = FleetWatcher<State>(continuation)
            guard let text = try? text(id) else { return watcher.finish() }
            let core = core
            core.add(watcher, of: text)
            continuation.onTermination = { _ in
                core.remove(watcher, of: text)
                if let kept = watcher.takeKept() { core.leave(kept) }
                watcher.finish()
            }
            Task {
                var isCurrent = false
                while !isCurrent {
                    guard case .use(let resident, let place) = await core.enter(text) else { return watcher.finish() }
                    watcher.attach(resident.store, place)
                    // If its log has failed meanwhile, this store may have replaced a newer one.
                    isCurrent = core.isCurrent(place)
                    if !isCurrent || !keepsAwake || !watcher.keep(place) { core.leave(place) }
                }
            }
        }
    }

    // MARK: Removal

    /// Removes a member: its state, records, idempotency keys, alarm and work.
    ///
    /// ```swift
    /// try await rooms.remove(id)
    /// ```
    /// A member that is awake is cancelled with its work in flight. The removal is durable when this returns: the member is not listed, and
    /// the next event begins with the initial state. Events that are sent meanwhile wait. A member whose log cannot be read is removed,
    /// too. Does nothing if the member does not exist.
    ///
    /// Cancelling the task does not cancel the removal. After a crash meanwhile, the member is removed or not.
    ///
    /// A ``FleetFolder`` never reads the member's records again; the next cleaning of their segments deletes the bytes.
    ///
    /// - Parameter id: The member.
    /// - Throws: The reason why it was not removed. It can be tried again. If not, the member is woken after ten seconds, to continue its
    ///   work.
    public func remove(_ id: ID) async throws(FleetError) { try await core.remove(text(id)) }

    // MARK: The end

    /// Ends the fleet once nothing is in flight, and closes its storage.
    ///
    /// New senders are refused with `SendError.draining`. Events on their way are handled, each member finishes its work in flight, and
    /// everything is written. Cancelling the task is the deadline. In any case, this returns when the storage is closed.
    ///
    /// Writes that fail meanwhile are counted: see ``FleetCounters/failures`` and ``FleetCounters/syncFailures``.
    ///
    /// - Parameters:
    ///   - limit: The longest time to wait for work in flight; nil for no limit.
    ///   - clock: The clock that measures the time.
    /// - Returns: The work that was in flight at the deadline and was cancelled; empty if all work had ended.
    @discardableResult
    public func drain(within limit: Duration?, on clock: some Clock<Duration> = ContinuousClock()) async -> [FleetWork] {
        core.drain()
        let cut = CutOff(core: core)
        let timer = limit.map { limit in
            let deadline = clock.instant(after: limit)
            return Task {
                do { try await clock.wait(until: deadline, tolerance: nil) } catch { return }
                cut.cancel()
            }
        }
        await withTaskCancellationHandler {
            await core.over()
        } onCancel: {
            cut.cancel()
        }
        timer?.cancel()
        return cut.work.withLock { $0 }
    }
}

/// The cancellation of a fleet at its deadline, with the cancelled work.
private final class CutOff<State: Equatable & Sendable, Event: Sendable>: Sendable {
    let work = Lock<[FleetWork]>([])
    private let core: FleetCore<State, Event>

    init(core: FleetCore<State, Event>) { self.core = core }

    func cancel() {
        // Noted first, since the caller continues when the last member has ended.
        let left = core.inFlight
        work.withLock { $0 += left }
        core.cancel()
    }
}

extension Optional {
    /// Replaces the value, and returns the old one, to be released outside a lock.
    fileprivate mutating func replace(with value: Wrapped) -> Wrapped? {
        defer { self = value }
        return self
    }
}
