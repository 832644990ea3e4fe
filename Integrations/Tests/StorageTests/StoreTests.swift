import Moonlight
import MoonlightDurability
@_spi(Storage) import MoonlightPostgreSQL
import Streams
import Testing

/// A till, as in the tests of durable stores.
struct Till: Equatable, Sendable, Codable {
    var total = 0
    var receipts: [String] = []

    enum Event: Equatable, Sendable, Codable {
        case add(Int)
        case addBoth(Int, Int)
        case pay(String)
        case refuse
    }
    enum Effect: Equatable, Sendable, Codable {
        case added(Int)
        case paid(String)
        case lost(String)
    }

    struct Bank: Sendable {
        let answers = PassthroughSubject<String, Never>()
    }

    static let reducer = Reducer<Till, Event, Effect, Bank>(
        transform: { state, event, bank in
            switch event {
            case .add(let amount): return .just(.added(amount))
            case .addBoth(let one, let other): return AnyPublisher([Effect.added(one), .added(other)].publisher)
            case .pay(let name):
                return bank.answers.filter { $0 == name }.first().map(Effect.paid).job("pay", .merge).eraseToAnyPublisher()
            case .refuse: throw Rejection("no more at \(state.total)")
            }
        },
        apply: { (state: inout Till, effect: Effect) in
            switch effect {
            case .added(let amount): state.total += amount
            case .paid(let name): state.receipts.append(name)
            case .lost(let name): state.receipts.append("lost " + name)
            }
        })
}

@Suite(
    "Durable stores", .enabled(if: Server.isInstalled && Cluster.isInstalled, "servers of PostgreSQL and NATS are not installed"))
struct StoreTests {
    private func open(
        _ place: Place, _ bank: Till.Bank = Till.Bank(), acknowledge: Acknowledgment = .afterSync, snapshotEvery: Int = .max,
        reducerVersion: UInt32 = 1, keepsHistory: Bool = false,
        interrupted: (InterruptedWork<Till.Event>) -> InterruptedWorkAnswer<Till.Event, Till.Effect> = { _ in .drop }
    ) async throws -> Store<Till, Till.Event> {
        try await Store(
            reducer: Till.reducer, initialState: Till(), environment: bank,
            durable: Durable(
                storage: place.storage(), schema: Schema(Till.Effect.self), state: Schema(Till.self), acknowledge: acknowledge,
                snapshotEvery: snapshotEvery, keepsHistory: keepsHistory, reducerVersion: reducerVersion),
            interrupted: interrupted)
    }

    private func close(_ store: Store<Till, Till.Event>) async {
        store.cancel()
        await store.durability?.closed()
    }

    @Test("Reopened durable stores have the acknowledged state, for each acknowledgment", arguments: Kind.allCases)
    func reopened(_ kind: Kind) async throws {
        for degree in [Acknowledgment.afterSync, .afterWrite, .later(every: .milliseconds(5))] {
            let place = try Place(kind)
            let store = try await open(place, acknowledge: degree)
            for amount in 1...20 { #expect((try? await store.send(.add(amount), until: .decided).get()) != nil) }
            #expect((try? await store.send(.addBoth(100, 1000)).get()) != nil)
            guard case .failure(.rejected) = await store.send(.refuse) else {
                Issue.record("not rejected")
                return
            }
            await close(store)
            let again = try await open(place)
            #expect(again.state.total == 1310)
            #expect(again.durability?.recovery.last == 21)
            await close(again)
        }
    }

    @Test("Durable stores make snapshots, and continue from the newest valid one", arguments: Kind.allCases)
    func snapshots(_ kind: Kind) async throws {
        let place = try Place(kind)
        let store = try await open(place, snapshotEvery: 3, keepsHistory: true)
        for _ in 1...10 { await store.send(.add(1)) }
        try await store.durability?.snapshot()
        await close(store)
        let again = try await open(place, keepsHistory: true)
        #expect(again.state.total == 10)
        #expect(again.durability?.recovery.snapshot == 10)
        #expect(again.durability?.recovery.effects == 0)
        await close(again)
        // Snapshots of another version of the reducer are ignored; the history is complete.
        let other = try await open(place, reducerVersion: 2, keepsHistory: true)
        #expect(other.state.total == 10)
        #expect(other.durability?.recovery.snapshot == nil)
        #expect(other.durability?.recovery.effects == 10)
        await close(other)
    }

    @Test("Durable stores return interrupted work, with the same key", arguments: Kind.allCases)
    func interrupted(_ kind: Kind) async throws {
        let (place, bank) = (try Place(kind), Till.Bank())
        let store = try await open(place, bank)
        store.post(.pay("a"))
        await store.send(.add(1))
        await close(store)
        var keys: [String] = []
        let again = try await open(place, bank) { work in
            keys.append(work.key)
            return .send(work.event)
        }
        #expect(keys.count == 1)
        // The stream is in flight before it is subscribed to, which waits for the log.
        while again.state.receipts.isEmpty {
            bank.answers.send("a")
            await Task.yield()
        }
        await again.quiet()
        #expect(again.state == Till.make(total: 1, receipts: ["a"]))
        await close(again)
        let last = try await open(place, bank) { work in
            keys.append(work.key)
            return .drop
        }
        #expect(keys.count == 1)
        #expect(last.state.receipts == ["a"])
        await close(last)
    }

    @Test("Durable stores apply an event with a key once, also after they were reopened", arguments: Kind.allCases)
    func keys(_ kind: Kind) async throws {
        let place = try Place(kind)
        let store = try await open(place)
        #expect(try await store.send(.add(5), key: "k") { $0.total } == 5)
        #expect(try await store.send(.add(5), key: "k") { $0.total } == 5)
        await close(store)
        let again = try await open(place)
        #expect(try await again.send(.add(5), key: "k") { $0.total } == 5)
        #expect(again.state.total == 5)
        await close(again)
    }
}

extension Till {
    static func make(total: Int, receipts: [String]) -> Till {
        var till = Till()
        (till.total, till.receipts) = (total, receipts)
        return till
    }
}
