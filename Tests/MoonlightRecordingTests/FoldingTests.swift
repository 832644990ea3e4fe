import Foundation
import Moonlight
import MoonlightDurability
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightRecording

private struct Till: Codable, Equatable, Sendable {
    var sum = 0
    var items: [String] = []
}

private enum Sale: Codable, Sendable {
    case sold(String, Int)
    case cleared
}

private let till = Reducer<Till, Sale, Sale, Void>(
    transform: { _, event, _ in .just(event) },
    apply: { (state: inout Till, effect: Sale) in
        switch effect {
        case .sold(let name, let price): (state.sum, state.items) = (state.sum + price, state.items + [name])
        case .cleared: state = Till()
        }
    })

@Suite("Recording: a durable log as a recording")
struct FoldingTests {
    @Test("Each effect of a log is a step with the state after it")
    func log() async throws {
        let folder = temporaryPath()
        defer { removeFile(folder) }
        let store = try await Store(
            reducer: till, initialState: Till(), environment: (), durable: .folder(folder, schema: Schema(Sale.self))
        ) { .send($0.event) }
        for event in [Sale.sold("tea", 3), .sold("bread", 4), .cleared, .sold("milk", 2)] { await store.send(event) }
        store.cancel()
        await store.durability?.closed()
        let recording = Recording(of: till)
        let log = Durable<Till, Sale, Sale>.folder(folder, schema: Schema(Sale.self))
        _ = try await log.verify(recording.folding(till, from: Till()), from: Till())
        let read = try Recording<Till, Sale, Sale>(bytes: recording.bytes)
        try expectEqual(
            read.steps().map(\.description),
            [
                "1  effect sold(\"tea\", 3): sum: 0 → 3, items[0]: nothing → \"tea\"",
                "2  effect sold(\"bread\", 4): sum: 3 → 7, items[1]: nothing → \"bread\"",
                "3  effect cleared: sum: 7 → 0, items[1]: \"bread\" → nothing, items[0]: \"tea\" → nothing",
                "4  effect sold(\"milk\", 2): sum: 0 → 2, items[0]: nothing → \"milk\"",
            ])
        try expectEqual(read.state(at: 2, by: till), Till(sum: 7, items: ["tea", "bread"]))
        try expectEqual(read.state(at: 0, by: till), Till())
        try expectEqual(read.firstStep(by: till) { $0.items == ["milk"] }?.number, 4)
    }

    @Test("A log whose first records are gone is recorded from its oldest snapshot on")
    func pruned() async throws {
        let folder = temporaryPath()
        defer { removeFile(folder) }
        let store = try await Store(
            reducer: till, initialState: Till(), environment: (), durable: .folder(folder, schema: Schema(Sale.self))
        ) { .send($0.event) }
        for price in 1...4 {
            await store.send(.sold("tea", price))
            try await store.durability?.snapshot()
        }
        await store.send(.sold("milk", 5))
        // The records that the older of two snapshots includes are removed when a later request is handled.
        try await store.durability?.flush()
        store.cancel()
        await store.durability?.closed()
        let recording = Recording(of: till)
        let log = Durable<Till, Sale, Sale>.folder(folder, schema: Schema(Sale.self))
        _ = try await log.verify(recording.folding(till, from: Till()), from: Till())
        try expectEqual(
            recording.steps().map(\.description),
            [
                "1  effect sold(\"tea\", 4): sum: 6 → 10, items[3]: nothing → \"tea\"",
                "2  effect sold(\"milk\", 5): sum: 10 → 15, items[4]: nothing → \"milk\"",
            ])
        try expectEqual(recording.state(at: 0, by: till).sum, 6)
        try expectEqual(recording.state(at: 2, by: till).sum, 15)
        try expectEqual(recording.firstStep(by: till) { $0.sum >= 15 }?.number, 2)
    }
}
