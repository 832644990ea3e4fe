import Foundation
import Moonlight
import MoonlightDurability
import Streams

struct Till: Codable, Equatable, Sendable {
    var total = 0

    enum Effect: Codable, Sendable { case added(Int) }

    static let reducer = Reducer<Till, Int, Effect, Void>(
        transform: { _, event, _ in .just(.added(event)) },
        apply: { (state: inout Till, effect: Effect) in
            if case .added(let amount) = effect { state.total += amount }
        })

    static func open(_ folder: String, _ degree: Acknowledgment, snapshotEvery: Int = .max) async throws -> Store<Till, Int> {
        try await Store(
            reducer: reducer, initialState: Till(), environment: (),
            durable: .folder(folder, schema: Schema(Effect.self), acknowledge: degree, snapshotEvery: snapshotEvery))
    }
}

extension Store {
    func close() async {
        cancel()
        await durability?.closed()
    }
}

/// Calls a body with a folder that is removed afterwards.
func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.currentDirectoryPath + "/.durability-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
}
