import Moonlight

/// What the folder of a fleet has when it is opened. A torn end is cut off, and what remains is synced.
struct FleetScan {
    private(set) var index = FleetIndex()
    private(set) var segments: [FleetSegment] = []
    private(set) var end: UInt64 = 0
    private(set) var dues: [ExactText: Int64] = [:]
    private(set) var tornEnd: TornEnd?
    /// The number of members whose newest frame was found, and its base was not.
    private var orphans = 0
    /// Up to which position everything was synced, as the frames say.
    private var synced: UInt64 = 0

    init(_ files: FleetFiles) throws {
        let names = try files.files.names(in: files.folder)
        for name in names where name.hasSuffix(FolderNames.unfinished) { try files.files.remove(files.path(name)) }
        // Names that a process has given and not synced before it ended.
        try files.files.syncFolder(files.folder)
        let firsts = FleetNames.segments(in: names)
        guard let last = firsts.last else {
            if !FolderNames.segments(in: names).isEmpty || !FolderNames.snapshots(in: names).isEmpty {
                throw DurabilityError.storage("\(files.folder) has the log of a store, and not those of a fleet")
            }
            let made = WallTime.now.sinceEpoch.nanoseconds
            segments = [try files.make(0, identity: UInt64.random(in: 1...UInt64.max), made: made)]
            return
        }
        for (first, next) in zip(firsts, firsts.dropFirst()) { try read(files.open(first, .reading), next: next) }
        try readLast(files.open(last, .writing))
        guard orphans == 0 else {
            throw DurabilityError.missing(
                from: firsts[0], to: firsts[0], reason: "the oldest parts of the logs of \(orphans) members are not there")
        }
    }

    private mutating func begin(_ segment: FleetSegment) throws {
        if let first = segments.first, first.identity != segment.identity {
            throw damage(segment, segment.first, "it is of another fleet")
        }
        segments.append(segment)
        end = segment.first
    }

    private mutating func read(_ segment: FleetSegment, next: UInt64) throws {
        try begin(segment)
        var reader = try FrameReader(segment, to: next)
        if let reason = try read(&reader) { throw damage(segment, reader.position, reason) }
        guard reader.position == next else {
            throw DurabilityError.missing(
                from: reader.position, to: next, reason: "\(FleetNames.segment(next)) does not follow the segment before it")
        }
    }

    private mutating func readLast(_ segment: FleetSegment) throws {
        try begin(segment)
        var reader = try FrameReader(segment)
        if let reason = try read(&reader) {
            if try reader.isProvenDamaged() { throw damage(segment, reader.position, reason) }
            let offset = segment.offset(of: reader.position)
            tornEnd = TornEnd(
                file: FleetNames.segment(segment.first), offset: offset, sequence: reader.position, count: reader.rest)
            try segment.file.truncate(to: offset)
        }
        // If a sync has failed before, the system may take what it could not write for written: it shows the bytes to readers, and
        // another sync would succeed without them.
        var position = max(synced, segment.first)
        while position < end {
            let bytes = try segment.file.read(min(Int(end - position), 1 << 20), at: segment.offset(of: position))
            guard !bytes.isEmpty else { throw FileFailure(.read, nil, .device) }
            try segment.file.write(bytes, at: segment.offset(of: position))
            position += UInt64(bytes.count)
        }
        try segment.file.sync()
    }

    /// Reads frames up to the end.
    ///
    /// - Returns: Why it has ended before; nil if it has not.
    private mutating func read(_ reader: inout FrameReader) throws -> String? {
        while true {
            let place = reader.position
            switch try reader.next() {
            case .end: return nil
            case .bad(let reason): return reason
            case .frame(let header, let id):
                guard take(header, id, at: place) else {
                    throw damage(reader.segment, place, "it does not follow the frame of \(id) before it")
                }
                end = reader.position
            }
        }
    }

    private mutating func take(_ header: FleetFrame.Header, _ id: String, at place: UInt64) -> Bool {
        let key = MemberHash(id)
        let before = index[key]
        var base = place
        if let previous = header.previous {
            if let before, before.newest != previous { return false }
            base = before?.base ?? FleetIndex.unknown
        }
        // The frames of a chain that was moved remain, without those that were removed with their segments.
        if before?.base == FleetIndex.unknown { orphans -= 1 }
        if base == FleetIndex.unknown { orphans += 1 }
        index[key] = FleetIndex.Slot(key, newest: place, base: base, last: header.last)
        dues[ExactText(id)] = header.due
        synced = max(synced, header.synced)
        return true
    }

    private func damage(_ segment: FleetSegment, _ position: UInt64, _ reason: String) -> DurabilityError {
        .damaged(
            file: FleetNames.segment(segment.first), offset: segment.offset(of: position), sequence: position, reason: reason)
    }
}
