public import Logging
public import Moonlight
import MoonlightDurability
public import ServiceLifecycle

/// A store as a service of a `ServiceGroup`: on graceful shutdown it is drained.
///
/// ```swift
/// let group = ServiceGroup(
///     services: [StoreService(orders, draining: .seconds(20), logger: logger), server],
///     gracefulShutdownSignals: [.sigterm], logger: logger)
/// try await group.run()
/// ```
/// A group stops its services in reverse order: put stores before the server that sends events to them. The service ends with the
/// store; for a durable store, when its log is closed. If the store ends by itself, the group follows its configuration for
/// services that end. If the group is cancelled, work in flight is interrupted.
public struct StoreService<State: Equatable & Sendable, Event: Sendable>: Service {
    private let store: Store<State, Event>
    private let limit: Duration?
    private let logger: Logger
    private let ended: @Sendable () async -> Void

    /// Creates the service of a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - limit: The time to wait for work in flight; nil for no limit.
    ///   - logger: Receives a warning for interrupted work.
    ///   - ended: Called when the store has ended, for example to flush a journal.
    public init(
        _ store: Store<State, Event>, draining limit: Duration?, logger: Logger,
        ended: @escaping @Sendable () async -> Void = {}
    ) {
        self.store = store
        self.limit = limit
        self.logger = logger
        self.ended = ended
    }

    /// Runs until the store has ended.
    public func run() async {
        await cancelWhenGracefulShutdown { await store.finished() }
        for work in await store.drain(within: limit) {
            logger.warning("cut off", metadata: ["work": "\(work)", "store": "\(store.counters?.name ?? "\(State.self)")"])
        }
        await store.durability?.closed()
        await ended()
    }
}
