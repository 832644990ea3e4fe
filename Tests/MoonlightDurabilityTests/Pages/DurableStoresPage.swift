import Foundation
import Moonlight
import MoonlightDurability
import MoonlightTestSupport
import Streams
import Testing

// The blocks of the page "Durability", line for line, compiled and run.

private struct Orders: Codable, Equatable, Sendable {
    var unpaid: [Int] = []
    var receipts: [String] = []
    var lost: [Int] = []
}

private enum OrderEvent: Codable, Sendable {
    case place(Int)
    case pay(Int)
}

private enum OrderEffect: Codable, Sendable {
    case placed(Int)
    case paid(Int, receipt: String)
    case lost(Int)
}

private struct World: Sendable {
    /// Asks the bank, which takes a payment with the same key only once.
    var pay: @Sendable (Int, _ key: String?) async throws -> String
}

private let reducer = Reducer<Orders, OrderEvent, OrderEffect, World>(
    transform: { state, event, world in
        switch event {
        case .place(let order):
            return .just(.placed(order))
        case .pay(let order):
            guard state.unpaid.contains(order) else { throw Rejection("there is no such order to pay") }
            return .run { send in
                send(.paid(order, receipt: try await world.pay(order, DurableWork.current?.key)))
            } catch: { _ in
                .lost(order)
            }.job(order)
        }
    },
    apply: { (state: inout Orders, effect: OrderEffect) in
        switch effect {
        case .placed(let order): state.unpaid.append(order)
        case .paid(let order, let receipt):
            state.unpaid.removeAll { $0 == order }
            state.receipts.append(receipt)
        case .lost(let order): state.lost.append(order)
        }
    })

private enum OrderEffectV1: Codable {
    case placed(Int)
    case paid(Int)
}

private let schema = Schema(OrderEffect.self, version: 2)
    .upcasting(from: 1) { (old: OrderEffectV1) in
        switch old {
        case .placed(let order): .placed(order)
        case .paid(let order): .paid(order, receipt: "none")
        }
    }

private func answer(_ interrupted: InterruptedWork<OrderEvent>) -> InterruptedWorkAnswer<OrderEvent, OrderEffect> {
    guard interrupted.attempts < 3, case .pay(let order) = interrupted.event else { return .drop }
    return interrupted.attempts == 2 ? .fail(.lost(order)) : .send(interrupted.event)
}

private struct Room: Equatable, Sendable { var reservedUntil: WallTime? }
private enum RoomEvent: Sendable { case reservationEnded }

private let timers: @Sendable (AnyPublisher<Room, Never>) -> [AnyPublisher<RoomEvent, Never>] = { states in
    [states.react(at: { $0.reservedUntil }, { _ in Just(.reservationEnded) })]
}

@Suite("The page Durability")
struct DurableStoresPage {
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("moonlight-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func run(
        _ folder: String, _ world: World, _ body: (Store<Orders, OrderEvent>) async throws -> Void
    ) async throws {
        let store = try await Store(
            reducer: reducer, initialState: Orders(), environment: world,
            durable: .folder(folder, schema: Schema(OrderEffect.self))
        ) { interrupted in
            .send(interrupted.event)
        }
        await store.send(.place(7), until: .settled)
        try await body(store)
        await store.close()
    }

    @Test("Interrupted work is retried, and keys are answered again, as the page says")
    func page() async throws {
        try await withFolder { folder in
            let keys = Noted<String?>()
            let stuck = World { _, key in
                keys.append(key)
                try await Task.sleep(for: .seconds(3600))
                return "never"
            }
            try await run(folder, stuck) { store in
                store.post(.pay(7))
                await keys.count(1)
            }
            let bank = World { order, key in
                keys.append(key)
                return "receipt of \(order)"
            }
            try await run(folder, bank) { store in
                await store.quiet()
                #expect(store.state.receipts == ["receipt of 7"])
                #expect(keys.count == 2 && keys.all[0] != nil && keys.all[0] == keys.all[1])
                let count = try await store.send(.place(8), key: "request 17") { $0.unpaid.count }
                let again = try await store.send(.place(8), key: "request 17") { $0.unpaid.count }
                #expect(again == count)
                #expect(store.state.unpaid.filter { $0 == 8 }.count == 1)
                if let durability = store.durability, case .degraded(let error) = durability.status {
                    print("orders are not taken: \(error)")
                    try await durability.resume()
                }
            }
        }
    }

    @Test("Interrupted work is sent again after one attempt, and fails after two")
    func answers() async throws {
        try await withFolder { folder in
            let begun = Noted<Int>()
            let stuck = World { order, _ in
                begun.append(order)
                try await Task.sleep(for: .seconds(3600))
                return "never"
            }
            func open() async throws -> Store<Orders, OrderEvent> {
                try await Store(
                    reducer: reducer, initialState: Orders(), environment: stuck,
                    durable: .folder(folder, schema: schema), interrupted: answer)
            }
            let first = try await open()
            await first.send(.place(1))
            first.post(.pay(1))
            await begun.count(1)
            await first.close()
            let second = try await open()
            await begun.count(2)
            await second.close()
            let third = try await open()
            #expect(third.state.lost == [1])
            #expect(third.inFlight.isEmpty)
            await third.close()
        }
    }

    @Test("A snapshot of the first version is read as the page says")
    func states() async throws {
        try await withFolder { folder in
            let old = Codec<Orders>(
                encode: { try Codec<OrdersV1>.json.encode(OrdersV1(unpaid: $0.unpaid)) }, decode: { _ in Orders() })
            func open(
                _ durable: Durable<Orders, OrderEvent, OrderEffect>
            ) async throws -> Store<Orders, OrderEvent> {
                try await Store(
                    reducer: reducer, initialState: Orders(), environment: World { _, _ in "" }, durable: durable)
            }
            let store = try await open(
                .folder(folder, schema: schema, state: Schema(Orders.self, version: 1, codec: old)))
            await store.send(.place(7), until: .settled)
            try await store.durability?.snapshot()
            await store.close()
            do {
                _ = try await open(.folder(folder, schema: schema))
                Issue.record("it was opened")
            } catch {
                #expect("\(error)".hasPrefix("record 1 cannot be read: a snapshot of version 1: "))
                #expect("\(error)".hasSuffix("read version 1 with `upcasting(from: 1)`)"))
            }

            struct OrdersV1: Codable {
                var unpaid: [Int] = []
            }

            let states = Schema(Orders.self, version: 2)
                .upcasting(from: 1) { (old: OrdersV1) in Orders(unpaid: old.unpaid) }
            let durable = Durable<Orders, OrderEvent, OrderEffect>.folder(folder, schema: schema, state: states)
            let again = try await open(durable)
            #expect(again.state.unpaid == [7])
            await again.close()
        }
    }

    @Test("A timer of the page fires at its time")
    func timer() async {
        let past = WallTime(sinceEpoch: .seconds(1))
        let events = Noted<RoomEvent>()
        let store = Store(
            reducer: Reducer(
                transform: { _, event, _ in
                    events.append(event)
                    return AnyPublisher<Void, Never>.none
                }, apply: { (state: inout Room, _: Void) in }),
            initialState: Room(reservedUntil: past), environment: (), feedback: timers)
        await events.count(1)
        store.cancel()
    }
}
