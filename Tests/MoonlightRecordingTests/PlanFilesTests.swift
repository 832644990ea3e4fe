import Foundation
import MoonlightTestSupport
import Testing

@testable import MoonlightRecording

/// The folder for the plans of `.ci/plans-of-recordings`; nil in other runs.
private let folderOfPlans = ProcessInfo.processInfo.environment["MOONLIGHT_PLANS"].map { URL(filePath: $0) }

/// Writes the plans that `.ci/plans-of-recordings` compiles and plays.
@Suite("Recording: plans in files")
struct PlanFilesTests {
    @Test("The plans of recordings are written to files", .enabled(if: folderOfPlans != nil))
    func write() throws {
        let folder = try #require(folderOfPlans)
        let count = environmentNumber("MOONLIGHT_ROUNDS") ?? 1000
        var (rows, text, files, changes) = ("", "", 0, 0)
        for seed in 1...count {
            let stage = randomStage(seed: seed, hasFeedback: seed % 3 == 0)
            // Through a file, as in a real program.
            let recording = try Stage.DeskRecording(bytes: stage.recording.bytes)
            // The part of the program's source that a plan needs.
            let source = """
                let recording = Recording(of: desk)
                let world = DeskWorld(
                    find: recording.async("find", live.find), prices: recording.publisher("prices", live.prices),
                    now: recording.function("now", live.now), scheduler: recording.scheduler(clock))
                """
            let feedback = seed % 6 == 0 ? "{ deskFeedback($0, $1) }" : nil
            let script = try Script(recording.reader, hasFeedback: feedback != nil)
            var header = recording.reader.header
            header.line = 1
            let plan = try script.planSource(
                recording.reader, PlanText(header, script, nil, nil, feedback, source: source))
            let trace = try script.trace(recording.reader)
            stage.end()
            text += function("plan\(seed)", tracing(plan), "String")
            var other = "nil"
            if let changed = changed(plan) {
                text += function("changed\(seed)", changed)
                other = "changed\(seed)"
                changes += 1
            }
            rows += "    (\(seed), plan\(seed), \(trace.debugDescription), \(other)),\n"
            if seed % 50 == 0 || seed == count {
                files += 1
                let head = "@testable import Program\nimport Moonlight\nimport MoonlightTesting\n\n"
                try "\(head)\(text)let plays\(files): [Play] = [\n\(rows)]\n"
                    .write(to: folder.appending(path: "plans\(files).swift"), atomically: true, encoding: .utf8)
                (text, rows) = ("", "")
            }
        }
        // A list of lists, as the compiler needs minutes for a list of a thousand.
        let play = "(seed: Int, play: @Sendable () throws -> String, trace: String, changed: (@Sendable () throws -> Void)?)"
        let lists = (1...files).map { "plays\($0)" }.joined(separator: ", ")
        try "typealias Play = \(play)\nlet plans: [Play] = [\(lists)].flatMap { $0 }\n"
            .write(to: folder.appending(path: "plans.swift"), atomically: true, encoding: .utf8)
        print("\(count) recordings, \(changes) plans that are also played with something changed")
    }
}

/// Returns the plan with one input changed: an answer, or else the last event; nil if it has neither.
func changed(_ plan: String) -> String? {
    let lines = plan.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (from, to) in [
        (".resolve(find(", "with: [\"another\"]"), (".send(", "send"), (".fail(find(", "with: .busy(99)"), (".when(.stamp)", ""),
        (".when(.typed(", ""),
    ] {
        for place in lines.indices.reversed() where lines[place].contains(from) {
            // An answer to a cancelled call does nothing.
            if lines[place].contains("ifItWaits") { continue }
            var others = lines
            switch from {
            case ".send(":
                guard let comma = lines[place].range(of: ", from:") else { continue }
                others[place] = "    .send(98, from:" + lines[place][comma.upperBound...]
            case ".when(.stamp)", ".when(.typed(": others[place] = "    .when(.typed(\"something else\"))"
            default:
                guard let start = lines[place].range(of: "with: ") else { continue }
                let number = lines[place].range(of: ", number:")?.lowerBound ?? lines[place].lastIndex(of: ")")!
                others[place] = lines[place][..<start.lowerBound] + to + lines[place][number...]
            }
            if others[place] != lines[place], others[place + 1].contains(".then") { return others.joined(separator: "\n") }
        }
    }
    return nil
}

/// Returns the body of a function that runs the plan and returns its trace.
func tracing(_ plan: String) -> String {
    "return \(plan)".replacing(".run()", with: ".run().description")
}

func function(_ name: String, _ plan: String, _ result: String = "Void") -> String {
    let lines = plan.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
    return "func \(name)() throws -> \(result) {\n\(lines.joined(separator: "\n"))\n}\n"
}
