import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

/// State of the calling actor, which the closures use.
@MainActor
@Suite("Opening a durable store on an actor")
struct OpeningTests {
    private final class Notes { var events: [Till.Event] = [] }

    @Test("A durable store is opened with closures that use the state of the calling actor")
    func closures() async throws {
        let (disk, bank, notes) = (SimulatedDisk(), Bank(), Notes())
        let store = try await open(disk, bank)
        store.post(.pay("rent"))
        await bank.attempts.count(1)
        await store.close()
        let durable = DurableTill(
            storage: FolderStorage("till", files: SimulatedDisk(disk.files)), schema: Schema(Till.Effect.self),
            state: Schema(Till.self))
        let again = try await Store(
            reducer: Till.reducer, initialState: Till(), environment: bank, durable: durable,
            feedback: { _ in
                notes.events.append(.add(1))
                return []
            },
            interrupted: { interrupted in
                notes.events.append(interrupted.event)
                return .drop
            })
        expectEqual(notes.events, [.pay("rent"), .add(1)])
        await again.close()
    }
}
