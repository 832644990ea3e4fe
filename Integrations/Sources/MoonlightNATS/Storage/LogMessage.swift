@_spi(Storage) import MoonlightDurability

/// A message of a log's subject.
struct LogMessage: Equatable {
    enum Kind: UInt8 {
        /// The claim of a new owner. A former owner cannot append afterwards, because it expects another last message.
        case claim
        /// Consecutive records.
        case records
        /// A continuation of the log behind a snapshot.
        case restart
    }

    var kind: Kind
    /// The identity of the log.
    var identity: UInt64
    /// The last record before this message.
    var before: UInt64
    var records: [LogRecord] = []

    /// The last record after this message.
    var last: UInt64 { records.last?.sequence ?? before }

    var bytes: [UInt8] {
        var bytes = [kind.rawValue]
        bytes.append(identity)
        bytes.append(before)
        for record in records {
            bytes.append(record.schema)
            bytes.append(UInt32(record.payload.count))
            bytes += record.payload
        }
        return bytes
    }

    /// The size of a record in bytes.
    static func size(of record: LogRecord) -> Int { 8 + record.payload.count }

    init(_ kind: Kind, identity: UInt64, before: UInt64, records: [LogRecord] = []) {
        self.kind = kind
        self.identity = identity
        self.before = before
        self.records = records
    }

    /// - Throws: An error if the message is invalid.
    init(_ bytes: [UInt8], at place: UInt64) throws(DurabilityError) {
        var rest = bytes[...]
        guard let first = rest.popFirst(), let kind = Kind(rawValue: first), let identity = rest.take(UInt64.self),
            let before = rest.take(UInt64.self)
        else { throw .damaged(file: "message \(place)", offset: 0, reason: "it is not a message of a log") }
        self.init(kind, identity: identity, before: before)
        while !rest.isEmpty {
            let offset = rest.startIndex
            guard let schema = rest.take(UInt32.self), let count = rest.take(UInt32.self), rest.count >= Int(count) else {
                throw .damaged(file: "message \(place)", offset: offset, reason: "it is truncated")
            }
            records.append(LogRecord(sequence: last + 1, schema: schema, payload: Array(rest.prefix(Int(count)))))
            rest = rest.dropFirst(Int(count))
        }
    }
}

/// A snapshot as a message.
enum SnapshotMessage {
    static func bytes(of snapshot: LogSnapshot) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(snapshot.sequence)
        for version in [snapshot.versions.effects, snapshot.versions.state, snapshot.versions.reducer] { bytes.append(version) }
        return bytes + snapshot.payload
    }

    /// Returns the snapshot; nil if the message has none.
    static func snapshot(_ bytes: [UInt8]) -> LogSnapshot? {
        var rest = bytes[...]
        guard let sequence = rest.take(UInt64.self), let effects = rest.take(UInt32.self), let state = rest.take(UInt32.self),
            let reducer = rest.take(UInt32.self)
        else { return nil }
        return LogSnapshot(
            sequence: sequence, versions: .init(effects: effects, state: state, reducer: reducer), payload: Array(rest))
    }
}

extension [UInt8] {
    mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}

extension ArraySlice<UInt8> {
    mutating func take<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        let size = Number.bitWidth / 8
        guard count >= size else { return nil }
        defer { self = dropFirst(size) }
        return prefix(size).reduce(0) { $0 << 8 | Number($1) }
    }
}
