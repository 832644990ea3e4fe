import Moonlight

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The commands `moonlight log`: they inspect the log of a store or of a fleet, which may be written meanwhile, cut a store's damaged log,
/// and salvage a fleet's.
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
               moonlight log cut FOLDER [--from SEQUENCE]
               moonlight log salvage FOLDER NEW-FOLDER
        """

    /// Creates the tool.
    ///
    /// - Parameters:
    ///   - files: The file system.
    ///   - print: Takes each line of output.
    ///   - complain: Takes each line of errors.
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
        do {
            switch (try LogFolderKind(of: command.folder, files), command.verb) {
            case (.fleet, _):
                let fault = try FleetTool(command, files, print: print, complain: complain).run()
                return fault ? Code.bad : Code.good
            case (.store, .verify): return try verify(command)
            case (.store, .print):
                if command.member != nil {
                    throw LogRefusal(reason: "it is the log of a store, which has no members: omit --member")
                }
                return try printRecords(command)
            case (.store, .stat): return try stat(command)
            case (.store, .cut): return try cut(command)
            case (.store, .salvage):
                throw LogRefusal(reason: "it is the log of a store, and salvage is for fleets: use moonlight log cut")
            }
        } catch {
            complain("\(command.folder): \(error)")
            return Code.bad
        }
    }

    // MARK: The commands

    private func verify(_ command: LogCommand) throws -> Int32 {
        var (records, faults) = (0, 0)
        let entries = EntryCoding<[UInt8], [UInt8]>(effects: .raw, events: .raw)
        func fault(_ error: any Error) {
            complain("\(command.folder): \(error)")
            faults += 1
        }
        try LogTour(command.folder, files).go { stop in
            switch stop {
            case .record(let record, _):
                records += 1
                do { _ = try entries.entries(of: record) } catch { fault(error) }
            case .damage(let error): fault(error)
            case .end(let torn): print("\(torn), or are being written")
            case .restart(let from, let to):
                print("records \(from) to \(to) are only in a snapshot: the log was resumed after a failure")
            }
            return true
        }
        let reader = FolderReader(folder: LogFolder(command.folder, files))
        let names = try reader.folder.names()
        let snapshots = FolderNames.snapshots(in: names)
        if FolderNames.segments(in: names).isEmpty {
            fault(LogRefusal(reason: "it has snapshots, but no segment of their log"))
        }
        for sequence in snapshots {
            do throws(DurabilityError) {
                if try reader.snapshot(at: sequence, identity: nil) == nil {
                    throw .damaged(
                        file: FolderNames.snapshot(sequence), offset: 0, sequence: sequence, reason: "its checksum is wrong")
                }
            } catch {
                // The writer has removed it meanwhile.
                if error.isMissingFile { continue }
                fault(error)
            }
        }
        print("\(records) records, \(snapshots.count) snapshots, \(faults) faults")
        return faults == 0 ? Code.good : Code.bad
    }

    private func printRecords(_ command: LogCommand) throws -> Int32 {
        var code = Code.good
        let lines = LogLines(isJSON: command.isJSON)
        try LogTour(command.folder, files).go(from: command.from ?? 1) { stop in
            switch stop {
            case .record(let record, _):
                if let to = command.to, record.sequence > to { return false }
                for line in try lines.lines(of: record) { print(line) }
            case .damage(let error):
                complain("\(command.folder): \(error)")
                code = Code.bad
            case .end, .restart: break
            }
            return true
        }
        return code
    }

    private func stat(_ command: LogCommand) throws -> Int32 {
        let reader = FolderReader(folder: LogFolder(command.folder, files))
        let names = try reader.folder.names()
        var (records, first, last): (Int, UInt64?, UInt64?) = (0, nil, nil)
        var schemas: Set<UInt32> = []
        var code = Code.good
        try LogTour(command.folder, files).go { stop in
            switch stop {
            case .record(let record, _):
                records += 1
                first = first ?? record.sequence
                last = record.sequence
                schemas.insert(record.schema)
            case .damage: code = Code.bad
            case .end, .restart: break
            }
            return true
        }
        let segments = FolderNames.segments(in: names)
        print("segments   \(segments.count), \(try size(segments.map(FolderNames.segment), reader)) bytes")
        let snapshots = FolderNames.snapshots(in: names)
        let of = snapshots.isEmpty ? "" : ", of records \(snapshots.map(String.init).joined(separator: ", "))"
        print("snapshots  \(snapshots.count), \(try size(snapshots.map(FolderNames.snapshot), reader)) bytes\(of)")
        print("records    \(records)\(first.map { ", \($0) to \(last ?? $0)" } ?? "")")
        print("schemas    \(schemas.sorted().map(String.init).joined(separator: ", "))")
        if code != Code.good { complain("\(command.folder): the log is damaged: see moonlight log verify") }
        return code
    }

    private func size(_ names: [String], _ reader: FolderReader) throws -> Int {
        try names.reduce(0) { sum, name in
            guard let file = try? reader.folder.open(name, .reading) else { return sum }
            defer { file.close() }
            return sum + (try file.size())
        }
    }

    private func cut(_ command: LogCommand) throws -> Int32 {
        let cut = try LogCut(command.folder, files, from: command.from)
        for line in try cut.run() { print(line) }
        return Code.good
    }
}

/// The kind of log in a folder.
enum LogFolderKind {
    case store
    case fleet

    /// Determines the kind by the names of the files.
    ///
    /// - Throws: ``LogRefusal`` if the folder has no log, or both kinds.
    init(of folder: String, _ files: any FileSystem) throws {
        let names = try files.names(in: folder)
        let isStore = !FolderNames.segments(in: names).isEmpty || !FolderNames.snapshots(in: names).isEmpty
        switch (isStore, !FleetNames.segments(in: names).isEmpty) {
        case (true, false): self = .store
        case (false, true): self = .fleet
        case (true, true): throw LogRefusal(reason: "it has segments of a store (.log) and of a fleet (.fleet)")
        case (false, false): throw LogRefusal(reason: "it has no log, neither of a store (.log) nor of a fleet (.fleet)")
        }
    }
}

/// The reason why a command cannot be used for a folder.
struct LogRefusal: Error, CustomStringConvertible {
    let reason: String

    var description: String { reason }
}
