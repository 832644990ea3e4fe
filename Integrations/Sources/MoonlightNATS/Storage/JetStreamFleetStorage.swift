@_spi(Storage) public import MoonlightDurability
import StorageSupport
import Synchronization

/// The logs of a fleet's members in a stream of NATS JetStream.
///
/// ```swift
/// let storage = JetStreamFleetStorage("rooms", in: NATS(["nats://a:4222", "nats://b:4222", "nats://c:4222"], replicas: 3))
/// ```
/// Each member's log is a subject. Each append names the expected last message of the subject, so that a log has a single history
/// even with several writers. A fleet that was cut off while another one took over its members receives
/// ``DurabilityError/conflict(id:expected:)``.
///
/// A snapshot is part of the message with the records that it follows, and replaces all earlier messages. The records of a batch
/// and a snapshot may be as large as a message of the servers, by default 1 MB.
public final class JetStreamFleetStorage: FleetStorage, Sendable {
    private let cluster: NATS
    private let isRouted: Bool
    private let opening: Opening<Opened>
    /// A cache of the ends of logs, by subject, since `String` treats some different ids as equal. A missing one is requested.
    private let tails = Mutex<[String: Tail]>([:])
    /// The ids of the current listing, in order.
    private let listed = Mutex<[String]>([])

    private struct Opened {
        let identity: UInt64
        let stream: MessageStream
        let lease: Lease?
    }

    /// The end of a member's log.
    private struct Tail {
        /// The number of the last message; 0 if there is none.
        var message: UInt64 = 0
        /// The last record.
        var last: UInt64 = 0
        var due: Int64?
        /// The message that marks the member as possibly due, if it is known.
        var mark: UInt64?
    }

    private static let mostTails = 1 << 16

    /// Creates a storage. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - fleet: The name of the fleet: letters, digits, `-` and `_`.
    ///   - cluster: The servers.
    ///   - isRouted: True if a router, such as `FleetRouter`, assigns these logs to processes. Otherwise the storage takes a
    ///     lease when it is opened, and a second fleet receives ``DurabilityError/inUse(place:holder:)``.
    public init(_ fleet: String, in cluster: NATS, isRouted: Bool = false) {
        self.cluster = cluster
        self.isRouted = isRouted
        opening = Opening(fleet, of: "fleet")
    }

    private var subjects: MemberSubjects { MemberSubjects(fleet: opening.name) }

    /// The identity of these logs among those of other fleets; 0 before they are opened.
    public var identity: UInt64 { opening.content?.identity ?? 0 }

    /// The maximum size of a record or a snapshot in bytes: that of a message, without its overhead; 0 before the logs are
    /// opened.
    public var largestPayload: Int { max((opening.content?.stream.jetStream.largest ?? 0) - MemberMessage.overhead - 8, 0) }

    /// Creates the stream if it does not exist, and reads the members that may be due.
    @_spi(Storage) public func open() throws -> [(id: String, due: Int64)] {
        var dues: [(id: String, due: Int64)] = []
        try opening.open {
            guard MemberSubjects.isName(opening.name) else {
                throw DurabilityError.unwritable("the name of a fleet may only contain letters, digits, - and _: \(opening.name)")
            }
            let jetStream = try JetStream.shared(cluster)
            let lease = isRouted ? nil : try Lease(jetStream, key: "fleet-\(opening.name)")
            do {
                let stream = try MessageStream(jetStream, name: subjects.stream, subjects: subjects.all)
                let identity = try identity(in: stream)
                dues = try self.dues(in: stream)
                return Opened(identity: identity, stream: stream, lease: lease)
            } catch {
                lease?.end()
                throw error
            }
        }
        return dues
    }

    private func identity(in stream: MessageStream) throws(DurabilityError) -> UInt64 {
        var bytes: [UInt8] = []
        bytes.append(UInt64.random(in: 1...UInt64.max))
        // If there is an identity already, this one is not appended.
        _ = try stream.publish(.init(subject: subjects.identity, bytes: bytes, expected: 0))
        var rest = (try stream.last(of: subjects.identity)?.bytes ?? [])[...]
        guard let identity = rest.take(UInt64.self) else { throw .storage("NATS: the fleet \(opening.name) has no identity") }
        return identity
    }

    private func dues(in stream: MessageStream) throws(DurabilityError) -> [(id: String, due: Int64)] {
        var dues: [(id: String, due: Int64)] = []
        for subject in try stream.subjects(subjects.dues) {
            guard let id = MemberSubjects.id(of: subject), let mark = try stream.last(of: subject)?.sequence else { continue }
            if let due = try tail(of: id, in: stream).due {
                dues.append((id, due))
            } else {
                // If a concurrent append marks it again, that mark stays.
                try stream.purge(subject, before: mark + 1)
            }
        }
        return dues
    }

    private func tail(of id: String, in stream: MessageStream) throws(DurabilityError) -> Tail {
        guard let message = try stream.last(of: subjects.log(of: id)) else { return Tail() }
        let content = try MemberMessage(message.bytes, at: message.sequence)
        return Tail(message: message.sequence, last: content.last, due: content.due)
    }

    private func note(_ tail: Tail, of id: String) {
        tails.withLock { tails in
            let subject = subjects.log(of: id)
            if tails.count >= Self.mostTails, tails[subject] == nil { tails.removeAll() }
            tails[subject] = tail
        }
    }

    /// Reads the log of a member. One message suffices if the last one has a snapshot of everything.
    @_spi(Storage) public func read(_ id: String) throws -> MemberLog {
        try MemberSubjects.check(id)
        let stream = try opening.live.stream
        var patience = Patience(cluster.patience, pause: 20)
        while true {
            do throws(DurabilityError) { return try read(id, in: stream) } catch {
                // If the leader of the stream has changed since the read began, the messages may have other numbers.
                guard case .missing = error, !patience.hasEnded else { throw error }
                patience.wait()
            }
        }
    }

    private func read(_ id: String, in stream: MessageStream) throws(DurabilityError) -> MemberLog {
        let subject = subjects.log(of: id)
        guard let end = try stream.last(of: subject) else {
            note(Tail(), of: id)
            return MemberLog()
        }
        let last = try MemberMessage(end.bytes, at: end.sequence)
        var messages: [MemberMessage] = []
        if last.replaces {
            messages = [last]
        } else {
            var place: UInt64 = 0
            while place < end.sequence, let message = try stream.next(of: subject, from: place + 1) {
                messages.append(try MemberMessage(message.bytes, at: message.sequence))
                place = message.sequence
            }
        }
        let log = try MemberLog(messages)
        guard log.last >= last.last else {
            throw .missing(from: log.last + 1, to: last.last, reason: "the stream \(stream.name) does not contain them")
        }
        note(Tail(message: end.sequence, last: last.last, due: last.due), of: id)
        return log
    }

    /// Appends to the logs of members. All messages are sent before the first answer is awaited.
    @_spi(Storage) public func append(_ batch: [MemberAppend], synced: Bool) throws -> [DurabilityError?] {
        let stream = try opening.live.stream
        var errors = [DurabilityError?](repeating: nil, count: batch.count)
        var ready: [(place: Int, tail: Tail, messages: [MemberMessage])] = []
        for (place, append) in batch.enumerated() {
            switch MemberMessage.split(append, largest: stream.jetStream.largest) {
            case .failure(let error): errors[place] = error
            case .success(let messages):
                let tail = try tail(before: append, in: stream)
                if tail.last == append.expected {
                    ready.append((place, tail, messages))
                } else {
                    errors[place] = .conflict(id: append.id, expected: append.expected)
                }
            }
        }
        try mark(&ready, batch, stream)
        let placed = try stream.publish(
            ready.map { entry in
                publication(entry.messages[0], of: batch[entry.place].id, after: entry.tail.message)
            })
        for (entry, message) in zip(ready, placed) {
            let append = batch[entry.place]
            guard var message else {
                tails.withLock { $0[subjects.log(of: append.id)] = nil }
                errors[entry.place] = .conflict(id: append.id, expected: append.expected)
                continue
            }
            for more in entry.messages.dropFirst() {
                guard let next = try stream.publish(publication(more, of: append.id, after: message)) else {
                    throw DurabilityError.storage("another owner has appended to the log of \(append.id) during a batch")
                }
                message = next
            }
            unmark(Tail(message: message, last: append.last, due: append.due, mark: entry.tail.mark), of: append.id, stream)
        }
        return errors
    }

    /// Returns the cached end of a log, for an append. If another writer has appended since, the servers refuse the append.
    private func tail(before append: MemberAppend, in stream: MessageStream) throws(DurabilityError) -> Tail {
        if let known = tails.withLock({ $0[subjects.log(of: append.id)] }), known.last == append.expected { return known }
        return try tail(of: append.id, in: stream)
    }

    private func publication(_ message: MemberMessage, of id: String, after last: UInt64) -> MessageStream.Publication {
        .init(subject: subjects.log(of: id), bytes: message.bytes, expected: last, replaces: message.replaces)
    }

    /// Marks the members that become due, before the append, so that none is missed. Marks without a due time are removed when
    /// the logs are opened.
    private func mark(
        _ ready: inout [(place: Int, tail: Tail, messages: [MemberMessage])], _ batch: [MemberAppend], _ stream: MessageStream
    ) throws(DurabilityError) {
        let places = ready.indices.filter { batch[ready[$0].place].due != nil && ready[$0].tail.due == nil }
        if places.isEmpty { return }
        let marks = try stream.publish(
            places.map { .init(subject: subjects.due(of: batch[ready[$0].place].id), bytes: [], expected: nil, replaces: true) })
        for (place, mark) in zip(places, marks) { ready[place].tail.mark = mark }
    }

    /// Removes the mark of a member that is no longer due, if this storage has written it.
    private func unmark(_ tail: Tail, of id: String, _ stream: MessageStream) {
        var tail = tail
        if tail.due == nil, let mark = tail.mark {
            try? stream.purge(subjects.due(of: id), before: mark + 1)
            tail.mark = nil
        }
        note(tail, of: id)
    }

    /// Removes the log of a member: all messages of its subject, and its mark.
    @_spi(Storage) public func remove(_ id: String) throws {
        let stream = try opening.live.stream
        try stream.purge(subjects.log(of: id))
        try stream.purge(subjects.due(of: id))
        tails.withLock { $0[subjects.log(of: id)] = nil }
    }

    /// Does nothing: acknowledged messages are on a majority of the servers.
    @_spi(Storage) public func sync() throws { _ = try opening.live }

    /// Returns some of the ids, in the order of their bytes. The servers list all of them for the first page.
    @_spi(Storage) public func ids(after cursor: String?, limit: Int) throws -> (ids: [String], next: String?) {
        let stream = try opening.live.stream
        var all = listed.withLock { $0 }
        if cursor == nil || all.isEmpty {
            all = try stream.subjects(subjects.logs).compactMap { MemberSubjects.id(of: $0) }
                .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            listed.withLock { $0 = all }
        }
        let page = all.drop { id in cursor.map { !$0.utf8.lexicographicallyPrecedes(id.utf8) } ?? false }.prefix(limit)
        let isLast = page.endIndex == all.endIndex
        if isLast { listed.withLock { $0 = [] } }
        return (Array(page), isLast ? nil : page.last)
    }

    /// The number of members.
    @_spi(Storage) public func count() throws -> Int { try opening.live.stream.subjects(subjects.logs).count }

    /// Releases the lease.
    @_spi(Storage) public func close() async { opening.close { $0.lease?.end() } }
}

@_spi(Storage) extension JetStreamFleetStorage: FleetBackend {}
