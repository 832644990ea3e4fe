import Foundation
import Moonlight
import MoonlightDurability
import Streams

private struct Till: Equatable, Codable, Sendable {
    var total = 0
    var closesAt: WallTime?
}

private enum TillEvent: Codable, Sendable {
    case add(Int)
    case close
}
private enum TillEffect: Codable, Sendable {
    case added(Int)
    case closed
}
private enum OldEffect: Codable { case sum(Int) }

private let till = Reducer<Till, TillEvent, TillEffect, Void>(
    transform: { _, event, _ in
        switch event {
        case .add(let amount): .just(.added(amount))
        case .close: .just(.closed)
        }
    },
    apply: { (state: inout Till, effect: TillEffect) in
        switch effect {
        case .added(let amount): state.total += amount
        case .closed: state.closesAt = nil
        }
    })

func checkDurability() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("moonlight-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let schema = Schema(TillEffect.self, version: 2).upcasting(from: 1) { (old: OldEffect) in
        switch old {
        case .sum(let amount): .added(amount)
        }
    }
    let store = try await Store(
        reducer: till, initialState: Till(), environment: (),
        durable: .folder(
            folder, schema: schema, acknowledge: .later(every: .milliseconds(10)), snapshotEvery: 100, keepsHistory: true,
            keys: .latest(10, within: .seconds(60))),
        feedback: { states in [states.react(at: { $0.closesAt }) { _ in Just(.close) }] }
    ) { interrupted in
        print(interrupted.job ?? "", interrupted.key, interrupted.attempts)
        return .send(interrupted.event)
    }
    for _ in 0..<2 {
        _ = await store.send(.add(1), key: "one")
        check("an answer is given again", try await store.send(.add(1), key: "two") { $0.total }, 2)
    }
    if let durability = store.durability {
        try await durability.flush()
        try await durability.snapshot()
        check("the log is healthy", durability.status, .healthy)
        store.cancel()
        await durability.closed()
    }
    let plain = try await Store(
        reducer: till, initialState: Till(), environment: (),
        durable: Durable(storage: FolderStorage(folder), schema: schema, state: Schema(Till.self), acknowledge: .afterWrite))
    check("the state is there again", plain.state.total, 2)
    await plain.drain(within: nil)
    check("no work is done here", DurableWork.current?.key, nil)
}
