import Moonlight

/// Copies the readable part of a damaged log into a new folder.
struct LogSalvage {
    let folder: LogFolder
    let newFolder: LogFolder
    /// The last record of a store that is copied; nil for all.
    let last: UInt64?
    let print: (String) -> Void
    let complain: (String) -> Void

    /// Salvages, with the locks of both folders. The old folder is not changed, and the new one is not created if the old one cannot be
    /// read.
    ///
    /// - Returns: True if a part could not be read.
    func run() throws -> Bool {
        let lock = try folder.lock()
        defer { lock.unlock() }
        return folder.kind == .store ? try salvageStore() : try salvageFleet()
    }

    private func makeNewFolder() throws {
        try newFolder.files.makeFolders(newFolder.path)
        guard try newFolder.names().isEmpty else { throw LogRefusal(reason: "\(newFolder.path) is not empty") }
    }

    // MARK: Stores

    /// Copies the records from the first one on, with the snapshots. Where records are missing, the log continues behind the next
    /// snapshot.
    private func salvageStore() throws -> Bool {
        let segments = try LogTour(folder).go { _ in }.segments
        let faults = StoreFaults(folder, segments: segments)
        let found = try LogKind.snapshots(in: folder.names()).map { (sequence: $0, snapshot: try folder.snapshot(at: $0)) }
        // As a store skips the snapshots of another log.
        let identity = faults.identity ?? found.last { $0.snapshot != nil }?.snapshot?.identity
        let own = found.filter { $0.snapshot?.identity ?? identity == identity }
        let snapshots = own.compactMap(\.snapshot).filter { $0.snapshot.sequence <= last ?? .max }
        var losses = Losses(complain: complain)
        for fault in try faults.ofSnapshots(through: last) { losses.report("\(fault)") }
        try makeNewFolder()
        let log = StoreLog(newFolder, segmentSize: 64 << 20)
        _ = try log.open()
        defer { log.close() }
        try log.begin(after: 0)
        // The snapshots, even damaged ones, prove that these records existed.
        let known = min(own.last?.sequence ?? 0, last ?? .max)
        var start: UInt64? = 0
        while true {
            let end = try start.map { try copy(to: log, from: $0, snapshots, &losses) } ?? .missing
            if end == .whole, log.written >= known { break }
            guard let next = snapshots.first(where: { $0.snapshot.sequence > log.written }) else {
                losses.report("the records after \(log.written) are lost")
                break
            }
            let number = next.snapshot.sequence
            // Cleaning has removed the records before the oldest snapshot.
            let isCleaned = log.written == 0 && segments.first?.first != 0
            if end != .resumed(behind: number), !isCleaned {
                losses.report("records \(log.written + 1) to \(number) are only in the snapshot of record \(number)")
            }
            try log.restart(from: next.snapshot)
            start = next.isRestart || segments.contains { $0.first == next.start } ? next.start : nil
        }
        print("the records to \(log.written) are in \(newFolder.path.escapingControls)")
        return losses.isAny
    }

    /// The reason why no more records are copied.
    private enum End: Equatable {
        /// No record is missing.
        case whole
        /// The next records are only in a snapshot, behind which the log was resumed after a failure.
        case resumed(behind: UInt64)
        case missing
    }

    /// The losses that were reported, each once.
    private struct Losses {
        let complain: (String) -> Void
        private var lines: Set<String> = []

        init(complain: @escaping (String) -> Void) { self.complain = complain }

        var isAny: Bool { !lines.isEmpty }

        mutating func report(_ line: String) { if lines.insert(line).inserted { complain(line) } }
    }

    /// Copies records until one is missing.
    private func copy(
        to log: StoreLog, from start: UInt64, _ snapshots: [StoreSnapshot], _ losses: inout Losses
    ) throws -> End {
        var end = End.whole
        try LogTour(folder).go(from: start, after: log.written) { stop in
            guard end == .whole, log.written < last ?? .max else { return }
            switch stop {
            case .end: break
            case .damage(let error, _):
                losses.report("\(error)")
                end = .missing
            case .frame(let frame, _):
                for record in frame.log.records where record.sequence > log.written && record.sequence <= last ?? .max {
                    guard record.sequence == log.written + 1 else {
                        end = .missing
                        return
                    }
                    try log.append([record], synced: false)
                    guard let snapshot = snapshots.first(where: { $0.snapshot.sequence == record.sequence }) else { continue }
                    try log.roll()
                    try log.save(snapshot.snapshot)
                }
                guard min(frame.last, last ?? .max) > log.written else { return }
                end = frame.log.records.isEmpty ? .resumed(behind: frame.last) : .missing
            }
        }
        try log.sync()
        return end
    }

    // MARK: Fleets

    /// Copies each member up to its damage.
    private func salvageFleet() throws -> Bool {
        var isBad = false
        let ledger = try LogTour(folder).go { stop in
            guard case .damage(let error, _) = stop else { return }
            complain("\(error)")
            isBad = true
        }
        try makeNewFolder()
        let log = FleetLog(newFolder, segmentSize: 64 << 20)
        _ = try log.open()
        defer { log.close() }
        var members = 0
        var cut = 0
        var doubtful = 0
        func copy(_ id: String, _ slot: FleetIndex.Slot) throws {
            let chain: FrameChain
            do { chain = try FrameChain(of: id, from: slot.newest, to: slot.base, in: ledger.segments) } catch {
                complain("nothing of \(id) can be read: \(error)")
                isBad = true
                return
            }
            try log.copy(chain.log, of: id, due: chain.newest.due)
            members += 1
        }
        for (id, member) in ledger.damage.sortedMembers {
            guard let slot = member.readable else {
                complain("nothing of \(id) can be read: \(member.error)")
                continue
            }
            complain("the records of \(id) after \(slot.last) are lost")
            cut += 1
            try copy(id, slot)
        }
        try LogTour(folder).go { stop in
            guard case .frame(let frame, _) = stop, ledger.damage.members[ExactText(frame.id)] == nil,
                let slot = ledger.index[MemberHash(frame.id)], slot.newest == frame.position
            else { return }
            if let unknown = ledger.damage.unknown, slot.newest < unknown.end { doubtful += 1 }
            try copy(frame.id, slot)
        }
        try log.flush()
        if doubtful > 0 { complain("\(doubtful) members may have lost records") }
        print("\(members) members are in \(newFolder.path.escapingControls), \(cut) of them up to their damage")
        return isBad
    }
}
