import Moonlight

/// The faults of a store's folder beside those of its frames: of its snapshots, and the reason why it is not opened.
struct StoreFaults {
    let folder: LogFolder
    /// The identity of the log; nil if it is unknown.
    let identity: UInt64?

    /// - Parameter segments: The segments that were read.
    init(_ folder: LogFolder, segments: [LogSegment]) {
        self.folder = folder
        identity = segments.lazy.compactMap(\.identity).first
    }

    /// Returns the faults of the snapshots up to a record.
    ///
    /// The records after a snapshot are read from a segment that was there before it.
    ///
    /// - Parameter last: The last record that is wanted; nil for all.
    func ofSnapshots(through last: UInt64? = nil) throws -> [any Error] {
        let names = try folder.names()
        let segments = folder.kind.segments(in: names)
        var faults: [any Error] = segments.isEmpty ? [LogRefusal.noSegment] : []
        for sequence in LogKind.snapshots(in: names) where sequence <= last ?? .max {
            do throws(DurabilityError) {
                guard let found = try folder.snapshot(at: sequence) else {
                    throw .damaged(file: LogKind.snapshot(sequence), offset: 0, reason: "its checksum is wrong")
                }
                // A store skips the snapshots of another log. A crash may have interrupted a restart before its segment.
                let isOther = found.identity != identity ?? found.identity
                if isOther || found.isRestart || segments.isEmpty || segments.contains(found.start) { continue }
                // The running writer may have removed both meanwhile, the snapshot first.
                if sequence != last, try folder.names().contains(LogKind.snapshot(sequence)) {
                    throw .missing(from: sequence + 1, to: sequence + 1, reason: folder.missingSegment(found.start))
                }
            } catch {
                // The running writer has removed the file meanwhile.
                if error.isMissingFile { continue }
                faults.append(error)
            }
        }
        return faults
    }

    /// Returns the reason why a store whose schemas know all versions does not open the folder; nil if it opens it.
    func ofOpening() throws -> DurabilityError? {
        for _ in 1..<5 {
            let names = try Set(folder.names())
            guard let fault = openingFault() else { return nil }
            // The running writer may have removed files meanwhile.
            if try Set(folder.names()) == names { return fault }
        }
        return openingFault()
    }

    /// Reads the folder as a store does when it is opened.
    private func openingFault() -> DurabilityError? {
        do {
            let log = StoreLog(folder, segmentSize: .max, isReadOnly: true)
            let snapshots = try log.open()
            var last = try snapshots.first { try log.snapshot(at: $0) != nil } ?? 0
            _ = try log.read(after: last) { last = $0.sequence }
            guard let newest = snapshots.first, newest > last else { return nil }
            return .noSnapshot(reason: "the log ends with record \(last), and that of record \(newest) is damaged")
        } catch { return DurabilityError(wrapping: error) }
    }
}
