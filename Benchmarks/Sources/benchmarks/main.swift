import ByHand
import CAllocations
import Foundation
import Harness
import OnMoonlight

#if PEERS
    import OnAsyncSequences
    import OnOpenCombine
#endif

func allWorks() -> [Work] {
    let works = moonlightWorks() + byHandWorks()
    #if PEERS
        return works + openCombineWorks() + asyncWorks()
    #else
        return works
    #endif
}

func run(_ options: Options) throws {
    #if DEBUG
        guard options.acceptsDebug else {
            throw Mistake("this is a debug build: swift run -c release benchmarks, or --debug to measure it as it is")
        }
        guard !options.isQuick, !options.records else {
            throw Mistake("this is a debug build, and allocations.json is for release builds: leave out --quick and --record")
        }
    #else
        if options.acceptsDebug { throw Mistake("this is a release build: swift run benchmarks --debug") }
    #endif
    var works = allWorks()
    if options.hasPrograms { works += try programWorks() }
    if let only = options.contender { works.removeAll { $0.contender.rawValue != only } }
    var rows: [Row] = []
    for work in works where !rows.contains(work.row) { rows.append(work.row) }
    var report = Report(machine: .current())
    for row in rows where options.filter.isEmpty || "\(row.group): \(row.name)".localizedCaseInsensitiveContains(options.filter) {
        FileHandle.standardError.write(Data("\(row.group): \(row.name)\n".utf8))
        let contest = works.filter { $0.row == row }
        report.rows.append(Report.Result(row, measure(contest, options.isQuick ? .quick : .full)))
    }
    guard !report.rows.isEmpty else { throw Mistake("no row contains: \(options.filter)") }
    #if DEBUG
        print("A debug build.\n")
    #endif
    print(report.table)
    try write(report, options)
    if options.isQuick, !options.records { try check(report) }
}

func write(_ report: Report, _ options: Options) throws {
    if let file = options.json {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try (try encoder.encode(report) + Data("\n".utf8)).write(to: URL(fileURLWithPath: file))
    }
    if let file = options.svg { try Data(report.chart.utf8).write(to: URL(fileURLWithPath: file)) }
    if options.records {
        // A run of all rows removes records of rows that no longer exist.
        var allowances = options.filter.isEmpty ? Allowances() : (try? Allowances.read()) ?? Allowances()
        allowances.record(report.rows)
        try allowances.write()
    }
}

func check(_ report: Report) throws {
    guard allocations_are_counted() else { return print("Allocations cannot be counted on this system.") }
    let faults = try Allowances.read().faults(in: report.rows)
    guard faults.isEmpty else { throw Mistake("more allocations than recorded:\n" + faults.joined(separator: "\n")) }
    print("No row allocates more than \(Allowances.file) says.")
}

let arguments = CommandLine.arguments.dropFirst()
if arguments.contains("--help") || arguments.contains("-h") {
    print(Options.help)
} else {
    do {
        try run(Options(Array(arguments)))
    } catch {
        FileHandle.standardError.write(Data("benchmarks: \(error)\n".utf8))
        exit(1)
    }
}
