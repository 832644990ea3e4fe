import Foundation
import Moonlight
import MoonlightDurability
import Streams

// A program whose `main` is a method: it opens a durable store with values of the main actor.

private struct Till: Equatable, Codable, Sendable { var total = 0 }
private enum TillEvent: Codable, Sendable { case add(Int) }
private enum TillEffect: Codable, Sendable { case added(Int) }

private let till = Reducer<Till, TillEvent, TillEffect, Void>(
    transform: { _, event, _ in
        switch event {
        case .add(let amount): .just(.added(amount))
        }
    },
    apply: { (state: inout Till, effect: TillEffect) in
        switch effect {
        case .added(let amount): state.total += amount
        }
    })

@main
struct Program {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("moonlight-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var handed = 0
        let store = try await Store(
            reducer: till, initialState: Till(), environment: (),
            durable: .folder(folder, schema: Schema(TillEffect.self)),
            feedback: { states in [states.react(to: { $0.total == 1 ? true : nil }, { _ in Just(.add(1)) })] },
            interrupted: { interrupted in
                handed += 1
                return .send(interrupted.event)
            })
        await store.send(.add(1))
        await store.drain(within: nil)
        await store.durability?.closed()
        let plain = try await Store(
            reducer: till, initialState: Till(), environment: (), durable: .folder(folder, schema: Schema(TillEffect.self)))
        guard plain.state.total == 2, handed == 0 else { fatalError("the store has \(plain.state), and handed \(handed) back") }
        print("a durable store is opened from a method that is main")
    }
}
