import Moonlight

/// The commands of the program `moonlight` for the folder of a fleet.
struct FleetTool {
    private let command: LogCommand
    private let files: any FileSystem
    private let print: (String) -> Void
    private let complain: (String) -> Void

    init(
        _ command: LogCommand, _ files: any FileSystem, print: @escaping (String) -> Void, complain: @escaping (String) -> Void
    ) {
        self.command = command
        self.files = files
        self.print = print
        self.complain = { complain("\(command.folder): \($0)") }
    }

    /// Runs the command.
    ///
    /// - Returns: Whether something is wrong with the logs.
    func run() throws -> Bool {
        switch command.verb {
        case .verify: return try verify()
        case .print: return try printRecords()
        case .stat: return try stat()
        case .salvage: return try FleetSalvage(command.folder, to: command.newFolder, files).run(print: print, complain: complain)
        case .cut:
            throw LogRefusal(
                reason:
                    "it is the folder of a fleet, and a cut would remove the later records of all members: use moonlight log salvage"
            )
        }
    }

    private func verify() throws -> Bool {
        var (records, snapshots, faults) = (0, 0, 0)
        let entries = EntryCoding<[UInt8], [UInt8]>(effects: .raw, events: .raw)
        func fault(_ error: any Error, _ ids: [String]? = nil) {
            complain("\(error)\(ids.map { $0.isEmpty ? "" : ", of \($0.joined(separator: ", "))" } ?? "")")
            faults += 1
        }
        let ledger = try FleetTour(command.folder, files).go { stop in
            switch stop {
            case .end(let torn): print("\(torn), or are being written")
            case .damage(let error, let ids): fault(error, ids)
            case .frame(let frame, let before):
                records += frame.log.records.count
                snapshots += frame.log.snapshot == nil ? 0 : 1
                for record in frame.log.records { do { _ = try entries.entries(of: record) } catch { fault(error, [frame.id]) } }
                if let gap = gap(in: frame, after: before) { fault(gap, [frame.id]) }
            }
        }
        for (id, member) in ledger.damage.members.sorted(by: { $0.key < $1.key }).map({ ($0.key.text, $0.value) }) {
            complain("\(id) cannot be read: \(member.error)")
        }
        if let unknown = ledger.damage.unknown {
            var doubtful = 0
            // swift-format-ignore: ReplaceForEachWithForLoop
            ledger.index.forEach { slot in if slot.newest < unknown.end { doubtful += 1 } }
            complain("the members of the damaged frames are unknown: \(doubtful) members without a later frame cannot be read")
        }
        print("\(ledger.index.count) members, \(records) records, \(snapshots) snapshots, \(faults) faults")
        return faults > 0
    }

    /// Returns an error if the records of a frame contradict its header.
    private func gap(in frame: FleetFrame, after before: UInt32?) -> DurabilityError? {
        var last = frame.log.snapshot?.sequence ?? frame.log.records.first.map { $0.sequence - 1 } ?? frame.last
        let follows = before.map { frame.log.snapshot != nil || UInt32(truncatingIfNeeded: last) == $0 } ?? true
        for record in frame.log.records where record.sequence == last + 1 { last += 1 }
        guard !follows || last != frame.last else { return nil }
        return .missing(from: last + 1, to: frame.last, reason: "the frame at \(frame.position) does not follow")
    }

    private func printRecords() throws -> Bool {
        var isBad = false
        let lines = LogLines(isJSON: command.isJSON)
        _ = try FleetTour(command.folder, files).go { stop in
            switch stop {
            case .end: break
            case .damage(let error, _):
                complain("\(error)")
                isBad = true
            case .frame(let frame, _):
                if let member = command.member, ExactText(member) != ExactText(frame.id) { return }
                if frame.isRemoval { print(lines.removal(of: frame.id)) }
                for record in frame.log.records
                where record.sequence >= command.from ?? 1 && record.sequence <= command.to ?? .max {
                    for line in try lines.lines(of: record, member: frame.id) { print(line) }
                }
            }
        }
        return isBad
    }

    private func stat() throws -> Bool {
        var (frames, records, snapshots, removals, isBad) = (0, 0, 0, 0, false)
        var schemas: Set<UInt32> = []
        let ledger = try FleetTour(command.folder, files).go { stop in
            switch stop {
            case .end: break
            case .damage: isBad = true
            case .frame(let frame, _):
                frames += 1
                records += frame.log.records.count
                snapshots += frame.log.snapshot == nil ? 0 : 1
                removals += frame.isRemoval ? 1 : 0
                for record in frame.log.records { schemas.insert(record.schema) }
            }
        }
        let bytes = try ledger.segments.reduce(0) { $0 + (try $1.file.size()) }
        print("segments   \(ledger.segments.count), \(bytes) bytes")
        print("members    \(ledger.index.count), \(ledger.dues.count) due at some time")
        print("frames     \(frames), with \(records) records, \(snapshots) snapshots and \(removals) removals")
        print("schemas    \(schemas.sorted().map(String.init).joined(separator: ", "))")
        if isBad { complain("the logs are damaged: see moonlight log verify") }
        return isBad
    }
}
