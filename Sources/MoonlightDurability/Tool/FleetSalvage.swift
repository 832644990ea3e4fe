import Moonlight

/// Copies the readable logs of a damaged fleet into a new folder, each member up to its damage.
struct FleetSalvage {
    private let folder: String
    private let newFolder: String
    private let files: any FileSystem

    init(_ folder: String, to newFolder: String, _ files: any FileSystem) {
        self.folder = folder
        self.newFolder = newFolder
        self.files = files
    }

    /// Salvages, with the locks of both folders. The old folder is not changed.
    ///
    /// - Returns: Whether something could not be read.
    func run(print: (String) -> Void, complain: (String) -> Void) throws -> Bool {
        let lock = try LogFolder(folder, files).lock(note: "moonlight log salvage")
        defer { lock.unlock() }
        try files.makeFolder(newFolder)
        guard try files.names(in: newFolder).isEmpty else { throw LogRefusal(reason: "\(newFolder) is not empty") }
        var isBad = false
        let ledger = try FleetTour(folder, files).go { stop in
            guard case .damage(let error, _) = stop else { return }
            complain("\(error)")
            isBad = true
        }
        let (log, _) = try FleetLog.open(
            LogFolder(newFolder, files), segmentSize: 64 << 20, note: "moonlight log salvage", FleetContents())
        defer { log.close() }
        var (members, cut, doubtful) = (0, 0, 0)
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
        for (id, member) in ledger.damage.members.sorted(by: { $0.key < $1.key }).map({ ($0.key.text, $0.value) }) {
            guard let slot = member.readable else {
                complain("nothing of \(id) can be read: \(member.error)")
                continue
            }
            complain("the records of \(id) after \(slot.last) are lost")
            cut += 1
            try copy(id, slot)
        }
        _ = try FleetTour(folder, files).go { stop in
            guard case .frame(let frame, _) = stop, ledger.damage.members[ExactText(frame.id)] == nil,
                let slot = ledger.index[MemberHash(frame.id)],
                slot.newest == frame.position
            else { return }
            if let unknown = ledger.damage.unknown, slot.newest < unknown.end { doubtful += 1 }
            try copy(frame.id, slot)
        }
        try log.finishCopying()
        if doubtful > 0 { complain("\(doubtful) members may have lost records") }
        print("\(members) members are in \(newFolder), \(cut) of them up to their damage")
        return isBad
    }
}
