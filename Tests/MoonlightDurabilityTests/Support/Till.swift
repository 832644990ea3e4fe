import Moonlight
@_spi(Storage) import MoonlightDurability
import MoonlightTestSupport
import Streams
import Testing

/// The till of the tests of durable stores. The test plays the bank that does its work.
struct Till: Equatable, Sendable, Codable {
    var total = 0
    var receipts: [String] = []

    enum Event: Equatable, Sendable, Codable {
        case add(Int)
        /// Adds two amounts by two effects.
        case addBoth(Int, Int)
        /// Adds the answer of the bank.
        case pay(String)
        case payAgain(String)
        case refuse
    }

    enum Effect: Equatable, Sendable, Codable {
        case added(Int)
        case paid(String)
        case lost(String)
    }

    static let reducer = Reducer<Till, Event, Effect, Bank>(
        transform: { state, event, bank in
            bank.seen.append(state.total)
            switch event {
            case .add(let amount): return .just(.added(amount))
            case .addBoth(let one, let other): return AnyPublisher([Effect.added(one), .added(other)].publisher)
            case .pay(let name), .payAgain(let name):
                return bank.pay(name).job("pay", .merge).eraseToAnyPublisher()
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

extension Reducer<Till, Till.Event, Till.Effect, Bank> {
    /// The reducer of tills, but for `lost`, which `apply` rejects.
    static let losingNothing = Reducer(
        transform: { state, event, bank in try Till.reducer.transform(state, event, bank) },
        apply: { (state: inout Till, effect: Till.Effect) in
            if case .lost = effect { throw Rejection("nothing is lost") }
            try Till.reducer.apply(effect, to: &state)
        })

    /// Pays both names for each event to pay, by a stream each.
    ///
    /// - Parameters:
    ///   - areJobs: True if each stream is a job with the name as its id.
    ///   - skipsPaid: True if a name with a receipt is not paid again.
    static func payingBoth(_ one: String, _ other: String, areJobs: Bool, skipsPaid: Bool = false) -> Reducer {
        func paying(_ name: String) -> Reducer {
            Reducer(
                transform: { state, event, bank in
                    if skipsPaid && state.receipts.contains(name) { return .none }
                    guard case .pay = event else { return .none }
                    return areJobs ? bank.pay(name).job(name, .merge).eraseToAnyPublisher() : bank.pay(name)
                },
                apply: { (state: inout Till, effect: Till.Effect) in if effect == .paid(name) { state.receipts.append(name) } })
        }
        return paying(one).combined(with: paying(other))
    }
}

/// A bank that records attempts to pay, and answers when the test says so.
final class Bank: Sendable {
    /// The totals that `transform` has received.
    let seen = Noted<Int>()
    /// Each attempt to pay, with its work.
    let attempts = Noted<Attempt>()
    private let waiting = Lock<[(name: String, promise: Payment.Promise)]>([])

    private typealias Payment = Future<Till.Effect, Never>

    struct Attempt: Equatable, Sendable {
        let name: String
        let key: String?
        let number: Int?
    }

    /// An attempt can be answered as soon as it is recorded.
    func pay(_ name: String) -> AnyPublisher<Till.Effect, Never> {
        Deferred { [self] in
            Payment { promise in
                waiting.withLock { $0.append((name, promise)) }
                attempts.append(Attempt(name: name, key: DurableWork.current?.key, number: DurableWork.current?.attempt))
            }
        }.eraseToAnyPublisher()
    }

    func answer(_ name: String) {
        let answered = waiting.withLock { waiting in
            defer { waiting.removeAll { $0.name == name } }
            return waiting.filter { $0.name == name }
        }
        for (_, promise) in answered { promise(.success(.paid(name))) }
    }
}

typealias TillStore = Store<Till, Till.Event>
typealias DurableTill = Durable<Till, Till.Event, Till.Effect>

/// Opens a till on a disk. Its log is synced later only when a call of the timetable is made.
func open(
    _ disk: SimulatedDisk, _ bank: Bank = Bank(), reducer: Reducer<Till, Till.Event, Till.Effect, Bank> = Till.reducer,
    acknowledge: Acknowledgment = .afterSync, snapshotEvery: Int = .max,
    timetable: Timetable = Timetable(), keys: KeyWindow = .latest(100), schema: Schema<Till.Effect> = Schema(Till.Effect.self),
    state: Schema<Till> = Schema(Till.self), keepsHistory: Bool = false, reducerVersion: UInt32 = 1,
    interrupted: (InterruptedWork<Till.Event>) -> InterruptedWorkAnswer<Till.Event, Till.Effect> = { _ in .drop },
    feedback: (AnyPublisher<Till, Never>) -> [AnyPublisher<Till.Event, Never>] = { _ in [] }
) async throws -> TillStore {
    var durable = DurableTill(
        storage: FolderStorage("till", files: disk), schema: schema, state: state, acknowledge: acknowledge,
        snapshotEvery: snapshotEvery, keepsHistory: keepsHistory, keys: keys, reducerVersion: reducerVersion)
    durable.schedule = { timetable.add($0, $1) }
    return try await TillStore(
        reducer: reducer, initialState: Till(), environment: bank, durable: durable, feedback: feedback,
        interrupted: interrupted)
}

/// Opens a store that keeps history, sends three events of which the second cannot be written, and resumes the log before the third.
func openResumed(_ disk: SimulatedDisk) async throws -> TillStore {
    let store = try await open(disk, keepsHistory: true)
    expectEqual(word(await store.send(.add(1))), "done")
    disk.faults = [disk.calls + 1: .isShort(7), disk.calls + 2: .fails(.full)]
    expectEqual(word(await store.send(.add(2))), "not durable")
    try await store.durability?.resume()
    expectEqual(word(await store.send(.add(4))), "done")
    return store
}

extension Store {
    /// Ends the store, and waits until its log is closed.
    func close() async {
        cancel()
        await durability?.closed()
    }
}

/// The answer of a send as one word.
func word(_ result: Result<Void, SendError>) -> String {
    switch result {
    case .success: "done"
    case .failure(.rejected(let error)): "rejected: \(error)"
    case .failure(.notDurable(_, let isTaken)): "not durable\(isTaken ? "" : ", not taken")"
    case .failure(let error): "\(error)"
    }
}
