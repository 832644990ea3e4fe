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
        let identity = try LogTour(folder).go { _ in }.segments.lazy.compactMap(\.identity).first
        // As a store skips the snapshots of another log.
        let snapshots = try LogKind.snapshots(in: folder.names()).filter { $0 <= last ?? .max }
            .compactMap { try folder.snapshot(at: $0) }.filter { $0.identity == identity ?? $0.identity }
        try makeNewFolder()
        let log = StoreLog(newFolder, segmentSize: 64 << 20)
        _ = try log.open()
        defer { log.close() }
        try log.begin(after: 0)
        var start: UInt64 = 0
        var isBad = false
        while try !copy(to: log, from: start, snapshots, &isBad) {
            guard let next = snapshots.first(where: { $0.snapshot.sequence > log.written }) else {
                isBad = true
                complain("the records after \(log.written) are lost")
                break
            }
            try log.restart(from: next.snapshot)
            start = next.start
        }
        print("the records to \(log.written) are in \(newFolder.path.escapingControls)")
        return isBad
    }

    /// Copies records until one is missing.
    ///
    /// - Returns: True if no record is missing.
    private func copy(to log: StoreLog, from start: UInt64, _ snapshots: [StoreSnapshot], _ isBad: inout Bool) throws -> Bool {
        var isWhole = true
        try LogTour(folder).go(from: start) { stop in
            guard isWhole else { return }
            switch stop {
            case .end: break
            case .damage(let error, _):
                complain("\(error)")
                isBad = true
                isWhole = false
            case .frame(let frame, _):
                for record in frame.log.records where record.sequence > log.written && record.sequence <= last ?? .max {
                    guard record.sequence == log.written + 1 else {
                        isWhole = false
                        return
                    }
                    try log.append([record], synced: false)
                    guard let snapshot = snapshots.first(where: { $0.snapshot.sequence == record.sequence }) else { continue }
                    try log.roll()
                    try log.save(snapshot.snapshot)
                }
                if min(frame.last, last ?? .max) > log.written { isWhole = false }
            }
        }
        try log.sync()
        return isWhole
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
