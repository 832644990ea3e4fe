import MoonlightRouting
import Streams
import Synchronization

/// Leases in memory, by the clock of a scheduler.
final class MemoryLeases: LeaseTable {
    struct Failure: Error {}

    struct Entry { var (holder, revision, expires): (String, UInt64, TimePoint) }

    /// The requests of leases.
    let takes = Atomic<Int>(0)
    let duration: Duration
    private let clock: VirtualTimeScheduler
    private let guarded = Mutex<(entries: [String: Entry], revision: UInt64, cut: Set<String>)>(([:], 0, []))

    init(_ clock: VirtualTimeScheduler, duration: Duration = .seconds(4)) {
        self.clock = clock
        self.duration = duration
    }

    /// Makes the calls of a holder fail from now on, or succeed again.
    func cut(_ holder: String, _ isCut: Bool = true) {
        guarded.withLock { guarded in
            if isCut { guarded.cut.insert(holder) } else { guarded.cut.remove(holder) }
        }
    }

    /// The current holder of a key.
    func holder(of key: String) -> String? {
        let now = clock.now
        return guarded.withLock { guarded in guarded.entries[key].flatMap { $0.expires > now ? $0.holder : nil } }
    }

    func take(_ key: String, for holder: String) throws -> LeaseAnswer {
        let now = clock.now
        takes.wrappingAdd(1, ordering: .relaxed)
        return try guarded.withLock { guarded in
            if guarded.cut.contains(holder) { throw Failure() }
            if let entry = guarded.entries[key], entry.expires > now, entry.holder != holder { return .held(by: entry.holder) }
            guarded.revision += 1
            guarded.entries[key] = Entry(
                holder: holder, revision: guarded.revision, expires: now.advanced(by: .init(duration)))
            return .granted(revision: guarded.revision)
        }
    }

    func renew(_ key: String, for holder: String, revision: UInt64) throws -> UInt64? {
        let now = clock.now
        return try guarded.withLock { guarded in
            if guarded.cut.contains(holder) { throw Failure() }
            guard let entry = guarded.entries[key], entry.expires > now, entry.holder == holder else { return nil }
            guarded.revision += 1
            guarded.entries[key] = Entry(
                holder: holder, revision: guarded.revision, expires: now.advanced(by: .init(duration)))
            return guarded.revision
        }
    }

    func release(_ key: String, for holder: String, revision: UInt64) {
        guarded.withLock { guarded in
            if guarded.entries[key]?.holder == holder, !guarded.cut.contains(holder) { guarded.entries[key] = nil }
        }
    }
}

extension TimeStride {
    init(_ duration: Duration) { self = .nanoseconds(Int(duration / .nanoseconds(1))) }
}
