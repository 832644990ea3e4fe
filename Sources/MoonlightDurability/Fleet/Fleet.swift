import Moonlight
import Streams

/// Many stores of one kind, each known by an id: rooms, orders, connections. Most of them are asleep.
///
/// ```swift
/// let rooms = Fleet(
///     reducer: room, environment: { _ in world }, durable: .folder("rooms", schema: Schema(RoomEffect.self)), idle: .seconds(120),
///     initialState: { (id: RoomID) in Room(id) })
///
/// try await rooms.send(.join(user), to: id)        // wakes it if it sleeps; makes it if it never was
/// for await state in rooms.states(of: id) { … }
/// await rooms.drain(within: .seconds(30))
/// ```
/// A member is a loop of its own, with the guarantees of a durable ``Moonlight/Store``. One that nobody has used for a while falls asleep:
/// it is then only a log on the disk, from which it is made again when it is wanted. Its senders do not notice.
///
/// It is safe to use from any thread. When the last reference to it is released, its members are cancelled; ``drain(within:on:)`` loses
/// nothing.
public final class Fleet<ID: LosslessStringConvertible & Sendable, State: Equatable & Sendable, Event: Sendable>: Sendable {
    let core: FleetCore<State, Event>
    let storage: (any FleetBackend)?

    init(_ core: FleetCore<State, Event>, storage: (any FleetBackend)?) {
        self.core = core
        self.storage = storage
    }

    deinit { core.cancel() }

    /// The text by which a member is known.
    func text(_ id: ID) throws(FleetError) -> String {
        let text = id.description
        guard text.utf8.count <= 1024 else { throw .invalidID(text) }
        return text
    }

    // MARK: Sending

    /// Sends an event to a member, and returns when it has reached a stage. The member is woken if it is asleep, and made if there is none.
    ///
    /// ```swift
    /// try await rooms.send(.join(user), to: id, until: .decided, within: .seconds(2))
    /// ```
    /// At the deadline, the error is `SendError.timedOut(isTaken:)`. An event that was taken goes on, and may still be decided and
    /// written; one whose member was still being woken, or that waited for room, was not taken.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - id: The member.
    ///   - stage: The stage to wait for. Success means that what has led to it is in the log, to the degree that ``DurableFleet`` asks for.
    ///   - limit: The longest time to wait, from the call on; nil for no limit.
    ///   - clock: The clock that measures the time.
    /// - Throws: Why the event was not taken, was rejected, or did not reach the stage.
    public func send(
        _ event: Event, to id: ID, until stage: SendStage = .settled, within limit: Duration? = nil,
        on clock: some Clock<Duration> = ContinuousClock()
    ) async throws(FleetError) {
        try await core.send(to: text(id), within: limit, on: clock) { await $0.send(event, until: stage) }
    }

    /// Sends an event to a member, and reads its state as it is when the event has been decided.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - id: The member.
    ///   - limit: The longest time to wait, from the call on; nil for no limit. An event that was taken by then goes on.
    ///   - clock: The clock that measures the time.
    ///   - reading: Reads the state. Called inside the loop, at most once.
    /// - Returns: What was read.
    /// - Throws: Why there is no reading.
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

    /// Sends an event that is taken once, however often it is sent to that member with that key: see `Store.send(_:key:until:)`. The fleet
    /// must be durable.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - id: The member, which remembers the key.
    ///   - key: The key, chosen by the sender.
    ///   - stage: The stage to wait for. A repeated event waits for the decision alone.
    ///   - limit: The longest time to wait, from the call on; nil for no limit. An event that was taken by then goes on; to learn what
    ///     became of it, send it again with the same key.
    ///   - clock: The clock that measures the time.
    /// - Throws: Why the event, or the one with that key before it, was not taken, was rejected, or did not reach the stage.
    public func send(
        _ event: Event, to id: ID, key: String, until stage: SendStage = .settled, within limit: Duration? = nil,
        on clock: some Clock<Duration> = ContinuousClock()
    ) async throws(FleetError) {
        precondition(storage != nil, "only a durable fleet remembers keys: create it with `durable:`")
        try await core.send(to: text(id), within: limit, on: clock) { store in
            await DurabilityContext.$errand.withValue(KeyedErrand<State>(key: key, read: nil)) {
                await store.send(event, until: stage)
            }
        }
    }

    /// Sends an event that is taken once, and reads the state as it is when the event has been decided. The fleet must be durable.
    ///
    /// ```swift
    /// let ticket = try await rooms.send(.take, to: id, key: request.idempotencyKey) { $0.nextTicket }
    /// ```
    /// What is read is in the log of the member, too: an event that is sent again with the same key receives the same.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - id: The member, which remembers the key.
    ///   - key: The key, chosen by the sender.
    ///   - limit: The longest time to wait, from the call on; nil for no limit. An event that was taken by then goes on.
    ///   - clock: The clock that measures the time.
    ///   - reading: Reads the state. Called inside the loop, at most once.
    /// - Returns: What was read when the event was taken first.
    /// - Throws: Why there is no reading.
    public func send<Reading: Codable & Sendable>(
        _ event: Event, to id: ID, key: String, within limit: Duration? = nil,
        on clock: some Clock<Duration> = ContinuousClock(), reading: @escaping @Sendable (State) -> Reading
    ) async throws(FleetError) -> Reading {
        precondition(storage != nil, "only a durable fleet remembers keys: create it with `durable:`")
        let codec = Codec<Reading>.json
        let box = Lock<Result<KeyedAnswer, DurabilityError>?>(nil)
        let text = try text(id)
        try await core.send(to: text, within: limit, on: clock) { store in
            // Another one for each attempt: an errand counts for one event.
            let errand = KeyedErrand<State>(key: key) { try codec.encode(reading($0)) }
            let result = await DurabilityContext.$errand.withValue(errand) { await store.send(event, until: .decided) }
            box.withLock { $0 = errand.answer }
            return result
        }
        do {
            guard let answer = try box.withLock({ $0 })?.get() else { throw DurabilityError.closed }
            return try codec.decode(answer.reading)
        } catch { throw .send(id: text, .notDurable(error, isTaken: true)) }
    }

    // MARK: Reading

    /// Returns the state of a member, which is woken if it is asleep.
    ///
    /// - Throws: Why it cannot be woken.
    public func state(of id: ID) async throws(FleetError) -> State {
        switch await core.enter(try text(id)) {
        case .refused(let error): throw error
        case .use(let resident, let place):
            defer { core.leave(place) }
            return resident.store.state
        }
    }

    /// Returns the states of a member: the present one first, for which it is woken, and then each change. Who is slow receives the newest.
    ///
    /// - Parameters:
    ///   - id: The member.
    ///   - keepsAwake: Whether it stays awake while somebody iterates. If not, the states go on when it is woken the next time.
    /// - Returns: The states, which end when the fleet has ended, or if the member cannot be woken.
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
                    // If its log has failed meanwhile, another may be observed already, which this one has replaced.
                    isCurrent = core.isCurrent(place)
                    if !isCurrent || !keepsAwake || !watcher.keep(place) { core.leave(place) }
                }
            }
        }
    }

    // MARK: Removal

    /// Removes a member: its state and its records, the keys that it remembers, its alarm, and its work.
    ///
    /// ```swift
    /// try await rooms.remove(id)
    /// ```
    /// A member that is awake is cancelled with everything that it has in flight. When this returns, the removal is durable, and
    /// the member is as if it had never been: it is not listed, and one that is sent to begins with the initial state. Events that are
    /// sent meanwhile wait for that. A member whose log cannot be read is removed, too. Does nothing if there is no such member.
    ///
    /// The removal is not cancelled with the task that asks for it. A crash meanwhile may or may not have removed the member.
    ///
    /// A ``FleetFolder`` reads nothing of the member any more from then on; the bytes go with the next cleaning of the files that have them.
    ///
    /// - Parameter id: The member.
    /// - Throws: Why it has not been removed. It may be tried again.
    public func remove(_ id: ID) async throws(FleetError) { try await core.remove(text(id)) }

    // MARK: The end

    /// Ends the fleet when nothing is in flight any more, so that no work that it has begun is lost, and closes its storage.
    ///
    /// From now on, senders are refused with `SendError.draining`. Events that are on their way are handled, each member finishes what it
    /// has in flight, and what they did is written. If the task is cancelled, that is the deadline; this returns when the storage is closed
    /// in any case.
    ///
    /// - Parameters:
    ///   - limit: How long to wait for work in flight; nil for as long as it takes.
    ///   - clock: The clock that measures the time.
    /// - Returns: The work that was in flight at the deadline, and has been cancelled; empty if all work had ended.
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

/// What is cut off when a fleet's time is up.
private final class CutOff<State: Equatable & Sendable, Event: Sendable>: Sendable {
    let work = Lock<[FleetWork]>([])
    private let core: FleetCore<State, Event>

    init(core: FleetCore<State, Event>) { self.core = core }

    func cancel() {
        // Noted first: when the last one has ended, the caller goes on.
        let left = core.inFlight
        work.withLock { $0 += left }
        core.cancel()
    }
}

extension Optional {
    /// Replaces the value, and returns the old one, which is to be released outside a lock.
    fileprivate mutating func replace(with value: Wrapped) -> Wrapped? {
        defer { self = value }
        return self
    }
}
