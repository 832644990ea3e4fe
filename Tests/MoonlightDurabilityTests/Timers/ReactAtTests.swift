import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

/// A reservation that ends.
private struct Seat: Equatable, Sendable, Codable {
    var reservedUntil: WallTime?
    var ends = 0

    enum Event: Equatable, Sendable, Codable {
        case reserve(WallTime)
        case end
    }
    enum Effect: Equatable, Sendable, Codable {
        case reserved(WallTime)
        case ended
    }

    static let reducer = Reducer<Seat, Event, Effect, Void>(
        transform: { _, event, _ in
            switch event {
            case .reserve(let time): .just(.reserved(time))
            case .end: .just(.ended)
            }
        },
        apply: { (state: inout Seat, effect: Effect) in
            switch effect {
            case .reserved(let time): state.reservedUntil = time
            case .ended: (state.reservedUntil, state.ends) = (nil, state.ends + 1)
            }
        })
}

@Suite("Durable timers")
struct ReactAtTests {
    private func time(_ seconds: Int) -> WallTime { WallTime(sinceEpoch: .seconds(seconds)) }

    /// A reservation at a time of the wall clock, which begins with the virtual time.
    private func open(
        _ disk: SimulatedDisk, _ time: VirtualTimeScheduler, wall: @escaping @Sendable () -> WallTime
    ) async throws -> Store<Seat, Seat.Event> {
        let durable = Durable<Seat, Seat.Event, Seat.Effect>(
            storage: FolderStorage("seat", files: disk), schema: Schema(Seat.Effect.self), state: Schema(Seat.self),
            acknowledge: .later(every: .seconds(1)))
        return try await Store(
            reducer: Seat.reducer, initialState: Seat(), environment: (), durable: durable,
            feedback: { states in [states.react(at: { $0.reservedUntil }, on: time, now: wall) { _ in Just(.end) }] })
    }

    @Test("A deadline beyond the end of time never comes, and one as far in the past is due at once")
    func farAway() async throws {
        let longest = Duration.seconds(Int64.max) * 18
        let time = VirtualTimeScheduler()
        let store = try await open(SimulatedDisk(), time) { WallTime(sinceEpoch: .seconds(Int64.min)) }
        _ = await store.send(.reserve(WallTime(sinceEpoch: longest)), until: .decided)
        time.advance(by: .seconds(86_400 * 3))
        expectEqual(store.state.ends, 0)
        _ = await store.send(.reserve(WallTime(sinceEpoch: .zero - longest)), until: .decided)
        time.advance()
        expectEqual(store.state.ends, 1)
        await store.close()
    }

    @Test("A deadline survives a restart, and its event is sent after the remaining time")
    func rest() async throws {
        let disk = SimulatedDisk()
        let first = VirtualTimeScheduler()
        let store = try await open(disk, first) { time(1000) }
        _ = await store.send(.reserve(time(1100)), until: .decided)
        first.advance(by: .seconds(60))
        await store.close()
        let second = VirtualTimeScheduler()
        let wall = Lock(1070)
        let again = try await open(disk, second) { time(wall.withLock { $0 }) }
        second.advance(by: .milliseconds(29_999))
        expectEqual(again.state.ends, 0)
        wall.withLock { $0 = 1100 }
        second.advance(by: .milliseconds(1))
        expectEqual(again.state, Seat(reservedUntil: nil, ends: 1))
        await again.close()
    }

    @Test("A deadline that has passed while the store was closed is due at once, and only once")
    func passed() async throws {
        let disk = SimulatedDisk()
        let scheduler = VirtualTimeScheduler()
        let store = try await open(disk, scheduler) { time(1000) }
        _ = await store.send(.reserve(time(1100)), until: .decided)
        await store.close()
        for _ in 0..<2 {
            let again = try await open(disk, scheduler) { time(5000) }
            await again.quiet()
            expectEqual(again.state, Seat(reservedUntil: nil, ends: 1))
            await again.close()
        }
    }

    @Test("A timer waits for the remaining time when the wall clock was set back")
    func setBack() async throws {
        let scheduler = VirtualTimeScheduler()
        let wall = Lock(1000)
        let store = try await open(SimulatedDisk(), scheduler) { time(wall.withLock { $0 }) }
        _ = await store.send(.reserve(time(1100)), until: .decided)
        wall.withLock { $0 = 1040 }
        scheduler.advance(by: .seconds(100))
        expectEqual(store.state.ends, 0)
        wall.withLock { $0 = 1100 }
        scheduler.advance(by: .seconds(60))
        expectEqual(store.state.ends, 1)
        await store.close()
    }

    @Test("A timer does not keep a store from draining")
    func draining() async throws {
        let scheduler = VirtualTimeScheduler()
        let store = try await open(SimulatedDisk(), scheduler) { time(1000) }
        _ = await store.send(.reserve(time(1100)), until: .decided)
        await expect(store.drain(within: nil).isEmpty)
        await store.durability?.closed()
    }
}
