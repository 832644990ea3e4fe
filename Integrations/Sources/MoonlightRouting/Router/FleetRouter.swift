public import MoonlightDurability
public import Streams

/// A fleet on many machines: an event that is sent on any of them reaches the machine that runs the member.
///
/// ```swift
/// let rooms = FleetRouter(
///     "rooms", leases: NATSLeases(in: cluster), courier: NATSCourier("rooms", in: cluster), events: .json
/// ) { partition in
///     Fleet(
///         reducer: room, environment: { _ in world },
///         durable: DurableFleet(
///             storage: JetStreamFleetStorage("rooms-\(partition)", in: cluster, isRouted: true),
///             schema: Schema(RoomEffect.self), state: Schema(Room.self)), initialState: { (id: RoomID) in Room(id) })
/// }
/// try await rooms.send(.join(user), to: id)
/// await rooms.drain(within: .seconds(20))
/// ```
/// A hash distributes the ids over partitions. The router with the lease of a partition runs a fleet for it; other routers
/// forward events to that owner. If a partition has no owner, the router that needs it takes the lease. A fleet lives as long as
/// its lease is renewed in time; each term has a new fleet, which reads the logs again.
///
/// An event has an idempotency key, and is applied once, however often the router has to send it: the key is in the log of the
/// member, as `Fleet.send(_:to:key:until:)` describes.
///
/// It is safe to use from any thread.
public final class FleetRouter<ID: LosslessStringConvertible & Sendable, State: Equatable & Sendable, Event: Sendable>: Sendable {
    let core: RouterCore<ID, State, Event>
    private let events: Codec<Event>
    private let patience: TimeStride

    /// Creates a router, which starts to answer the requests of others.
    ///
    /// - Parameters:
    ///   - name: The name of the fleet: the same on all machines.
    ///   - partitions: The number of partitions: the same on all machines. It cannot be changed later.
    ///   - unasked: The number of partitions that this router takes without a request, so that the alarms of their members work:
    ///     usually its share. Requested partitions are taken in any case.
    ///   - leases: The table of the owners of partitions.
    ///   - courier: The transport of requests to owners.
    ///   - events: The schema of events in requests: the same on all machines.
    ///   - patience: The time for which an event is sent repeatedly until an owner has answered. It must exceed a lease, so that
    ///     the loss of an owner only causes a delay.
    ///   - answerTime: The time to wait for one owner before another one is looked up. It adds to the time without an owner.
    ///   - scheduler: The scheduler that measures leases and patience.
    ///   - fleet: Creates the fleet of a partition, with logs that belong to this partition alone. It must be durable, and
    ///     remember keys for longer than `patience`.
    public init<S: Scheduler & Sendable>(
        _ name: String, partitions: Int = 16, unasked: Int = 0, leases: any LeaseTable, courier: any Courier,
        events: Codec<Event>,
        patience: Duration = .seconds(20), answerTime: Duration = .seconds(1), scheduler: S = ClockScheduler(ContinuousClock()),
        fleet: @escaping @Sendable (_ partition: Int) -> Fleet<ID, State, Event>
    ) where S.SchedulerTimeType == TimePoint {
        precondition(partitions > 0, "a fleet has at least one partition")
        self.events = events
        self.patience = TimeStride(patience)
        core = RouterCore(
            name, partitions: partitions, unasked: unasked, leases: leases, courier: courier, answerTime: answerTime,
            time: RoutingTime(scheduler), events: events, fleet: fleet)
        core.begin()
    }

    deinit { core.cut() }

    /// The partitions that this process owns now.
    public var owned: [Int] { core.owned }

    /// Returns the partition of an id.
    public func partition(of id: ID) -> Int { MoonlightRouting.partition(of: id.description, among: core.count) }

    /// Sends an event to a member, on any machine. Returns when all effects of the event are in the log.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - id: The member.
    ///   - key: The idempotency key, with which the event is applied once even if it is sent again; nil for a generated key,
    ///     which suffices if only this call sends the event.
    /// - Throws: The reason why the event was not accepted, or that the result is unknown.
    public func send(_ event: Event, to id: ID, key: String? = nil) async throws(RoutingError) {
        let bytes: [UInt8]
        do { bytes = try events.encode(event) } catch { throw .invalid("\(error)") }
        let text = id.description
        let request = RoutedRequest(
            partition: MoonlightRouting.partition(of: text, among: core.count), id: text, key: key ?? core.newKey(), event: bytes)
        try await core.send(request, event, until: core.time.now(after: patience))
    }

    /// Hands over all partitions: owned fleets end when none of their work is in flight, and their leases are released, so that
    /// other routers can take them at once. Sends are refused from now on.
    ///
    /// - Parameter limit: The time to wait for work in flight.
    public func drain(within limit: Duration) async { await core.drain(within: limit) }
}
