/// The encoded kinds of entries.
private enum Kind {
    static let effect: UInt8 = 1
    static let begun: UInt8 = 2
    static let ended: UInt8 = 3
    static let followUp: UInt8 = 4
    static let answered: UInt8 = 5
}

extension ByteWriter {
    /// The number of bytes before the body of an entry.
    static let entryHeaderSize = 5
    /// The number of bytes of an entry that ends work.
    static let endOfWorkSize = 13

    mutating func add(effect: [UInt8]) {
        bytes.append(Kind.effect)
        add(counted: effect)
    }

    mutating func add(work: [UInt8]) {
        bytes.append(Kind.begun)
        add(counted: work)
    }

    mutating func add(endOfWork number: UInt64) {
        bytes.append(Kind.ended)
        add(UInt32(8))
        add(number)
    }

    mutating func addFollowUp() {
        bytes.append(Kind.followUp)
        add(UInt32(0))
    }

    mutating func add(answer: [UInt8]) {
        bytes.append(Kind.answered)
        add(counted: answer)
    }
}

/// Encodes entries as the payload of a record, and decodes them.
///
/// An entry is a byte for its kind, the number of bytes of its body, and the body. An unknown kind is an error: no part of a record is
/// ever skipped.
struct EntryCoding<Event, Effect>: Sendable {
    let effects: Schema<Effect>
    /// Nil if no work is noted.
    let events: Schema<Event>?

    func append(_ entry: LogEntry<Event, Effect>, to writer: inout ByteWriter) throws(DurabilityError) {
        switch entry {
        case .effect(let effect): writer.add(effect: try effects.write(effect))
        case .begun(let work): writer.add(work: try bytes(of: work))
        case .ended(let number): writer.add(endOfWork: number)
        case .followUp: writer.addFollowUp()
        case .answered(let answer): writer.add(answer: Self.bytes(of: answer))
        }
    }

    /// Writes entries as one record.
    func record(of entries: [LogEntry<Event, Effect>], at sequence: UInt64) throws(DurabilityError) -> LogRecord {
        var writer = ByteWriter()
        for entry in entries { try append(entry, to: &writer) }
        return LogRecord(sequence: sequence, schema: effects.version, payload: writer.bytes)
    }

    /// Reads the entries of many records.
    func entries(of records: ArraySlice<LogRecord>) -> [Result<[LogEntry<Event, Effect>], DurabilityError>] {
        var decoded = decodedEffects(of: records)?.makeIterator()
        return records.map { record in
            Result { () throws(DurabilityError) in try entries(of: record, decoded: &decoded) }
        }
    }

    /// Decodes the effects of records at once; nil if that is not possible, or if one of them cannot be decoded.
    private func decodedEffects(of records: ArraySlice<LogRecord>) -> [Effect]? {
        guard let decodeAll = effects.decodeAll, records.allSatisfy({ $0.schema == effects.version }) else { return nil }
        var bodies: [ArraySlice<UInt8>] = []
        for record in records {
            var reader = ByteReader(record.payload)
            while !reader.isAtEnd {
                guard let kind: UInt8 = reader.number(), let body = reader.counted() else { return nil }
                if kind == Kind.effect { bodies.append(body) }
            }
        }
        guard let decoded = try? decodeAll(bodies), decoded.count == bodies.count else { return nil }
        return decoded
    }

    func entries(of record: LogRecord) throws(DurabilityError) -> [LogEntry<Event, Effect>] {
        var none: IndexingIterator<[Effect]>?
        return try entries(of: record, decoded: &none)
    }

    /// - Parameter decoded: The effects from this record on, if they have been decoded.
    private func entries(
        of record: LogRecord, decoded: inout IndexingIterator<[Effect]>?
    ) throws(DurabilityError) -> [LogEntry<Event, Effect>] {
        guard effects.knows(record.schema) else {
            throw .unknownVersion(of: "effects", version: record.schema, sequence: record.sequence, known: effects.known)
        }
        var reader = ByteReader(record.payload)
        var entries: [LogEntry<Event, Effect>] = []
        while !reader.isAtEnd {
            guard let kind: UInt8 = reader.number(), let body = reader.counted() else {
                throw .unreadable(sequence: record.sequence, reason: "its entries are malformed")
            }
            if kind == Kind.effect, let effect = decoded?.next() {
                entries.append(.effect(effect))
            } else {
                entries.append(try entry(kind, Array(body), record))
            }
        }
        return entries
    }

    private func entry(_ kind: UInt8, _ body: [UInt8], _ record: LogRecord) throws(DurabilityError) -> LogEntry<Event, Effect> {
        switch kind {
        case Kind.effect: return .effect(try effects.read(body, version: record.schema, "an effect", in: record.sequence))
        case Kind.begun: return .begun(try work(body, in: record.sequence))
        case Kind.ended:
            var reader = ByteReader(body)
            if let number: UInt64 = reader.number() { return .ended(number) }
        case Kind.followUp: return .followUp
        case Kind.answered: if let answer = Self.answer(body) { return .answered(answer) }
        default:
            throw .unreadable(
                sequence: record.sequence, reason: "it has an entry of kind \(kind), which a later version of the library writes")
        }
        throw .unreadable(sequence: record.sequence, reason: "an entry of kind \(kind) is malformed")
    }

    // MARK: Work

    func bytes(of work: OpenWork<Event>) throws(DurabilityError) -> [UInt8] {
        guard let events else { throw .unwritable("there is no schema of events") }
        var writer = ByteWriter()
        writer.add(work.number)
        writer.add(work.replaces)
        writer.add(work.attempt)
        writer.add(work.key)
        writer.add(work.job)
        writer.add(events.version)
        writer.add(counted: try events.write(work.event))
        writer.add(work.first)
        writer.add(UInt8(work.isEnded ? 1 : 0))
        return writer.bytes
    }

    func work(_ bytes: [UInt8], in sequence: UInt64) throws(DurabilityError) -> OpenWork<Event> {
        var reader = ByteReader(bytes)
        guard let number: UInt64 = reader.number(), let replaces: UInt64 = reader.number(), let attempt: UInt32 = reader.number(),
            let key = reader.text(), let job = reader.text(), let version: UInt32 = reader.number(), let event = reader.counted()
        else { throw .unreadable(sequence: sequence, reason: "an entry of work is malformed") }
        guard let events else {
            throw .unreadable(sequence: sequence, reason: "it has work: give `Durable` or `DurableFleet` a schema of events")
        }
        // Logs of earlier versions of the library do not say which streams have the same event.
        let first: UInt64 = reader.number() ?? number
        let isEnded: UInt8 = reader.number() ?? 0
        return OpenWork(
            number: number, first: first, replaces: replaces, key: key, attempt: attempt, job: job,
            event: try events.read(Array(event), version: version, "an event", in: sequence), isEnded: isEnded == 1)
    }

    // MARK: Answers

    static func bytes(of answer: KeyedAnswer) -> [UInt8] {
        var writer = ByteWriter()
        writer.add(answer.key)
        writer.add(answer.time)
        writer.add(UInt8(answer.rejection == nil ? 0 : 1))
        writer.add(answer.rejection ?? "")
        writer.add(counted: answer.reading)
        return writer.bytes
    }

    static func answer(_ bytes: [UInt8]) -> KeyedAnswer? {
        var reader = ByteReader(bytes)
        guard let key = reader.text(), let time: Int64 = reader.number(), let isRejected: UInt8 = reader.number(),
            let rejection = reader.text(), let reading = reader.counted()
        else { return nil }
        return KeyedAnswer(key: key, time: time, rejection: isRejected == 1 ? rejection : nil, reading: Array(reading))
    }
}
