@_spi(Storage) public import MoonlightDurability
import StorageSupport
import Synchronization

/// A log in a stream of NATS JetStream: the storage of a durable store that may move between machines.
///
/// ```swift
/// Durable(
///     storage: JetStreamStorage("orders", in: NATS(["nats://a:4222", "nats://b:4222", "nats://c:4222"], replicas: 3)),
///     schema: Schema(OrderEffect.self), state: Schema(Orders.self))
/// ```
/// The log is a subject of the stream. Each append names the expected last message, so that the log has a single history even
/// with several writers. An owner has a lease: another process that opens the log receives
/// ``DurabilityError/inUse(place:holder:)``, and may try again. A new owner first appends a claim, after which a former owner
/// cannot append.
///
/// A record or a snapshot may be as large as a message of the servers, by default 1 MB.
public final class JetStreamStorage: LogStorage, @unchecked Sendable {
    // Sound: as `LogBackend` requires, a store calls the methods one after another, except `save`, which only publishes and
    // changes the list behind its lock.
    private let cluster: NATS
    private let opening: Opening<Opened>
    /// The snapshots in the stream, oldest first, with their messages.
    private let snapshots = Mutex<[(sequence: UInt64, message: UInt64)]>([])

    private struct Opened {
        let stream: MessageStream
        let lease: Lease
        let identity: UInt64
        /// The messages of the log, each with the last record after it.
        var messages: [(last: UInt64, message: UInt64)] = []
        /// True if the contents of the log are known, so that appends are possible.
        var isRead = false
        var last: UInt64 = 0
        /// The snapshots with which the log was resumed.
        var restarts: Set<UInt64> = []
    }

    /// Creates a storage. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - log: The name of the log: letters, digits, `-` and `_`.
    ///   - cluster: The servers.
    public init(_ log: String, in cluster: NATS) {
        self.cluster = cluster
        opening = Opening(log, of: "store")
    }

    private var name: String { opening.name }

    private var log: String { "moonlight.log.\(name)" }
    private var snapshotSubject: String { "moonlight.snapshot.\(name)" }

    /// The identity of this log; 0 before it is opened.
    public var identity: UInt64 { opening.content?.identity ?? 0 }

    /// The maximum size of a record in bytes: that of a message, without its overhead; 0 before the log is opened.
    public var largestPayload: Int { max((opening.content?.stream.jetStream.largest ?? 0) - 40, 0) }

    /// Connects, creates the stream if it does not exist, and takes the lease.
    @_spi(Storage) public func open() throws -> [UInt64] {
        var found: [(sequence: UInt64, message: UInt64)] = []
        try opening.open {
            guard MemberSubjects.isName(name) else {
                throw DurabilityError.unwritable("the name of a log may only contain letters, digits, - and _: \(name)")
            }
            let stream = try MessageStream(JetStream(cluster), name: "MOONLIGHT", subjects: "moonlight.>")
            let lease = try Lease(stream.jetStream, key: "log-\(name)")
            do {
                let first = try stream.last(of: log).map { message throws(DurabilityError) in
                    try LogMessage(message.bytes, at: message.sequence)
                }
                try forEachMessage(of: snapshotSubject, stream) { message in
                    if let snapshot = SnapshotMessage.snapshot(message.bytes) {
                        found.append((snapshot.sequence, message.sequence))
                    }
                }
                return Opened(
                    stream: stream, lease: lease, identity: first?.identity ?? UInt64.random(in: 1...UInt64.max))
            } catch {
                lease.end()
                throw error
            }
        }
        snapshots.withLock { $0 = found.sorted { $0.sequence < $1.sequence } }
        return found.map(\.sequence).sorted(by: >)
    }

    /// Reads a snapshot.
    @_spi(Storage) public func snapshot(at sequence: UInt64) throws -> LogSnapshot? {
        let live = try opening.live
        guard let place = snapshots.withLock({ $0.last { $0.sequence == sequence }?.message }),
            let message = try live.stream.next(of: snapshotSubject, from: place), message.sequence == place
        else { return nil }
        return SnapshotMessage.snapshot(message.bytes)
    }

    /// Reads the records after one.
    @_spi(Storage) public func read(after sequence: UInt64, _ take: (LogRecord) throws -> Void) throws -> TornEnd? {
        let live = try opening.live
        var (last, messages) = (sequence, [(last: UInt64, message: UInt64)]())
        var restarts: Set<UInt64> = []
        func check(_ found: UInt64) throws(DurabilityError) {
            if found > last { throw .missing(from: last + 1, to: found, reason: "the stream does not contain them") }
        }
        try forEachMessage(of: log, live.stream) { message in
            let content = try LogMessage(message.bytes, at: message.sequence)
            try check(content.before)
            if content.kind == .restart { restarts.insert(content.before) }
            for record in content.records where record.sequence > last {
                try take(record)
                last = record.sequence
            }
            messages.append((content.last, message.sequence))
        }
        // Opening a log appends a claim, and the last message is never removed.
        if messages.isEmpty, let newest = snapshots.withLock({ $0.last?.sequence }) {
            throw DurabilityError.missing(
                from: newest + 1, to: newest + 1, reason: "there is a snapshot of record \(newest), but no message of the log")
        }
        opening.change { ($0.messages, $0.restarts, $0.isRead) = (messages, restarts, true) }
        return nil
    }

    /// Claims the log for this owner.
    @_spi(Storage) public func begin(after sequence: UInt64) throws {
        opening.change { $0.last = sequence }
        try append(LogMessage(.claim, identity: identity, before: sequence))
    }

    /// Appends records, as many as possible in each message.
    @_spi(Storage) public func append(_ records: [LogRecord], synced: Bool) throws {
        var (message, size) = (LogMessage(.records, identity: identity, before: try opening.live.last), 32)
        let largest = try opening.live.stream.jetStream.largest
        for record in records {
            let more = LogMessage.size(of: record)
            guard more + 32 <= largest else {
                throw DurabilityError.unwritable(
                    "record \(record.sequence) has \(record.payload.count) bytes, but a message at most \(largest)")
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

    /// Does nothing: acknowledged messages are on a majority of the servers.
    @_spi(Storage) public func sync() throws { _ = try opening.live }

    /// Does nothing: a stream has no parts.
    @_spi(Storage) public func roll() throws {}

    /// Adds a snapshot.
    @_spi(Storage) public func save(_ snapshot: LogSnapshot) throws {
        let live = try opening.live
        let bytes = SnapshotMessage.bytes(of: snapshot)
        guard bytes.count <= live.stream.jetStream.largest else {
            throw DurabilityError.unwritable(
                "a snapshot has \(bytes.count) bytes, but a message at most \(live.stream.jetStream.largest)")
        }
        let place = try live.stream.publish(.init(subject: snapshotSubject, bytes: bytes, expected: nil))
        if let place { snapshots.withLock { $0.append((snapshot.sequence, place)) } }
    }

    /// Removes the snapshots before the last two and, unless history is kept, the records that the older of the two includes. The
    /// history includes the snapshots of resumptions, which alone have the records that could not be written.
    @_spi(Storage) public func prune(keepsHistory: Bool) throws {
        let live = try opening.live
        if keepsHistory {
            let old = snapshots.withLock { $0.dropLast(2).filter { !live.restarts.contains($0.sequence) } }
            for (sequence, message) in old {
                try live.stream.remove(message)
                snapshots.withLock { $0.removeAll { $0 == (sequence, message) } }
            }
            return
        }
        try live.stream.purge(snapshotSubject, keeping: 2)
        let kept = snapshots.withLock { snapshots in
            snapshots = snapshots.suffix(2)
            return snapshots.map(\.sequence)
        }
        guard kept.count == 2 else { return }
        // The last message stays, because the next append expects it.
        guard let first = live.messages.dropLast().lastIndex(where: { $0.last <= kept[0] }) else { return }
        try live.stream.purge(log, before: live.messages[first + 1].message)
        opening.change { $0.messages.removeFirst(first + 1) }
    }

    /// Continues after a failure, behind a snapshot.
    @_spi(Storage) public func restart(from snapshot: LogSnapshot) throws {
        try save(snapshot)
        opening.change { open in
            open.last = snapshot.sequence
            open.restarts.insert(snapshot.sequence)
        }
        try append(LogMessage(.restart, identity: identity, before: snapshot.sequence))
    }

    /// Releases the lease, and closes the connection.
    @_spi(Storage) public func close() { opening.close { $0.lease.end() } }

    private func append(_ message: LogMessage) throws(DurabilityError) {
        let live = try opening.live
        guard live.isRead else { throw .storage("the log must be read before it is written") }
        let place = try live.stream.publish(
            .init(subject: log, bytes: message.bytes, expected: live.messages.last?.message ?? 0))
        guard let place else { throw .conflict(id: name, expected: live.last) }
        opening.change { open in
            open.messages.append((message.last, place))
            open.last = message.last
        }
    }

    /// Reads all messages of a subject, up to the last one according to the leader of the stream.
    private func forEachMessage(
        of subject: String, _ stream: MessageStream, _ take: (MessageStream.Message) throws -> Void
    ) throws {
        guard let end = try stream.last(of: subject)?.sequence else { return }
        try stream.forEachMessage(of: subject, upTo: end, take)
    }
}

@_spi(Storage) extension JetStreamStorage: LogBackend {}
