import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

/// A parent with a dialog that has a result.
private struct Office: Equatable, Sendable, Codable {
    struct Dialog: Equatable, Sendable, Codable { var answer: String? }

    var dialog: Dialog?
    var answers: [String] = []

    enum Event: Equatable, Sendable, Codable {
        case ask
        case dialog(String)
        case answered(String)
    }
    enum Effect: Equatable, Sendable, Codable {
        case asked
        case dialog(String)
        case answered(String)
    }

    static let reducer = Reducer<Office, Event, Effect, Void>(
        transform: { _, event, _ in
            switch event {
            case .ask: .just(.asked)
            case .dialog: .none
            case .answered(let text): .just(.answered(text))
            }
        },
        apply: { (state: inout Office, effect: Effect) in
            switch effect {
            case .asked: state.dialog = Dialog()
            case .dialog: break
            case .answered(let text): state.answers.append(text)
            }
        }
    ).combined(
        with: Reducer<Dialog, String, String, Void>(
            transform: { _, event, _ in .just(event) },
            apply: { (state: inout Dialog, effect: String) in state.answer = effect }
        ).scoped(
            toOptional: \Office.dialog,
            event: CasePath(Event.dialog) { if case .dialog(let text) = $0 { text } else { nil } },
            effect: CasePath(Effect.dialog) { if case .dialog(let text) = $0 { text } else { nil } },
            environment: { $0 }, result: { $0.answer.map(Event.answered) }))
}

@Suite("Events that follow from effects")
struct FollowUpTests {
    private func open(_ disk: SimulatedDisk) async throws -> Store<Office, Office.Event> {
        let durable = Durable<Office, Office.Event, Office.Effect>(
            storage: FolderStorage("office", files: disk), schema: Schema(Office.Effect.self), state: Schema(Office.self))
        return try await Store(reducer: Office.reducer, initialState: Office(), environment: (), durable: durable)
    }

    @Test("A follow-up event that was not handled before a crash is handled after it, and none is handled twice")
    func handledOnce() async throws {
        var (without, with) = (0, 0)
        for crash in 1...60 {
            let disk = SimulatedDisk()
            disk.crash = crash
            guard let store = try? await open(disk) else { continue }
            _ = await store.send(.ask)
            _ = await store.send(.dialog("yes"))
            _ = await store.send(.ask)
            await store.close()
            guard disk.isCrashed else { break }
            var dice = Dice(seed: crash)
            var images: [[String: [UInt8]]] = []
            disk.contents.forEachImage(&dice, while: { images.count < 200 }, { image, _ in images.append(image) })
            for image in Budget.sample(images, quick: 15, for: "\(crash)") {
                let again = try await open(SimulatedDisk(image))
                await again.quiet()
                let effects = again.durability?.recovery.effects ?? 0
                let state = again.state
                // The first effect asks, the second answers, the third records the answer, and the fourth asks again.
                switch effects {
                case 0: expectEqual(state, Office())
                case 1: expectEqual(state, Office(dialog: .init()))
                case 2, 3: expectEqual(state, Office(dialog: nil, answers: ["yes"]))
                default: expectEqual(state, Office(dialog: .init(), answers: ["yes"]))
                }
                if effects == 2 { without += 1 }
                if effects == 3 { with += 1 }
                await again.close()
                let last = try await open(SimulatedDisk(image))
                await last.quiet()
                expectEqual(last.state, state)
                await last.close()
            }
        }
        // A sample of the images may lack one kind.
        if Budget.isExhaustive { expect(without > 0 && with > 0) }
    }

    @Test("A snapshot waits until the follow-up events of its effects have been handled")
    func snapshots() async throws {
        let storage = NotedStorage()
        let durable = Durable<Office, Office.Event, Office.Effect>(
            storage: storage, schema: Schema(Office.Effect.self), state: Schema(Office.self), snapshotEvery: 1)
        let store = try await Store(reducer: Office.reducer, initialState: Office(), environment: (), durable: durable)
        _ = await store.send(.ask)
        _ = await store.send(.dialog("yes"))
        _ = await store.send(.ask)
        await store.close()
        expectEqual(storage.calls.all.filter { $0.hasPrefix("save") }, ["save 1", "save 3", "save 4"])
    }

    @Test("A recovery considers the older of two follow-up events handled")
    func order() throws {
        var recovered = Recovered<Office, Office.Event, Office.Effect>(state: Office(), book: LogBook(.latest(1)))
        let entries: [LogEntry<Office.Event, Office.Effect>] = [
            .effect(.asked), .effect(.dialog("one")), .effect(.asked), .effect(.dialog("two")), .followUp,
        ]
        for entry in entries { try recovered.fold(entry, in: 1, Office.reducer) }
        expectEqual(recovered.followUps, [.answered("two")])
    }
}
