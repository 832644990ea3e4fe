@_spi(Storage) import MoonlightDurability

/// A message of a member's subject: consecutive records, and optionally a snapshot.
struct MemberMessage: Equatable {
    /// The last record before this message.
    var before: UInt64
    /// The time at which the member must be awake again.
    var due: Int64?
    /// A snapshot, which includes all records up to its sequence: those of earlier messages, and possibly of this one.
    var snapshot: LogSnapshot?
    var records: [LogRecord] = []

    /// The last record after this message.
    var last: UInt64 { records.last?.sequence ?? before }

    /// The size in bytes of a message without records and snapshot.
    static let overhead = 64

    var bytes: [UInt8] {
        var bytes: [UInt8] = [Self.version]
        bytes.append(before)
        bytes.append(due ?? .max)
        let snapshot = snapshot.map { SnapshotMessage.bytes(of: $0) } ?? []
        bytes.append(UInt32(snapshot.count))
        bytes += snapshot
        for record in records {
            bytes.append(record.schema)
            bytes.append(UInt32(record.payload.count))
            bytes += record.payload
        }
        return bytes
    }

    init(
        before: UInt64, due: Int64? = nil, snapshot: LogSnapshot? = nil, records: [LogRecord] = []
    ) {
        self.before = before
        self.due = due
        self.snapshot = snapshot
        self.records = records
    }

    private static let version: UInt8 = 1

    /// - Throws: An error if the message is invalid.
    init(_ bytes: [UInt8], at place: UInt64) throws(DurabilityError) {
        var rest = bytes[...]
        func damaged(_ reason: String) -> DurabilityError {
            .damaged(file: "message \(place)", offset: rest.startIndex, reason: reason)
        }
        guard rest.popFirst() == Self.version, let before = rest.take(UInt64.self),
            let due = rest.take(Int64.self),
            let size = rest.take(UInt32.self)
        else { throw damaged("it is not a message of a member's log") }
        self.init(before: before, due: due == .max ? nil : due)
        guard rest.count >= Int(size) else { throw damaged("its snapshot is truncated") }
        if size > 0 {
            guard let snapshot = SnapshotMessage.snapshot(Array(rest.prefix(Int(size)))) else {
                throw damaged("its snapshot is invalid")
            }
            self.snapshot = snapshot
        }
        rest = rest.dropFirst(Int(size))
        while !rest.isEmpty {
            guard let schema = rest.take(UInt32.self), let count = rest.take(UInt32.self), rest.count >= Int(count) else {
                throw damaged("it is truncated")
            }
            records.append(LogRecord(sequence: last + 1, schema: schema, payload: Array(rest.prefix(Int(count)))))
            rest = rest.dropFirst(Int(count))
        }
    }

    /// Returns the messages of an append, with as many records in each as possible. The snapshot is in the last one.
    ///
    /// - Throws: An error if a record or the snapshot exceeds a message, or the id a subject.
    static func messages(of append: MemberAppend, largest: Int) throws(DurabilityError) -> [MemberMessage] {
        try MemberSubjects.check(append.id)
        let snapshotSize = append.snapshot.map { $0.payload.count } ?? 0
        guard snapshotSize + overhead <= largest else {
            throw .unwritable("a snapshot of \(append.id) has \(snapshotSize) bytes, but a message at most \(largest)")
        }
        var (messages, size) = ([MemberMessage(before: append.expected, due: append.due)], overhead)
        for record in append.records {
            let more = LogMessage.size(of: record)
            guard more + overhead <= largest else {
                throw .unwritable(
                    "record \(record.sequence) of \(append.id) has \(record.payload.count) bytes, but a message at most \(largest)"
                )
            }
            if size + more > largest {
                messages.append(MemberMessage(before: record.sequence - 1, due: append.due))
                size = overhead
            }
            messages[messages.count - 1].records.append(record)
            size += more
        }
        guard let snapshot = append.snapshot else { return messages }
        if size + snapshotSize > largest { messages.append(MemberMessage(before: append.last, due: append.due)) }
        messages[messages.count - 1].snapshot = snapshot
        return messages
    }

    static func split(_ append: MemberAppend, largest: Int) -> Result<[MemberMessage], DurabilityError> {
        Result { () throws(DurabilityError) in try messages(of: append, largest: largest) }
    }

    /// True if no earlier message is needed any more.
    var replaces: Bool { snapshot.map { $0.sequence >= before } ?? false }
}

extension MemberLog {
    /// Creates the log from its messages, oldest first.
    init(_ messages: [MemberMessage]) throws(DurabilityError) {
        let snapshot = messages.last { $0.snapshot != nil }?.snapshot
        var (records, last) = ([LogRecord](), snapshot?.sequence ?? 0)
        for message in messages {
            // Records before the snapshot may be missing.
            if message.before > last {
                throw .missing(from: last + 1, to: message.before, reason: "the stream does not contain them")
            }
            for record in message.records where record.sequence > last {
                records.append(record)
                last = record.sequence
            }
        }
        self.init(snapshot: snapshot, records: records)
    }
}
