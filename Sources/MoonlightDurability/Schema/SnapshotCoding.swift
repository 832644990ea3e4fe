/// Encodes a state, open work and keys as the payload of a snapshot, and decodes them.
struct SnapshotCoding<State, Event, Effect>: Sendable {
    let states: Schema<State>
    let entries: EntryCoding<Event, Effect>
    let reducerVersion: UInt32
    /// Other reducer versions whose snapshots are used.
    let believedReducers: Set<UInt32>

    var versions: LogSnapshot.Versions {
        .init(effects: entries.effects.version, state: states.version, reducer: reducerVersion)
    }

    /// Returns the version because of which a snapshot is skipped; nil if it is used.
    func doubt(_ versions: LogSnapshot.Versions) -> String? {
        if !entries.effects.knows(versions.effects) { return "effects of version \(versions.effects)" }
        if !states.knows(versions.state) { return "a state of version \(versions.state)" }
        if versions.reducer != reducerVersion, !believedReducers.contains(versions.reducer) {
            return "a reducer of version \(versions.reducer)"
        }
        return nil
    }

    func snapshot(_ state: State, _ book: LogBook<Event>, at sequence: UInt64) throws(DurabilityError) -> LogSnapshot {
        var writer = ByteWriter()
        let bytes = try states.write(state)
        guard UInt32(exactly: bytes.count) != nil else { throw .unwritable("the state has \(bytes.count) bytes") }
        writer.add(counted: bytes)
        writer.add(book.nextWork)
        let works = book.all
        writer.add(UInt32(works.count))
        for work in works { writer.add(counted: try entries.bytes(of: work)) }
        let answers = book.keys.all
        writer.add(UInt32(answers.count))
        for answer in answers { writer.add(counted: EntryCoding<Event, Effect>.bytes(of: answer)) }
        return LogSnapshot(sequence: sequence, versions: versions, payload: writer.bytes)
    }

    /// Decodes a snapshot of known versions.
    func read(_ snapshot: LogSnapshot, into book: inout LogBook<Event>) throws(DurabilityError) -> State {
        let damage = DurabilityError.unreadable(sequence: snapshot.sequence, reason: "its snapshot is malformed")
        var reader = ByteReader(snapshot.payload)
        guard let bytes = reader.counted(), let nextWork: UInt64 = reader.number(), let works: UInt32 = reader.number() else {
            throw damage
        }
        let state = try states.read(Array(bytes), version: snapshot.versions.state, "a snapshot", in: snapshot.sequence)
        for _ in 0..<works {
            guard let work = reader.counted() else { throw damage }
            book.begin(try entries.work(Array(work), in: snapshot.sequence))
        }
        guard let answers: UInt32 = reader.number() else { throw damage }
        for _ in 0..<answers {
            guard let answer = reader.counted().flatMap({ EntryCoding<Event, Effect>.answer(Array($0)) }) else { throw damage }
            book.keys.add(answer)
        }
        book.raise(nextWork: nextWork)
        return state
    }
}
