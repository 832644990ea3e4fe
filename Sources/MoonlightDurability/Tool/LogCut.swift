/// Cuts a damaged log off before a record, so that its store can be opened again. The cut-off part is kept in other files.
struct LogCut {
    private let folder: LogFolder
    private let reader: FolderReader
    private let from: UInt64?

    /// Creates a cut.
    ///
    /// - Parameter from: The first record that is cut off; nil for the first that is damaged.
    init(_ folder: String, _ files: any FileSystem, from: UInt64?) throws {
        self.folder = LogFolder(folder, files)
        reader = FolderReader(folder: self.folder)
        self.from = from
    }

    /// Cuts, with the lock of the folder.
    ///
    /// - Returns: The changes, a line each.
    func run() throws -> [String] {
        let lock = try folder.lock(note: "moonlight log cut")
        defer { lock.unlock() }
        guard let place = try place() else { return ["nothing to cut"] }
        var lines: [String] = []
        let names = try folder.names()
        // From the end, so that an interrupted cut leaves a valid log.
        for segment in FolderNames.segments(in: names).reversed() where segment > place.segment {
            lines.append(try setAside(FolderNames.segment(segment)))
        }
        for snapshot in FolderNames.snapshots(in: names) where snapshot >= place.sequence {
            lines.append(try setAside(FolderNames.snapshot(snapshot)))
        }
        let name = FolderNames.segment(place.segment)
        if place.offset < SegmentHeader.size { return lines + [try setAside(name)] }
        let file = try folder.open(name, .writing)
        defer { file.close() }
        let size = try file.size()
        let rest = try folder.open(name + ".cut", .replacing)
        defer { rest.close() }
        var offset = place.offset
        while offset < size {
            let bytes = try file.read(min(1 << 20, size - offset), at: offset)
            try rest.write(bytes, at: offset - place.offset)
            offset += bytes.count
        }
        try rest.sync()
        try folder.sync()
        try file.truncate(to: place.offset)
        try file.sync()
        lines.append(
            "cut \(name) at offset \(place.offset), before record \(place.sequence); \(size - place.offset) bytes are in \(name).cut"
        )
        return lines
    }

    private func setAside(_ name: String) throws -> String {
        try folder.files.rename(folder.path(name), to: folder.path(name + ".cut"))
        try folder.sync()
        return "set \(name) aside as \(name).cut"
    }

    /// Returns the place of the first record that is cut off.
    private func place() throws -> (segment: UInt64, offset: Int, sequence: UInt64)? {
        let names = try folder.names()
        let segments = FolderNames.segments(in: names)
        // Records that the newest intact snapshot includes may be damaged.
        let snapshot = try FolderNames.snapshots(in: names).last { try reader.snapshot(at: $0, identity: nil) != nil } ?? 0
        var expected: UInt64?
        for (index, first) in segments.enumerated() {
            let segment: FolderReader.Segment
            do throws(DurabilityError) { segment = try reader.open(first) } catch {
                guard case .damaged = error else { throw error }
                expected = nil
                if from == nil, index + 1 < segments.count, segments[index + 1] <= snapshot + 1 { continue }
                return (first, 0, first)
            }
            defer { segment.file.close() }
            if let expected, expected != first, !segment.header.isRestart, first > snapshot + 1 { return (first, 0, expected) }
            var records = try SegmentReader(segment.file, first: first)
            loop: while true {
                if let from, records.expected >= from { return (first, records.offset, records.expected) }
                switch try records.next() {
                case .record: continue
                case .end: break loop
                case .bad:
                    // After a failure, the log continues in the next segment.
                    if index + 1 < segments.count, let next = try? reader.open(segments[index + 1]) {
                        defer { next.file.close() }
                        if next.header.isRestart { break loop }
                    }
                    if from == nil, index + 1 < segments.count, segments[index + 1] <= snapshot + 1 { break loop }
                    return (first, records.offset, records.expected)
                }
            }
            expected = records.rest == 0 ? records.expected : nil
        }
        return nil
    }
}
