public import Logging
import Moonlight
public import MoonlightDurability
public import ServiceLifecycle

/// A fleet as a service of a `ServiceGroup`: on graceful shutdown it is drained, and its storage closed.
///
/// ```swift
/// let group = ServiceGroup(
///     services: [FleetService(rooms, draining: .seconds(20), logger: logger), server],
///     gracefulShutdownSignals: [.sigterm], logger: logger)
/// ```
/// A group shuts its services down from the last to the first: put the fleet before the server that sends events to it. If the storage
/// cannot be opened, the service ends with that error. If the group is cancelled, what is in flight is cut off; it is handed back when the
/// fleet is opened again.
public struct FleetService<ID: LosslessStringConvertible & Sendable, State: Equatable & Sendable, Event: Sendable>: Service {
    private let fleet: Fleet<ID, State, Event>
    private let limit: Duration?
    private let logger: Logger

    /// Creates the service of a fleet.
    ///
    /// - Parameters:
    ///   - fleet: The fleet.
    ///   - limit: How long to wait for work in flight; nil for as long as it takes.
    ///   - logger: Warns of work that is cut off.
    public init(_ fleet: Fleet<ID, State, Event>, draining limit: Duration?, logger: Logger) {
        self.fleet = fleet
        self.limit = limit
        self.logger = logger
    }

    /// Runs until the fleet has been drained.
    ///
    /// - Throws: Why the storage cannot be opened.
    public func run() async throws {
        try await fleet.opened()
        // Throws if the task is cancelled; the fleet is drained then, too, with no time left.
        try? await gracefulShutdown()
        for work in await fleet.drain(within: limit) {
            logger.warning("cut off", metadata: ["work": "\(work.work)", "id": "\(work.id)"])
        }
    }
}
