import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("Values that cannot be written")
struct UnwritableTests {
    /// A meter, whose amounts may be numbers that JSON cannot represent.
    private struct Meter: Equatable, Sendable, Codable {
        var total = 0.0

        enum Event: Sendable, Codable {
            case add(Double)
            /// Doubles the total, which may become infinite.
            case double
        }

        enum Effect: Sendable, Codable {
            case added(Double)
            case doubled
        }

        static let reducer = Reducer<Meter, Event, Effect, Void>(
            transform: { _, event, _ in
                switch event {
                case .add(let amount): .just(.added(amount))
                case .double: .just(.doubled)
                }
            },
            apply: { (meter: inout Meter, effect: Effect) in
                switch effect {
                case .added(let amount): meter.total += amount
                case .doubled: meter.total *= 2
                }
            })
    }

    private func meter(_ disk: SimulatedDisk) async throws -> Store<Meter, Meter.Event> {
        try await Store(
            reducer: Meter.reducer, initialState: Meter(), environment: (),
            durable: Durable(
                storage: FolderStorage("meter", files: disk), schema: Schema(Meter.Effect.self), state: Schema(Meter.self)))
    }

    @Test("An event whose effect cannot be encoded is rejected, and the store continues")
    func infinity() async throws {
        let disk = SimulatedDisk()
        let store = try await meter(disk)
        expectEqual(word(await store.send(.add(1))), "done")
        guard case .failure(.rejected(DurabilityError.unwritable(let reason))) = await store.send(.add(.infinity)) else {
            Issue.record("it was not rejected")
            return
        }
        expect(reason.contains("inf"), "\(reason)")
        expectEqual(store.state.total, 1)
        expectEqual(word(await store.send(.add(1))), "done")
        expectEqual(store.durability?.status, .healthy)
        await store.close()
        let again = try await meter(disk)
        expectEqual(again.state.total, 2)
        expectEqual(again.durability?.recovery.last, 2)
        await again.close()
    }

    @Test("A state that cannot be encoded has no snapshot, and the store continues")
    func infiniteState() async throws {
        let disk = SimulatedDisk()
        let store = try await meter(disk)
        expectEqual(word(await store.send(.add(1e308))), "done")
        expectEqual(word(await store.send(.double)), "done")
        await #expect(throws: DurabilityError.self) { try await store.durability?.snapshot() }
        expectEqual(word(await store.send(.add(1))), "done")
        expectEqual(store.durability?.status, .healthy)
        disk.faults = [disk.calls + 1: .fails(.full)]
        expectEqual(word(await store.send(.add(1))), "not durable")
        let status = store.durability?.status
        let error = await #expect(throws: DurabilityError.self) { try await store.durability?.resume() }
        if case .unwritable = error {} else { Issue.record("\(String(describing: error))") }
        // The reason is still the failure of the disk.
        expectEqual(store.durability?.status, status)
        await store.close()
        let again = try await meter(disk)
        expectEqual(again.state.total, .infinity)
        await again.close()
    }

    @Test(
        "Of two effects, the one that can be encoded is in the state and in the log, and the sender gets the reason for the other"
    )
    func second() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk, schema: .withoutThirteen)
        expectEqual(word(await store.send(.addBoth(1, 13))), "rejected: a value cannot be written: no thirteen")
        expectEqual(word(await store.send(.addBoth(13, 2))), "rejected: a value cannot be written: no thirteen")
        expectEqual(store.state.total, 3)
        await store.close()
        let again = try await open(disk)
        expectEqual(again.state.total, 3)
        await again.close()
    }

    @Test("A later effect of a stream that cannot be encoded is refused and recorded, and the store continues")
    func later() async throws {
        let (disk, bank, rejected) = (SimulatedDisk(), Bank(), Recorder<String>())
        let durable = DurableTill(
            storage: FolderStorage("till", files: disk), schema: .withoutThirteen, state: Schema(Till.self))
        let options = LoopOptions<Till, Till.Event, Till.Effect>(journal: { record in
            if case .effectRejected(let effect, let error) = record.step { rejected.append("\(effect): \(error)") }
        })
        let store = try await TillStore(
            reducer: Till.reducer, initialState: Till(), environment: bank, durable: durable, options: options,
            interrupted: { _ in .drop })
        async let answer = store.send(.pay("thirteen"))
        await bank.attempts.count(1)
        bank.answer("thirteen")
        await expectEqual(word(answer), "rejected: a value cannot be written: no thirteen")
        expectEqual(rejected.all, ["paid(\"thirteen\"): a value cannot be written: no thirteen"])
        expectEqual(word(await store.send(.add(1))), "done")
        await store.close()
        let handed = Noted<String>()
        let again = try await open(disk) { work in
            handed.append(work.key)
            return .drop
        }
        expectEqual(again.state, Till(total: 1))
        expectEqual(handed.count, 0)
        await again.close()
    }

    @Test("An event that cannot be encoded and leads to work is rejected, and the work is not begun")
    func work() async throws {
        let bank = Bank()
        let codec = Codec<Till.Event>(
            encode: { event in
                if event == .pay("thirteen") { throw Rejection("no thirteen") }
                return try Codec.json.encode(event)
            }, decode: { try Codec.json.decode($0) })
        let durable = DurableTill(
            storage: NotedStorage(), schema: Schema(Till.Effect.self), state: Schema(Till.self),
            events: Schema(Till.Event.self, version: 1, codec: codec))
        let store = try await TillStore(
            reducer: Till.reducer, initialState: Till(), environment: bank, durable: durable, interrupted: { _ in .drop })
        expectEqual(word(await store.send(.pay("thirteen"))), "rejected: a value cannot be written: no thirteen")
        expectEqual(bank.attempts.count, 0)
        try await until { store.isQuiet }
        expectEqual(word(await store.send(.add(1))), "done")
        await store.close()
    }

    @Test("An effect, an event with work, a key or a reading that exceeds a record is refused, and the store continues")
    func tooLarge() async throws {
        let (storage, bank) = (NotedStorage(largestPayload: 400), Bank())
        let store = try await open(storage, bank, acknowledge: .afterSync)
        func reason(_ result: Result<Void, SendError>) -> String {
            if case .failure(.rejected(DurabilityError.unwritable(let reason))) = result { reason } else { "\(result)" }
        }
        let long = String(repeating: "x", count: 400)
        expect(reason(await store.send(.pay(long))).hasPrefix("it has "))
        expectEqual(bank.attempts.count, 0)
        expectEqual(reason(await store.send(.add(1), key: long)), "the key has 400 bytes, and a record of the log 400")
        async let answer = store.send(.pay(String(repeating: "y", count: 100)))
        await bank.attempts.count(1)
        bank.answer(String(repeating: "y", count: 100))
        await expectEqual(word(answer), "done")
        await #expect(throws: SendError.self) { try await store.send(.add(1), key: "long") { _ in long } }
        expectEqual(store.state.total, 1)
        await expectEqual(try store.send(.add(1), key: "short") { $0.total }, 2)
        expectEqual(store.durability?.status, .healthy)
        await store.close()
    }

    @Test("An event with a key whose effect was refused is answered with that reason when it is sent again")
    func key() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk, schema: .withoutThirteen)
        for _ in 0..<2 {
            expectEqual(word(await store.send(.add(13), key: "a")), "rejected: a value cannot be written: no thirteen")
        }
        await store.close()
        let again = try await open(disk)
        expectEqual(word(await again.send(.add(13), key: "a")), "rejected: a value cannot be written: no thirteen")
        expectEqual(again.state.total, 0)
        await again.close()
    }

    @Test("A reason that exceeds a record is truncated")
    func longReason() throws {
        let request = KeyedRequest<Int>(key: "a", read: nil)
        let answer = request.answer(after: 1, rejection: String(repeating: "é", count: 100), at: 0, room: 20)
        expectEqual(answer.rejection.map { $0.utf8.count <= 20 && $0.hasPrefix("éééé") }, true)
    }

    /// A value of a given depth.
    private indirect enum Deep: Equatable, Sendable, Codable {
        case leaf
        case node(Deep)

        init(depth: Int) { self = (1..<depth).reduce(.leaf) { deep, _ in .node(deep) } }

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            self = container.isAtEnd ? .leaf : .node(try container.decode(Deep.self))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            if case .node(let deep) = self { try container.encode(deep) }
        }
    }

    @Test("JSON that is nested too deeply to be read is not written", arguments: [100, 510, 511, 512, 513, 600])
    func deep(depth: Int) throws {
        let schema = Schema(Deep.self)
        guard let bytes = try? schema.write(Deep(depth: depth)) else { return expect(depth > 500) }
        try expectEqual(schema.read(bytes, version: 1, "a value", in: 1), Deep(depth: depth))
    }
}

extension Schema<Till.Effect> {
    /// A schema that rejects effects with the number 13.
    static var withoutThirteen: Schema {
        Schema(
            Till.Effect.self, version: 1,
            codec: Codec(
                encode: { effect in
                    if effect == .added(13) || effect == .paid("thirteen") { throw Rejection("no thirteen") }
                    return try Codec.json.encode(effect)
                }, decode: { try Codec.json.decode($0) }))
    }
}
