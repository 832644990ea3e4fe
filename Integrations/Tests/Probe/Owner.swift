import Foundation
import Moonlight
import MoonlightDurability
@_spi(Storage) import MoonlightNATS
import TestLoops

/// An owner of a log, in a process that a test kills. It sends numbers to a durable store, and prints each acknowledged one.
enum Owner {
    static func run(_ name: String, _ servers: [String]) async throws {
        let cluster = NATS(servers, replicas: 3, lease: .seconds(6))
        let store = try await Store(
            reducer: Ledger.reducer, initialState: Ledger(), environment: (),
            durable: Durable(
                storage: JetStreamStorage(name, in: cluster), schema: Schema(Ledger.Entry.self), state: Schema(Ledger.self),
                snapshotEvery: 50))
        var number = store.state.counts[1] ?? 0
        while true {
            number += 1
            if case .failure(let error) = await store.send(Ledger.Entry(sender: 1, number: number), until: .decided) {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(1)
            }
            FileHandle.standardOutput.write(Data("\(number)\n".utf8))
        }
    }
}
