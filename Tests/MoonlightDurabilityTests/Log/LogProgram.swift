import MoonlightTestSupport
import Testing

@_spi(Storage) @testable import MoonlightDurability

/// A generated program of calls of a log: it appends records with and without a sync, makes segments and snapshots, closes the
/// log and opens it again. The state is a number into which each payload is mixed.
struct LogProgram {
    enum Step {
        case append([[UInt8]], synced: Bool)
        case sync
        case snapshot(keepsHistory: Bool)
        case reopen
    }

    let steps: [Step]
    static let versions = LogSnapshot.Versions(effects: 1, state: 1, reducer: 1)

    init(seed: Int) {
        var dice = Dice(seed: seed)
        steps = (0..<(3 + dice.roll(12))).map { _ in
            switch dice.roll(10) {
            case 0: return .sync
            case 1, 2: return .snapshot(keepsHistory: dice.roll(4) == 0)
            case 3: return .reopen
            default:
                let payloads = (0...dice.roll(3)).map { _ in (0..<dice.roll(9)).map { _ in UInt8(dice.roll(256)) } }
                return .append(payloads, synced: dice.roll(3) == 0)
            }
        }
    }

    /// The result of a run.
    struct Outcome {
        /// The state after each record; the first is the initial state.
        var states: [UInt64] = [0]
        /// The last record that was acknowledged as durable.
        var acknowledged = 0

        /// Opens and checks the remains of a crash, and continues, perhaps with another crash.
        func check(_ image: [String: [UInt8]], _ dice: inout Dice, _ name: String) throws {
            let disk = SimulatedDisk(image)
            // A second crash, during the recovery.
            if dice.roll(3) == 0 {
                disk.crash = 1 + dice.roll(6)
                if let log = try? LogProgram.open(disk) { try? LogProgram.recover(log).append([record(0)], synced: true) }
                if disk.isCrashed {
                    let image = disk.contents.image(&dice)
                    return try check(onceMore: SimulatedDisk(image), mayHave: record(0), name + ", a second crash")
                }
                disk.unlockAll()
                return try check(onceMore: SimulatedDisk(disk.files), mayHave: record(0), name)
            }
            try check(onceMore: disk, mayHave: nil, name)
        }

        private func record(_ sequence: UInt64) -> LogRecord { LogRecord(sequence: sequence, schema: 1, payload: [1, 2, 3]) }

        private func check(onceMore disk: SimulatedDisk, mayHave extra: LogRecord?, _ name: String) throws {
            let log = try LogProgram.open(disk)
            let recovered = try LogProgram.recover(log)
            var last = Int(recovered.last)
            if extra != nil, last >= 1, last - 1 < states.count,
                recovered.state == LogProgram.mix(states[last - 1], [1, 2, 3])
            {
                last -= 1
            } else {
                guard last < states.count else {
                    Issue.record("\(name): record \(last) of \(states.count - 1)")
                    return
                }
                expectEqual(recovered.state, states[last], "\(name): the state after \(last)")
            }
            expect(last >= acknowledged, "\(name): \(last) of \(acknowledged) acknowledged")
            // The log continues, and later acknowledgments are kept, too.
            try recovered.append([record(0)], synced: true)
            log.close()
            let again = try LogProgram.open(SimulatedDisk(disk.files))
            let state = try LogProgram.recover(again).state
            expectEqual(state, LogProgram.mix(recovered.state, [1, 2, 3]), "\(name): what was appended after the recovery")
        }
    }

    /// Runs the program until it ends or the disk crashes. After any other failure, it restarts the log and continues.
    func run(on disk: SimulatedDisk) throws -> Outcome {
        var outcome = Outcome()
        guard var log = try attempt(on: disk, { try Self.recover(Self.open(disk)) }) else { return outcome }
        for step in steps where !disk.isCrashed {
            switch step {
            case .append(let payloads, let synced):
                for payload in payloads { outcome.states.append(Self.mix(outcome.states[outcome.states.count - 1], payload)) }
                let first = outcome.states.count - payloads.count
                let records = payloads.enumerated().map {
                    LogRecord(sequence: UInt64(first + $0.offset), schema: 1, payload: $0.element)
                }
                guard succeeds(log, outcome, disk, { try log.log.append(records, synced: synced) }) else { break }
                if synced { outcome.acknowledged = outcome.states.count - 1 }
            case .sync:
                if succeeds(log, outcome, disk, { try log.log.sync() }) { outcome.acknowledged = outcome.states.count - 1 }
            case .snapshot(let keepsHistory):
                if succeeds(log, outcome, disk, { try log.log.roll() }) {
                    // A failed snapshot is not a failure of the log.
                    try? log.log.save(Self.snapshot(outcome))
                    try? log.log.prune(keepsHistory: keepsHistory)
                }
            case .reopen:
                log.log.close()
                if log.log.failure == .closed, !disk.isCrashed {
                    outcome.acknowledged = max(outcome.acknowledged, Int(log.log.written))
                }
                disk.unlockAll()
                guard let next = try attempt(on: disk, { try Self.recover(Self.open(disk)) }) else { return outcome }
                log = next
                // Records that a failed close has lost do not return.
                outcome.states = Array(outcome.states.prefix(Int(log.last) + 1))
                expect(log.last >= UInt64(outcome.acknowledged))
                outcome.acknowledged = Int(log.last)
            }
        }
        return outcome
    }

    /// Makes a call that may fail; if it fails without a crash, restarts the log from a snapshot.
    private func succeeds(_ log: Recovered, _ outcome: Outcome, _ disk: SimulatedDisk, _ body: () throws -> Void) -> Bool {
        if (try? body()) != nil { return true }
        if disk.isCrashed { return false }
        #expect(throws: DurabilityError.self) { try log.log.append([], synced: false) }
        return (try? log.log.restart(from: Self.snapshot(outcome))) != nil
    }

    private func attempt(on disk: SimulatedDisk, _ body: () throws -> Recovered) throws -> Recovered? {
        for _ in 0..<2 {
            do { return try body() } catch {
                if disk.isCrashed { return nil }
                disk.unlockAll()
            }
        }
        return try body()
    }

    private static func snapshot(_ outcome: Outcome) -> LogSnapshot {
        var writer = ByteWriter()
        writer.add(outcome.states[outcome.states.count - 1])
        return LogSnapshot(sequence: UInt64(outcome.states.count - 1), versions: versions, payload: writer.bytes)
    }

    // MARK: A log

    struct Recovered {
        let log: StoreLog
        let last: UInt64
        let state: UInt64

        func append(_ records: [LogRecord], synced: Bool) throws {
            try log.append(
                records.enumerated().map {
                    .init(sequence: last + 1 + UInt64($0.offset), schema: 1, payload: $0.element.payload)
                },
                synced: synced)
        }
    }

    static func open(_ disk: SimulatedDisk, segmentSize: Int = 200) throws -> StoreLog {
        let log = StoreLog(LogFolder("log", .store, disk), segmentSize: segmentSize)
        _ = try log.open()
        return log
    }

    static func recover(_ log: StoreLog) throws -> Recovered {
        var (last, state): (UInt64, UInt64) = (0, 0)
        for sequence in LogKind.snapshots(in: try log.folder.names()).reversed() {
            guard let snapshot = try log.snapshot(at: sequence) else { continue }
            var reader = ByteReader(snapshot.payload)
            guard let found: UInt64 = reader.number() else { continue }
            (last, state) = (sequence, found)
            break
        }
        _ = try log.read(after: last) { record in
            state = mix(state, record.payload)
            last = record.sequence
        }
        try log.begin(after: last)
        return Recovered(log: log, last: last, state: state)
    }

    static func mix(_ state: UInt64, _ payload: [UInt8]) -> UInt64 {
        payload.reduce((state &+ 0x9E37_79B9) &* 0x100_0000_01B3) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
