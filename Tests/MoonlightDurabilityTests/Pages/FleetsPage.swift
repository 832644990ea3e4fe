import Foundation
import Moonlight
import MoonlightDurability
import Streams
import Testing

// The blocks of the page "Fleets", line for line, compiled and run.

private struct Room: Codable, Equatable, Sendable {
    var members: Set<String> = []
    var closesAt: WallTime?
}

private enum RoomEvent: Codable, Sendable {
    case join(String)
    case leave(String, at: WallTime)
    case close
}

private enum RoomEffect: Codable, Sendable {
    case joined(String)
    case left(String, at: WallTime)
    case closed
}

private let room = Reducer<Room, RoomEvent, RoomEffect, Void>(
    transform: { state, event, _ in
        switch event {
        case .join(let name):
            if state.members.contains(name) { throw Rejection("\(name) is in the room") }
            return .just(.joined(name))
        case .leave(let name, let time): return .just(.left(name, at: time))
        case .close: return .just(.closed)
        }
    },
    apply: { (state: inout Room, effect: RoomEffect) in
        switch effect {
        case .joined(let name):
            state.members.insert(name)
            state.closesAt = nil
        case .left(let name, let time):
            state.members.remove(name)
            // An hour after the last one has left.
            if state.members.isEmpty { state.closesAt = WallTime(sinceEpoch: time.sinceEpoch + .seconds(3600)) }
        case .closed: state = Room()
        }
    })

struct Purchase: Codable, Equatable, Sendable {
    var isPaying = false
    var receipt: String?
}

enum PurchaseEvent: Codable, Sendable {
    case pay
}

enum PurchaseEffect: Codable, Sendable {
    case paying
    case paid(receipt: String)
    case refused
}

struct Payments: Sendable {
    /// Asks the bank, which takes a payment with the same key only once.
    var pay: @Sendable (_ key: String?) async throws -> String
}

let purchase = Reducer<Purchase, PurchaseEvent, PurchaseEffect, Payments>(
    transform: { state, _, payments in
        if state.receipt != nil { throw Rejection("it is paid") }
        return .run { send in
            send(.paid(receipt: try await payments.pay(DurableWork.current?.key)))
        } catch: { _ in
            .refused
        }.prepend(.paying).job("pay", .ignoreNew)
    },
    apply: { (state: inout Purchase, effect: PurchaseEffect) in
        switch effect {
        case .paying: state.isPaying = true
        case .paid(let receipt): state = Purchase(receipt: receipt)
        case .refused: state.isPaying = false
        }
    })

@Suite("The page Fleets")
struct FleetsPage {
    @Test("Rooms are created, remembered, watched, closed by their alarm, and drained, as the page says")
    func page() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("moonlight-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            let rooms = Fleet(
                reducer: room, environment: { _ in }, durable: .folder(folder, schema: Schema(RoomEffect.self)),
                resident: 100_000, idle: .seconds(120), initialState: { (id: Int) in Room() })

            try await rooms.send(.join("Ada"), to: 7)
            let state = try await rooms.state(of: 7)
            #expect(state.members == ["Ada"])
            async let joined = rooms.send(.join("Bo"), to: 7, key: "request 17", within: .seconds(30)) { $0.members.count }
            for await state in rooms.states(of: 7) {
                print(state.members.count)
                if state.members.count == 2 { break }
            }
            #expect(try await joined == 2)
            let count = try await rooms.send(.join("Bo"), to: 7, key: "request 17", within: .seconds(30)) { $0.members.count }
            #expect(count == 2)
            try await rooms.send(.leave("Ada", at: WallTime(sinceEpoch: .seconds(1))), to: 7)
            try await rooms.send(.leave("Bo", at: WallTime(sinceEpoch: .seconds(1))), to: 7)
            try await rooms.send(.join("Cy"), to: 8)
            await #expect(throws: FleetError.self) { try await rooms.send(.join("Cy"), to: 8) }
            let left = await rooms.drain(within: .seconds(30))
            for work in left { print("cut off: \(work)") }
            #expect(left.isEmpty)
        }
        do {
            let timed = Fleet(
                reducer: room, environment: { _ in }, durable: .folder(folder, schema: Schema(RoomEffect.self)),
                alarm: FleetAlarm(at: \.closesAt) { _ in .close }, initialState: { (id: Int) in Room() })
            // The room's closing time was in 1970.
            for await state in timed.states(of: 7) where state == Room() { break }
            #expect(try await timed.state(of: 8).members == ["Cy"])
            let rooms = timed
            try await rooms.remove(8)
            #expect(try await rooms.state(of: 8) == Room())
            await timed.drain(within: nil)
        }
    }

    @Test("Work in flight of a killed process is retried with the same key, as the page says")
    func killed() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("moonlight-\(UUID().uuidString)").path
        defer { for end in ["", "-killed"] { try? FileManager.default.removeItem(atPath: folder + end) } }
        func purchases(_ folder: String, _ payments: Payments) -> Fleet<Int, Purchase, PurchaseEvent> {
            let purchases = Fleet(
                reducer: purchase, environment: { _ in payments }, durable: .folder(folder, schema: Schema(PurchaseEffect.self)),
                initialState: { (id: Int) in Purchase() })
            return purchases
        }
        let keys = Noted<String?>()
        let killed = purchases(
            folder,
            Payments { key in
                keys.append(key)
                try await Task.sleep(for: .seconds(3600))
                return "never"
            })
        for id in 1...3 { try await killed.send(.pay, to: id, until: .decided) }
        await keys.count(3)
        // The files of a process that was killed.
        try FileManager.default.copyItem(atPath: folder, toPath: folder + "-killed")
        await killed.drain(within: .zero)
        let next = purchases(
            folder + "-killed",
            Payments { key in
                keys.append(key)
                return "receipt"
            })
        await keys.count(6)
        for id in 1...3 { for await state in next.states(of: id) where state.receipt != nil { break } }
        #expect(!keys.all.contains(nil) && Set(keys.all.prefix(3)) == Set(keys.all.suffix(3)))
        await next.drain(within: nil)
    }
}
