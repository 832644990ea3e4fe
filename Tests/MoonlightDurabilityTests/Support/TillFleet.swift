import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

typealias TillFleet = Fleet<Int, Till, Till.Event>
typealias DurableTills = DurableFleet<Till, Till.Event, Till.Effect>

/// The time of a fleet, which the test advances: that of its scheduler and the wall clock, which begins at 1,000 seconds.
final class FleetClock: Sendable {
    let scheduler = VirtualTimeScheduler()
    private let start: Duration

    init(start: Duration = .seconds(1000)) { self.start = start }

    @Sendable func now() -> WallTime { WallTime(sinceEpoch: start + scheduler.now.offset.duration) }
    func advance(by time: Duration) { scheduler.advance(by: time) }
}

/// Makes a fleet of tills on a disk.
func tills(
    on disk: SimulatedDisk, _ bank: Bank = Bank(), clock: FleetClock = FleetClock(), resident: Int = 100,
    idle: Duration = .seconds(60), inbox: InboxBound = .unbounded, waking: Int = 4, snapshotEvery: Int = 3,
    acknowledge: Acknowledgment = .afterSync, segmentSize: Int = 1 << 20, alarm: FleetAlarm<Till, Till.Event>? = nil,
    schema: Schema<Till.Effect> = Schema(Till.Effect.self), state: Schema<Till> = Schema(Till.self),
    feedback: (@Sendable (Int, AnyPublisher<Till, Never>) -> [AnyPublisher<Till.Event, Never>])? = nil,
    interrupted: @escaping @Sendable (Int, InterruptedWork<Till.Event>) -> InterruptedWorkAnswer<Till.Event, Till.Effect> = {
        .send($1.event)
    },
    options: (@Sendable (Int) -> LoopOptions<Till, Till.Event, Till.Effect>)? = nil
) -> TillFleet {
    tills(
        in: FleetFolder("fleet", files: disk, segmentSize: segmentSize), bank, clock: clock, resident: resident, idle: idle,
        inbox: inbox, waking: waking, snapshotEvery: snapshotEvery, acknowledge: acknowledge, alarm: alarm, schema: schema,
        state: state, feedback: feedback, interrupted: interrupted, options: options)
}

/// Makes a fleet of tills in a storage.
func tills(
    in storage: any FleetStorage, _ bank: Bank = Bank(), reducer: Reducer<Till, Till.Event, Till.Effect, Bank> = Till.reducer,
    clock: FleetClock = FleetClock(), resident: Int = 100,
    idle: Duration = .seconds(60), inbox: InboxBound = .unbounded, waking: Int = 4, snapshotEvery: Int = 3,
    acknowledge: Acknowledgment = .afterSync, alarm: FleetAlarm<Till, Till.Event>? = nil,
    schema: Schema<Till.Effect> = Schema(Till.Effect.self), state: Schema<Till> = Schema(Till.self),
    feedback: (@Sendable (Int, AnyPublisher<Till, Never>) -> [AnyPublisher<Till.Event, Never>])? = nil,
    interrupted: @escaping @Sendable (Int, InterruptedWork<Till.Event>) -> InterruptedWorkAnswer<Till.Event, Till.Effect> = {
        .send($1.event)
    },
    options: (@Sendable (Int) -> LoopOptions<Till, Till.Event, Till.Effect>)? = nil
) -> TillFleet {
    let durable = DurableTills(
        storage: storage, schema: schema, state: state, events: Schema(Till.Event.self), acknowledge: acknowledge,
        snapshotEvery: snapshotEvery)
    return TillFleet(
        reducer: reducer, environment: { _ in bank }, durable: durable, resident: resident, idle: idle, inbox: inbox,
        waking: waking,
        alarm: alarm, scheduler: clock.scheduler, now: { clock.now() }, options: options, feedback: feedback,
        interrupted: interrupted, initialState: { _ in Till() })
}

extension Fleet {
    /// Waits until the members have handled the events they were sent. A sender may be answered while the loop is still in its
    /// last call, and such a member does not fall asleep.
    func idle() async throws {
        for id in awake { try await until { core.look("\(id)")?.1?.store.isIdle != false } }
    }

    /// Advances time once the members are idle, and waits until those with an exceeded idle time are asleep.
    func sleep(_ clock: FleetClock, _ time: Duration = .seconds(61)) async throws {
        try await idle()
        clock.advance(by: time)
        await core.still()
    }
}

/// The error of a send as one word; "done" if there is none.
func word(_ body: () async throws(FleetError) -> Void) async -> String {
    do throws(FleetError) {
        try await body()
        return "done"
    } catch {
        if case .send(_, let error) = error { return word(.failure(error)) }
        return "\(error)"
    }
}
