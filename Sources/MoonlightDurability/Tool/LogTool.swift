import Moonlight

/// The commands of the program `moonlight` for logs. They inspect the log of a store or of a fleet, which may be written meanwhile, and
/// salvage a damaged one.
package struct LogTool {
    private let files: any FileSystem
    private let print: (String) -> Void
    private let complain: (String) -> Void

    /// The exit codes.
    package enum Code {
        package static let good: Int32 = 0
        /// The log has a fault.
        package static let bad: Int32 = 1
        /// The command was not understood.
        package static let usage: Int32 = 2
    }

    package static let usage = """
        usage: moonlight log verify FOLDER
               moonlight log print FOLDER [--json] [--from SEQUENCE] [--to SEQUENCE] [--member ID]
               moonlight log stat FOLDER
               moonlight log salvage FOLDER NEW-FOLDER [--to SEQUENCE]
        """

    /// Creates the tool.
    ///
    /// - Parameters:
    ///   - files: The file system.
    ///   - print: Receives each line of output.
    ///   - complain: Receives each line of errors.
    package init(
        files: any FileSystem = SystemFiles(), print: @escaping (String) -> Void, complain: @escaping (String) -> Void
    ) {
        self.files = files
        self.print = print
        self.complain = { complain($0.escapingControls) }
    }

    /// Runs a command, and returns its exit code.
    ///
    /// - Parameter arguments: The arguments, without the name of the program.
    package func run(_ arguments: [String]) -> Int32 {
        guard let command = LogCommand(arguments) else {
            for line in Self.usage.split(separator: "\n") { complain(String(line)) }
            return Code.usage
        }
        let report = { (line: String) in complain("\(command.folder): \(line)") }
        do {
            let folder = try logFolder(command)
            let inspection = LogInspection(folder: folder, command: command, print: print, complain: report)
            let isBad =
                switch command.verb {
                case .verify: try inspection.verify()
                case .print: try inspection.printRecords()
                case .stat: try inspection.stat()
                case .salvage:
                    try LogSalvage(
                        folder: folder, newFolder: LogFolder(command.newFolder, folder.kind, files), last: command.to,
                        print: print,
                        complain: report
                    ).run()
                }
            return isBad ? Code.bad : Code.good
        } catch {
            report("\(error)")
            return Code.bad
        }
    }

    /// Returns the folder of a command; the names of its files determine the kind.
    ///
    /// - Throws: ``LogRefusal`` if it has no log, both kinds, or not that for the command.
    private func logFolder(_ command: LogCommand) throws -> LogFolder {
        let names = try files.names(in: command.folder)
        switch (LogKind.store.isFound(in: names), LogKind.fleet.isFound(in: names)) {
        case (true, false):
            guard command.member == nil else {
                throw LogRefusal(reason: "it is the log of a store, which has no members: omit --member")
            }
            return LogFolder(command.folder, .store, files)
        case (false, true):
            guard command.verb != .salvage || command.to == nil else {
                throw LogRefusal(reason: "it has the logs of a fleet, whose members number their own records: omit --to")
            }
            return LogFolder(command.folder, .fleet, files)
        case (true, true): throw LogRefusal(reason: "it has segments of a store (.log) and of a fleet (.fleet)")
        case (false, false): throw LogRefusal(reason: "it has no log, neither of a store (.log) nor of a fleet (.fleet)")
        }
    }
}

/// The commands that only read a log. Each returns whether something is wrong.
private struct LogInspection {
    let folder: LogFolder
    let command: LogCommand
    let print: (String) -> Void
    let complain: (String) -> Void

    private var isFleet: Bool { folder.kind == .fleet }

    func verify() throws -> Bool {
        var records = 0
        var snapshots = 0
        var faults = 0
        var reported: Set<DurabilityError> = []
        let entries = EntryCoding<[UInt8], [UInt8]>(effects: .raw, events: .raw)
        func fault(_ error: any Error, _ ids: [String]? = nil) {
            if let error = error as? DurabilityError, !isFleet, !reported.insert(error).inserted { return }
            let ids = isFleet ? ids ?? [] : []
            complain("\(error)\(ids.isEmpty ? "" : ", of \(ids.joined(separator: ", "))")")
            faults += 1
        }
        // The last record of a store; nil if unknown.
        var last: UInt64? = try folder.segments().first == 0 ? 0 : nil
        let ledger = try LogTour(folder).go { stop in
            switch stop {
            case .end(let torn): print("\(torn), or are being written")
            case .damage(let error, let ids):
                fault(error, ids)
                last = nil
            case .frame(let frame, let before):
                records += frame.log.records.count
                snapshots += frame.log.snapshot == nil ? 0 : 1
                for record in frame.log.records { do { _ = try entries.entries(of: record) } catch { fault(error, [frame.id]) } }
                if isFleet {
                    if let gap = gap(in: frame, after: before) { fault(gap, [frame.id]) }
                } else if let last, frame.log.records.isEmpty, frame.last > last {
                    print("records \(last + 1) to \(frame.last) are only in a snapshot: the log was resumed behind it")
                } else if let gap = gap(in: frame, after: last.map { UInt32(truncatingIfNeeded: $0) }) {
                    fault(gap)
                }
                last = frame.last
            }
        }
        if isFleet {
            complain(of: ledger)
        } else {
            for error in try storeFaults(ledger) { fault(error) }
            snapshots = try LogKind.snapshots(in: folder.names()).count
        }
        let members = isFleet ? "\(ledger.index.count) members, " : ""
        print("\(members)\(records) records, \(snapshots) snapshots, \(faults) faults")
        return faults > 0
    }

    /// Returns an error if the records of a frame contradict its header, or do not follow those before.
    private func gap(in frame: LogFrame, after before: UInt32?) -> DurabilityError? {
        var last = frame.log.snapshot?.sequence ?? frame.log.records.first.map { $0.sequence - 1 } ?? frame.last
        let follows = before.map { frame.log.snapshot != nil || UInt32(truncatingIfNeeded: last) == $0 } ?? true
        for record in frame.log.records where record.sequence == last + 1 { last += 1 }
        guard !follows || last != frame.last else { return nil }
        return .missing(from: last &+ 1, to: frame.last, reason: "the frame at \(frame.position) does not follow")
    }

    /// Reports the members of a fleet that cannot be read.
    private func complain(of ledger: FleetLedger) {
        for (id, member) in ledger.damage.sortedMembers { complain("\(id) cannot be read: \(member.error)") }
        guard let unknown = ledger.damage.unknown else { return }
        var doubtful = 0
        // swift-format-ignore: ReplaceForEachWithForLoop
        ledger.index.forEach { slot in if slot.newest < unknown.end { doubtful += 1 } }
        complain("the members of the damaged frames are unknown: \(doubtful) members without a later frame cannot be read")
    }

    /// Returns the faults of a store's folder beside those of its frames.
    private func storeFaults(_ ledger: FleetLedger) throws -> [any Error] {
        let store = StoreFaults(folder, segments: ledger.segments)
        let faults = try store.ofSnapshots()
        // Without a segment, this is the reason.
        if ledger.segments.isEmpty { return faults }
        return try faults + [store.ofOpening()].compactMap { $0 }
    }

    func printRecords() throws -> Bool {
        if try !isFleet && folder.segments().isEmpty { throw LogRefusal.noSegment }
        var isBad = false
        let lines = LogLines(isJSON: command.isJSON)
        let ledger = try LogTour(folder).go { stop in
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
                    do throws(DurabilityError) {
                        for line in try lines.lines(of: record, member: isFleet ? frame.id : nil) { print(line) }
                    } catch {
                        complain("\(error)\(isFleet ? ", of \(frame.id)" : "")")
                        isBad = true
                    }
                }
            }
        }
        // Records may be missing before the first one, or behind the last.
        if !isFleet, !isBad, let error = try StoreFaults(folder, segments: ledger.segments).ofOpening() {
            complain("\(error)")
            isBad = true
        }
        return isBad
    }

    func stat() throws -> Bool {
        var frames = 0
        var records = 0
        var snapshots = 0
        var removals = 0
        var isBad = false
        var schemas: Set<UInt32> = []
        let ledger = try LogTour(folder).go { stop in
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
        let names = try folder.names()
        print("segments   \(ledger.segments.count), \(try size(names, folder.kind.rawValue)) bytes")
        if isFleet {
            print("members    \(ledger.index.count), \(ledger.dues.count) due at some time")
            print("frames     \(frames), with \(records) records, \(snapshots) snapshots and \(removals) removals")
        } else {
            let found = LogKind.snapshots(in: names)
            let list = found.isEmpty ? "" : ", of records \(found.map(String.init).joined(separator: ", "))"
            print("snapshots  \(found.count), \(try size(names, ".snapshot")) bytes\(list)")
            print("frames     \(frames), with \(records) records")
        }
        print("schemas    \(schemas.sorted().map(String.init).joined(separator: ", "))")
        if try !isFleet && !storeFaults(ledger).isEmpty { isBad = true }
        if isBad { complain("the log is damaged: see moonlight log verify") }
        return isBad
    }

    /// Returns the bytes of all files with an ending.
    private func size(_ names: [String], _ ending: String) throws -> Int {
        try names.filter { $0.hasSuffix(ending) }.reduce(0) { sum, name in
            guard let file = try? folder.open(name, .reading) else { return sum }
            defer { file.close() }
            return sum + (try file.size())
        }
    }
}

/// The reason why a command cannot be used for a folder.
struct LogRefusal: Error, CustomStringConvertible {
    static let noSegment = LogRefusal(reason: "it has snapshots, but no segment of their log")

    let reason: String

    var description: String { reason }
}

/// A command of the program `moonlight`.
struct LogCommand {
    enum Verb: String {
        case verify
        case print
        case stat
        case salvage
    }

    let verb: Verb
    let folder: String
    /// The folder that `salvage` creates.
    private(set) var newFolder = ""
    /// The member of a fleet whose records are printed; nil for all.
    private(set) var member: String?
    private(set) var isJSON = false
    private(set) var from: UInt64?
    private(set) var to: UInt64?

    /// Parses the arguments; nil if they are not a command.
    init?(_ arguments: [String]) {
        guard arguments.count >= 3, arguments[0] == "log", let verb = Verb(rawValue: arguments[1]), !arguments[2].hasPrefix("--")
        else { return nil }
        self.verb = verb
        folder = arguments[2]
        var rest = arguments.dropFirst(3)
        if verb == .salvage {
            guard let new = rest.popFirst(), !new.hasPrefix("--") else { return nil }
            newFolder = new
        }
        while let option = rest.popFirst() {
            switch (option, verb) {
            case ("--json", .print): isJSON = true
            case ("--member", .print):
                guard let id = rest.popFirst() else { return nil }
                member = id
            case ("--from", .print):
                guard let number = rest.popFirst().flatMap(UInt64.init), number > 0 else { return nil }
                from = number
            case ("--to", .print), ("--to", .salvage):
                guard let number = rest.popFirst().flatMap(UInt64.init) else { return nil }
                to = number
            default: return nil
            }
        }
    }
}
