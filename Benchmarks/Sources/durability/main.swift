import Foundation
import Moonlight
import MoonlightDurability
import Streams
import Synchronization

// The cost of a durable store, beside the limit of the disk and, if available, SQLite in WAL mode: WITH_SQLITE=1 swift run -c
// release durability [SECONDS]

let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 2

func row(_ name: String, _ value: String) { print("| \(name) | \(value) |") }
func rate(_ count: Int, _ time: Duration) -> String { "\(Int(Double(count) / (time / .seconds(1)))) a second" }

/// Repeats a closure for the measured time, and returns its rate.
func timed(_ body: () throws -> Void) rethrows -> String {
    let start = ContinuousClock.now
    var count = 0
    while ContinuousClock.now - start < .seconds(seconds) {
        try body()
        count += 1
    }
    return rate(count, ContinuousClock.now - start)
}

func diskLimit() async throws {
    try await withFolder { folder in
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let descriptor = open(folder + "/file", O_RDWR | O_CREAT, 0o600)
        defer { close(descriptor) }
        let bytes = [UInt8](repeating: 7, count: 60)
        row(
            "the disk: append 60 bytes and fsync",
            timed {
                _ = write(descriptor, bytes, bytes.count)
                _ = fsync(descriptor)
            })
    }
}

func events(_ degree: Acknowledgment, _ name: String, senders: Int) async throws {
    try await withFolder { folder in
        let store = try await Till.open(folder, degree)
        let start = ContinuousClock.now
        let count = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<senders {
                group.addTask {
                    var count = 0
                    while ContinuousClock.now - start < .seconds(seconds) {
                        await store.send(1, until: .decided)
                        count += 1
                    }
                    return count
                }
            }
            return await group.reduce(0, +)
        }
        row("\(name), \(senders) senders that await their answers", rate(count, ContinuousClock.now - start))
        await store.close()
    }
}

func loopCost() async throws {
    let count = 1_000_000
    // In parts, so that the number of unwritten turns stays below the limit.
    func time(_ store: Store<Till, Int>) async throws -> Duration {
        var time = Duration.zero
        for _ in 0..<20 {
            time += ContinuousClock().measure { for _ in 0..<count / 20 { store.post(1) } }
            try await store.durability?.flush()
        }
        return time / count
    }
    let plain = try await time(Store(reducer: Till.reducer, initialState: Till(), environment: ()))
    // A loop with an option keeps traces, like that of a durable store.
    let optioned = try await time(
        Store(reducer: Till.reducer, initialState: Till(), environment: (), options: LoopOptions(stepLimit: .max)))
    try await withFolder { folder in
        let store = try await Till.open(folder, .later(every: .milliseconds(100)))
        let durable = try await time(store)
        row("an event in a plain loop; in one with an option; in a durable one with .later", "\(plain); \(optioned); \(durable)")
        await store.close()
    }
}

func recovery() async throws {
    try await withFolder { folder in
        let count = 1_000_000
        let store = try await Till.open(folder, .later(every: .milliseconds(100)))
        for _ in 0..<count { store.post(1) }
        try await store.durability?.flush()
        await store.close()
        var again: Store<Till, Int>?
        let whole = try await ContinuousClock().measure { again = try await Till.open(folder, .afterSync) }
        guard again?.state.total == count else { fatalError("\(String(describing: again?.state)) of \(count)") }
        row("a million records recovered", "\(whole)")
        try await again?.durability?.snapshot()
        await again?.close()
        let short = try await ContinuousClock().measure { again = try await Till.open(folder, .afterSync) }
        guard again?.state.total == count else { fatalError("the snapshot has lost something") }
        row("the same, from a snapshot", "\(short)")
        await again?.close()
    }
}

print("| what | measured |\n|---|---|")
if ProcessInfo.processInfo.environment["ONLY"] != nil {
    try await ProcessInfo.processInfo.environment["ONLY"] == "loop" ? loopCost() : recovery()
    exit(0)
}
try await diskLimit()
for (degree, name) in [
    (Acknowledgment.afterSync, "afterSync"), (.afterWrite, "afterWrite"), (.later(every: .milliseconds(50)), "later"),
] {
    for senders in [1, 8, 64] { try await events(degree, name, senders: senders) }
}
#if SQLITE
    for (isSynced, name) in [(true, "synchronous=FULL"), (false, "synchronous=OFF")] {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let log = try SQLiteLog(folder + "/log", isSynced: isSynced)
            let bytes = Array("{\"added\":{\"_0\":1}}".utf8)
            row("SQLite, WAL, \(name), one writer, a transaction an event", try timed { try log.insert(bytes) })
        }
    }
#endif
try await loopCost()
try await recovery()
