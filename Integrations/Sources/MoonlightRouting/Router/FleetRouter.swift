public import MoonlightDurability
public import Streams

/// A fleet of many machines: what is sent for an id on any of them reaches the member, which is on one of them.
///
/// ```swift
/// let rooms = FleetRouter(
///     "rooms", leases: NATSLeases("rooms", in: cluster), courier: NATSCourier("rooms", in: cluster), events: Schema(RoomEvent.self)
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
/// The ids are spread over partitions by a hash. Whoever has the lease of a partition runs a fleet for it; a router that is asked for an id
/// whose partition nobody has takes the lease. Everybody else asks the owner. A fleet lives as long as its lease is renewed in time: each
/// term has a fleet of its own, which reads the logs anew.
///
/// An event is sent with a key, and is taken once however often the router has to send it: the key is in the log of the member, as
/// `Fleet.send(_:to:key:until:)` describes.
///
/// It is safe to use from any thread.
public final class FleetRouter<ID: LosslessStringConvertible & Sendable, State: Equatable & Sendable, Event: Sendable>: Sendable {
    let core: RouterCore<ID, State, Event>
    private let events: Codec<Event>
    private let patience: TimeStride

    /// Creates a router, which begins to answer the requests of others.
    ///
    /// - Parameters:
    ///   - name: The name of the fleet: the same on all machines.
    ///   - partitions: The number of partitions: the same on all machines, for ever.
    ///   - unasked: How many partitions this router takes without being asked for one of their members, so that their alarms sound: as
    ///     many as its share is. Those that are asked for are taken in any case.
    ///   - leases: Where it is kept who owns which partition.
    ///   - courier: What carries requests to owners.
    ///   - events: How events are written in requests: the same on all machines.
    ///   - patience: For how long an event is sent again and again, until an owner has answered. Longer than a lease, so that an owner
    ///     that is lost is no more than a delay.
    ///   - answerTime: How long one owner is waited for before somebody else is looked for. It counts in the time for which members are
    ///     without an owner, which the lease is for.
    ///   - scheduler: The scheduler that measures leases and patience.
    ///   - fleet: Makes the fleet of a partition, whose logs no other partition has. It must be durable, and remember keys for longer than
    ///     `patience`.
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

    /// Sends an event to a member, on whatever machine it is, and returns when what the event has led to is in the log.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - id: The member.
    ///   - key: What tells the event from all others, so that it is taken once even if it is sent again; nil for one of the router's own,
    ///     which is enough as long as this call is the only one that sends it.
    /// - Throws: Why the event was not accepted, or that nobody knows.
    public func send(_ event: Event, to id: ID, key: String? = nil) async throws(RoutingError) {
        let bytes: [UInt8]
        do { bytes = try events.encode(event) } catch { throw .invalid("\(error)") }
        let text = id.description
        let request = RoutedRequest(
            partition: MoonlightRouting.partition(of: text, among: core.count), id: text, key: key ?? core.newKey(), event: bytes)
        try await core.send(request, event, until: core.time.now(after: patience))
    }

    /// Hands everything over: owned fleets end when nothing of theirs is in flight, and their partitions are given back, so that others
    /// take them at once. Sends are refused from now on.
    ///
    /// - Parameter limit: How long to wait for work in flight.
    public func drain(within limit: Duration) async { await core.drain(within: limit) }
}
