import Moonlight
import MoonlightDurability
import MoonlightRouting
import Streams
import Synchronization

/// A room that does not admit everyone.
struct Room: Equatable, Codable, Sendable {
    var guests: [String] = []

    struct Enter: Equatable, Codable, Sendable { let guest: String }
    struct Closed: Error, CustomStringConvertible { let description: String }

    static let reducer = Reducer<Room, Enter, Enter, Void>(
        transform: { room, event, _ in
            if event.guest == "nobody" { throw Closed(description: "closed to \(event.guest), after \(room.guests.count)") }
            return .just(event)
        },
        apply: { (room: inout Room, enter: Enter) in room.guests.append(enter.guest) })
}

/// The environment that the routers of several machines share, in memory and in virtual time.
final class Town: Sendable {
    typealias Router = FleetRouter<String, Room, Room.Enter>

    let clock = VirtualTimeScheduler()
    let leases: MemoryLeases
    let courier = MemoryCourier()
    let logs = MemoryLogs()
    let partitions: Int

    init(partitions: Int = 4) {
        self.partitions = partitions
        leases = MemoryLeases(clock)
    }

    func fleet(_ partition: Int) -> Fleet<String, Room, Room.Enter> {
        Fleet(
            reducer: Room.reducer, environment: { _ in },
            durable: DurableFleet(
                storage: logs.storage("\(partition)"), schema: Schema(Room.Enter.self), state: Schema(Room.self)),
            initialState: { _ in Room() })
    }

    /// Returns a listening router with its name.
    func router(unasked: Int = 0, partitions: Int? = nil, patience: Duration = .seconds(20)) async -> (
        router: Router, name: String
    ) {
        let before = courier.listeners
        let router = Router(
            "rooms", partitions: partitions ?? self.partitions, unasked: unasked, leases: leases, courier: courier,
            events: .json, patience: patience, scheduler: clock, fleet: fleet)
        while true {
            if let name = courier.listeners.first(where: { !before.contains($0) }) { return (router, name) }
            await Task.yield()
        }
    }

    /// Advances time while a closure runs.
    func passing<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result {
        let result = Box<Result>()
        Task { await result.set(body()) }
        while true {
            if let value = result.value { return value }
            for _ in 0..<50 { await Task.yield() }
            clock.advance(by: .milliseconds(5))
        }
    }

    private final class Box<Value: Sendable>: Sendable {
        private let guarded = Mutex<Value?>(nil)
        var value: Value? { guarded.withLock { $0 } }
        func set(_ value: Value) { guarded.withLock { $0 = value } }
    }

    /// Sends an event while time advances.
    func send(_ guest: String, to room: String, by router: Router, key: String? = nil) async throws(RoutingError) {
        try await passing { () -> Result<Void, RoutingError> in
            do throws(RoutingError) {
                return .success(try await router.send(.init(guest: guest), to: room, key: key))
            } catch { return .failure(error) }
        }.get()
    }

    /// Advances time until a condition holds.
    func until(_ isTrue: @escaping @Sendable () -> Bool) async {
        await passing { while !isTrue() { await Task.yield() } }
    }

    /// The guests in a room, according to the log.
    func guests(in room: String) async throws -> [String] {
        let fleet = fleet(partition(of: room, among: partitions))
        let state = try await fleet.state(of: room)
        await fleet.drain(within: .zero)
        return state.guests
    }
}
