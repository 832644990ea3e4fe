import Moonlight
import MoonlightTestSupport
import Streams

@_spi(Storage) @testable import MoonlightDurability

/// A storage in memory that records its calls in order.
final class NotedStorage: LogBackend {
    struct Full: Error {}

    let calls = Recorder<String>()
    let largestPayload: Int
    private let pruneFailure: DurabilityError?
    private let isFull = Lock(false)

    init(largestPayload: Int = 1 << 20, pruneFailure: DurabilityError? = nil) {
        self.largestPayload = largestPayload
        self.pruneFailure = pruneFailure
    }

    var identity: UInt64 { 7 }

    func fill(_ isFull: Bool) { self.isFull.withLock { $0 = isFull } }

    func open() async throws -> [UInt64] { [] }
    func snapshot(at sequence: UInt64) async throws -> LogSnapshot? { nil }
    func read(after sequence: UInt64, _ take: (LogRecord) throws -> Void) async throws -> TornEnd? { nil }
    func begin(after sequence: UInt64) async throws {}

    func append(_ records: [LogRecord], synced: Bool) async throws {
        if isFull.withLock({ $0 }) { throw Full() }
        calls.append("append \(records.map { "\($0.sequence)" }.joined(separator: " "))\(synced ? ", synced" : "")")
    }

    func sync() async throws { calls.append("sync") }
    func roll() async throws {}
    func save(_ snapshot: LogSnapshot) async throws { calls.append("save \(snapshot.sequence)") }
    func prune(keepsHistory: Bool) async throws { if let pruneFailure { throw pruneFailure } }
    func restart(from snapshot: LogSnapshot) async throws { calls.append("restart \(snapshot.sequence)") }
    func close() async { calls.append("close") }
}

/// Scheduled calls, whose time the test advances.
final class Timetable: Sendable {
    private let calls = Noted<(time: Duration, call: @Sendable () -> Void)>()

    var times: [Duration] { calls.all.map(\.time) }

    func add(_ time: Duration, _ call: @escaping @Sendable () -> Void) { calls.append((time, call)) }

    /// Waits for a number of calls. A writer makes one after it has reported a write.
    func count(_ count: Int) async { await calls.count(count) }

    /// Makes a call.
    func fire(_ place: Int) { calls.all[place].call() }
}

/// Opens a till on a storage in memory.
func open(
    _ storage: NotedStorage, _ bank: Bank = Bank(), acknowledge: Acknowledgment, timetable: Timetable = Timetable()
) async throws -> TillStore {
    var durable = DurableTill(
        storage: storage, schema: Schema(Till.Effect.self), state: Schema(Till.self), acknowledge: acknowledge)
    durable.schedule = { timetable.add($0, $1) }
    return try await TillStore(
        reducer: Till.reducer, initialState: Till(), environment: bank, durable: durable, interrupted: { _ in .drop })
}
