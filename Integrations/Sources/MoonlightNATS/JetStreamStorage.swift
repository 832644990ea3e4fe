public import MoonlightDurability
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A log in a stream of NATS JetStream: the storage of a durable store that may move from one machine to another.
///
/// ```swift
/// Durable(
///     storage: JetStreamStorage("orders", in: NATS(["nats://a:4222", "nats://b:4222", "nats://c:4222"], replicas: 3)),
///     schema: Schema(OrderEffect.self), state: Schema(Orders.self))
/// ```
/// The log is a subject of the stream. Each message is appended with the last one that it expects, so that the log is one line of history,
/// whoever appends. An owner has a lease: whoever opens the log meanwhile is answered ``DurabilityError/inUse(place:holder:)``, and may try
/// again. An owner that begins appends a message of its own; whoever had the log before cannot append after that.
///
/// A record or a snapshot is at most as large as the servers admit messages, 1 MB by default.
public final class JetStreamStorage: LogStorage, @unchecked Sendable {
    // Sound: a store calls the methods one after another, as `LogStorage` says, but for `save`, which only publishes and changes the list
    // behind its lock.
    private let name: String
    private let cluster: NATS
    private var opened: Opened?
    private let isOpen = Atomic<Bool>(false)
    /// The snapshots that are in the stream, oldest first, with their messages.
    private let snapshots = Mutex<[(sequence: UInt64, message: UInt64)]>([])

    private struct Opened {
        let jetStream: JetStream
        let lease: Lease
        let identity: UInt64
        /// The messages of the log, each with the last record after it.
        var messages: [(last: UInt64, message: UInt64)] = []
        /// Whether what is in the log is known, so that something may be appended.
        var isRead = false
        var last: UInt64 = 0
    }

    /// Creates a storage. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - log: The name of the log: letters, digits, `-` and `_`.
    ///   - cluster: The servers.
    public init(_ log: String, in cluster: NATS) { (name, self.cluster) = (log, cluster) }

    private var log: String { "moonlight.log.\(name)" }
    private var snapshotSubject: String { "moonlight.snapshot.\(name)" }

    private var live: Opened {
        get throws(DurabilityError) {
            guard let opened else { throw .closed }
            return opened
        }
    }

    /// A number that tells this log from others; 0 before it is opened.
    public var identity: UInt64 { opened?.identity ?? 0 }

    /// Connects, makes the stream if it is not there, and takes the lease.
    public func open() throws -> [UInt64] {
        guard !isOpen.exchange(true, ordering: .acquiring) else {
            throw DurabilityError.inUse(place: name, holder: "another store with the same storage")
        }
        do {
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isAllowed) else {
                throw DurabilityError.unwritable("the name of a log has letters, digits, - and _: \(name)")
            }
            let jetStream = try JetStream(cluster)
            let lease = try Lease(jetStream, key: name, holder: "process \(getpid())")
            let first = try jetStream.last(of: log).map { message throws(DurabilityError) in
                try LogMessage(message.bytes, at: message.sequence)
            }
            opened = Opened(
                jetStream: jetStream, lease: lease, identity: first?.identity ?? UInt64.random(in: 1...UInt64.max))
            var found: [(sequence: UInt64, message: UInt64)] = []
            try forEachMessage(of: snapshotSubject, jetStream) { message in
                if let snapshot = SnapshotMessage.snapshot(message.bytes) { found.append((snapshot.sequence, message.sequence)) }
            }
            snapshots.withLock { $0 = found.sorted { $0.sequence < $1.sequence } }
            return found.map(\.sequence).sorted(by: >)
        } catch {
            close()
            throw error
        }
    }

    /// Reads a snapshot.
    public func snapshot(at sequence: UInt64) throws -> LogSnapshot? {
        let live = try live
        guard let place = snapshots.withLock({ $0.last { $0.sequence == sequence }?.message }),
            let message = try live.jetStream.next(of: snapshotSubject, from: place), message.sequence == place
        else { return nil }
        return SnapshotMessage.snapshot(message.bytes)
    }

    /// Reads the records after one.
    public func read(after sequence: UInt64, _ take: (LogRecord) throws -> Void) throws -> TornEnd? {
        let live = try live
        var (last, messages) = (sequence, [(last: UInt64, message: UInt64)]())
        func check(_ found: UInt64) throws(DurabilityError) {
            if found > last { throw .missing(from: last + 1, to: found, reason: "they are not in the stream") }
        }
        try forEachMessage(of: log, live.jetStream) { message in
            let content = try LogMessage(message.bytes, at: message.sequence)
            try check(content.before)
            for record in content.records where record.sequence > last {
                try take(record)
                last = record.sequence
            }
            messages.append((content.last, message.sequence))
        }
        opened?.messages = messages
        opened?.isRead = true
        return nil
    }

    /// Makes the log that of this owner.
    public func begin(after sequence: UInt64) throws {
        opened?.last = sequence
        try append(LogMessage(.claim, identity: identity, before: sequence))
    }

    /// Appends records: each message has as many as it may.
    public func append(_ records: [LogRecord], synced: Bool) throws {
        var (message, size) = (LogMessage(.records, identity: identity, before: try live.last), 32)
        let largest = try live.jetStream.largest
        for record in records {
            let more = LogMessage.size(of: record)
            guard more + 32 <= largest else {
                throw DurabilityError.unwritable(
                    "record \(record.sequence) has \(record.payload.count) bytes, and a message \(largest)")
            }
            if size + more > largest {
                try append(message)
                (message, size) = (LogMessage(.records, identity: identity, before: record.sequence - 1), 32)
            }
            message.records.append(record)
            size += more
        }
        if !message.records.isEmpty { try append(message) }
    }

    /// Does nothing: what was answered is on most servers.
    public func sync() throws { _ = try live }

    /// Does nothing: a stream has no parts.
    public func roll() throws {}

    /// Adds a snapshot.
    public func save(_ snapshot: LogSnapshot) throws {
        let live = try live
        let bytes = SnapshotMessage.bytes(of: snapshot)
        guard bytes.count <= live.jetStream.largest else {
            throw DurabilityError.unwritable(
                "a snapshot of \(bytes.count) bytes is larger than a message, \(live.jetStream.largest)")
        }
        let place = try live.jetStream.publish(bytes, to: snapshotSubject, expecting: nil, id: Self.newID())
        if let place { snapshots.withLock { $0.append((snapshot.sequence, place)) } }
    }

    /// Removes the snapshots before the last two and, unless history is kept, what the older of the two includes.
    public func letGo(keepsHistory: Bool) throws {
        let live = try live
        try live.jetStream.purge(snapshotSubject, keeping: 2)
        let kept = snapshots.withLock { snapshots in
            snapshots = snapshots.suffix(2)
            return snapshots.map(\.sequence)
        }
        guard !keepsHistory, kept.count == 2 else { return }
        // The last message stays: it is what the next one expects.
        guard let first = live.messages.dropLast().lastIndex(where: { $0.last <= kept[0] }) else { return }
        try live.jetStream.purge(log, before: live.messages[first + 1].message)
        opened?.messages.removeFirst(first + 1)
    }

    /// Goes on after a failure, behind a snapshot.
    public func restart(from snapshot: LogSnapshot) throws {
        try save(snapshot)
        opened?.last = snapshot.sequence
        try append(LogMessage(.restart, identity: identity, before: snapshot.sequence))
    }

    /// Gives the lease back, and closes the connection.
    public func close() {
        opened?.lease.end()
        opened = nil
        isOpen.store(false, ordering: .releasing)
    }

    private func append(_ message: LogMessage) throws(DurabilityError) {
        let live = try live
        guard live.isRead else { throw .storage("a log is read before it is written") }
        let place = try live.jetStream.publish(
            message.bytes, to: log, expecting: live.messages.last?.message ?? 0, id: Self.newID())
        guard let place else { throw .conflict(id: name, expected: live.last) }
        opened?.messages.append((message.last, place))
        opened?.last = message.last
    }

    /// Reads all messages of a subject, up to the one that is last for the leader of the stream.
    private func forEachMessage(
        of subject: String, _ jetStream: JetStream, _ take: (JetStream.Message) throws -> Void
    ) throws {
        guard let end = try jetStream.last(of: subject)?.sequence else { return }
        let start = ContinuousClock.now
        var place: UInt64 = 0
        while place < end {
            if let message = try jetStream.next(of: subject, from: place + 1) {
                try take(message)
                place = message.sequence
            } else if ContinuousClock.now - start > cluster.patience {
                throw DurabilityError.storage("NATS: a replica is behind, and has not caught up with message \(end)")
            }
        }
    }

    private static func newID() -> String { "\(UInt64.random(in: 0...UInt64.max))-\(UInt64.random(in: 0...UInt64.max))" }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
