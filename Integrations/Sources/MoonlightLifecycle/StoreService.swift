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
/// A group shuts its services down from the last to the first: put stores before the server that sends events to them. The service
/// ends when the store has; a durable one, when its log is closed. If the store ends by itself, so does the service, and the group
/// does what its configuration says of a service that ends. If the group is cancelled, what is in flight is cut off.
public struct StoreService<State: Equatable & Sendable, Event: Sendable>: Service {
    private let store: Store<State, Event>
    private let limit: Duration?
    private let logger: Logger
    private let ended: @Sendable () async -> Void

    /// Creates the service of a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - limit: How long to wait for work in flight; nil for as long as it takes.
    ///   - logger: Warns of work that is cut off.
    ///   - ended: Called when the store has ended: for the `flush` of a journal, for example.
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
