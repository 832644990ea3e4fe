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
/// A group stops its services in reverse order: put the fleet before the server that sends events to it. If the storage cannot be
/// opened, the service ends with that error. If the group is cancelled, work in flight is interrupted; it is handed back when the
/// fleet is opened again.
public struct FleetService<ID: LosslessStringConvertible & Sendable, State: Equatable & Sendable, Event: Sendable>: Service {
    private let fleet: Fleet<ID, State, Event>
    private let limit: Duration?
    private let logger: Logger

    /// Creates the service of a fleet.
    ///
    /// - Parameters:
    ///   - fleet: The fleet.
    ///   - limit: The time to wait for work in flight; nil for no limit.
    ///   - logger: Receives a warning for interrupted work.
    public init(_ fleet: Fleet<ID, State, Event>, draining limit: Duration?, logger: Logger) {
        self.fleet = fleet
        self.limit = limit
        self.logger = logger
    }

    /// Runs until the fleet has been drained.
    ///
    /// - Throws: The error of the storage if it cannot be opened.
    public func run() async throws {
        try await fleet.opened()
        // Throws if the task is cancelled. Then, too, the fleet is drained, without a grace period.
        try? await gracefulShutdown()
        for work in await fleet.drain(within: limit) {
            logger.warning("cut off", metadata: ["work": "\(work.work)", "id": "\(work.id)"])
        }
    }
}
