import Foundation
import Moonlight
import MoonlightRecordingTesting
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightRecording

@Suite("Recording: the program `moonlight`")
struct RecordingToolTests {
    /// Runs the tool on a recording, with `FILE` as the name of its file.
    private func run(_ recording: Stage.DeskRecording, _ arguments: String...) throws -> (
        out: [String], err: [String], code: Int32
    ) {
        let path = temporaryPath()
        defer { removeFile(path) }
        try recording.write(to: path)
        return run(arguments.map { $0 == "FILE" ? path : $0 })
    }

    private func run(_ arguments: [String]) -> (out: [String], err: [String], code: Int32) {
        var (out, err): ([String], [String]) = ([], [])
        let code = RecordingTool(print: { out.append($0) }, complain: { err.append($0) }).run(arguments)
        return (out, err, code)
    }

    private func stage() -> Stage {
        Stage().send(.search, .typed("mo"), .note("", count: -1), .search, .typed("mo"), .stamp).pass(.milliseconds(1500))
            .answer(.success(["moon"])).send(.stamp)
    }

    @Test("`info` prints the types and the number of steps")
    func info() throws {
        let stage = stage()
        let (out, err, code) = try run(stage.recording, "info", "FILE")
        expectEqual(out.prefix(4), ["loop     desk", "state    Desk", "event    DeskEvent", "effect   DeskEffect"])
        expectEqual(out.last, "steps    \(try stage.recording.steps().count), 1 to \(try stage.recording.steps().count)")
        expect(err == [] && code == 0)
        stage.end()
        let redacted = Stage(redacting: [\.user.pin]).send(.stamp)
        try expectEqual(run(redacted.recording, "info", "FILE").out.last, "redacted")
        redacted.end()
    }

    @Test("`steps` prints a line for each step, from a step and up to one")
    func steps() throws {
        let stage = stage()
        let all = try run(stage.recording, "steps", "FILE").out
        expect(all.count == (try stage.recording.steps().count))
        expectEqual(all[0], "0.000  1  event search")
        try expectEqual(run(stage.recording, "steps", "FILE", "--from", "3", "--to", "5").out, Array(all[2...4]))
        expect(all.contains { $0.hasPrefix("1.500  ") })
        try expectEqual(run(Stage().send(.typed("a\nb")).recording, "steps", "FILE").out[0], "0.000  1  event typed(\"a\\nb\")")
        stage.end()
    }

    @Test("`state` prints a line for each value, and `diff` the differences between two states")
    func states() throws {
        let stage = stage()
        let last = try #require(stage.recording.numbers).upperBound
        let state = try run(stage.recording, "state", "FILE", "\(last)").out
        expect(state.contains("text = \"mo\"") && state.contains("stamps = [1, 2]") && state.contains("found = [\"moon\"]"))
        try expectEqual(run(stage.recording, "diff", "FILE", "0", "4").out, ["text: \"\" → \"mo\""])
        try expectEqual(run(stage.recording, "diff", "FILE", "4", "0").out, ["text: \"mo\" → \"\""])
        let missing = try run(stage.recording, "state", "FILE", "999")
        expect(
            missing.code == 1
                && missing.err.first?.hasSuffix("there is no step 999: the recording keeps steps 1 to \(last)") == true)
        stage.end()
    }

    @Test("`cause` prints the causes of a step up to the event from outside")
    func cause() throws {
        let stage = stage()
        let answer = try #require(try stage.recording.steps().first { $0.kind == .answer })
        let out = try run(stage.recording, "cause", "FILE", "\(answer.number)").out
        expectEqual(out.count, 3)
        expect(
            out[0].contains(" <- \(answer.cause ?? 0)  answer [\"moon\"]") && out[1].contains("call find(\"mo\")")
                && out[2].hasSuffix("event search"))
        stage.end()
    }

    @Test("`find` prints the first step after which a condition holds, or that there is none")
    func find() throws {
        let stage = stage()
        try expectEqual(
            run(stage.recording, "find", "FILE", "text == \"mo\"").out,
            [
                "0.000  4 <- 3  effect text(\"mo\"): text: \"\" → \"mo\""
            ])
        try expectEqual(run(stage.recording, "find", "FILE", "stamps[1] == 2").out.first?.contains("stamped(2)"), true)
        let nothing = try run(stage.recording, "find", "FILE", "price > 3")
        expect(nothing.code == 1 && nothing.err == ["the condition holds after no step"])
        let computed = try run(stage.recording, "find", "FILE", "stamps.count > 1")
        expect(
            computed.code == 1
                && computed.err.first?.hasSuffix(
                    "no state has stamps.count: stored properties are recorded, computed ones are not") == true
        )
        try expectEqual(run(stage.recording, "find", "FILE", "price").err.first?.contains("is not a condition"), true)
        stage.end()
    }

    @Test("`plan --minimize` ends where the condition holds, and omits events that did nothing")
    func minimized() throws {
        let stage = stage()
        let plan = try run(
            stage.recording, "plan", "FILE", "--reducer", "desk", "--environment", "{ deskWorld($0) }", "--minimize",
            "found contains moon")
        let steps = plan.out.joined().split(separator: "\n").dropFirst().dropLast(3).map { $0.drop { $0 == " " } }
        expectEqual(
            steps,
            [
                ".when(.typed(\"mo\"))", ".then(\\.text, equals: \"mo\")", ".when(.search)",
                ".then(\\.status, equals: .searching(\"mo\"))", ".when(.stamp)", ".then(\\.stamps, equals: [1])",
                ".resolve(find(\"mo\"), with: [\"moon\"])", ".then(\\.status, equals: .idle)",
                ".then(\\.found, equals: [\"moon\"])",
            ])
        try expectEqual(run(stage.recording, "plan", "FILE", "--minimize", "price > 3").code, 1)
        stage.end()
    }

    @Test("`plan` and `trace` up to a step within an event contain the whole event")
    func upToStep() throws {
        let stage = stage()
        let search = try #require(try stage.recording.steps().first { $0.text.hasPrefix("searching") }).number
        for last in (search - 2)...search {
            let plan = try run(
                stage.recording, "plan", "FILE", "--to", "\(last)", "--reducer", "desk", "--environment", "{ deskWorld($0) }")
            expect(plan.out[0].contains(".when(.search)\n    .then(\\.status, equals: .searching(\"mo\"))"))
            expect(!plan.out[0].contains(".stamp"))
            try expect(run(stage.recording, "trace", "FILE", "--to", "\(last)").out[0].hasSuffix("calls find(\"mo\")"))
        }
        stage.end()
    }

    @Test("`page` writes a page")
    func page() throws {
        let stage = stage()
        let page = try run(stage.recording, "page", "FILE").out[0]
        expect(page.hasPrefix("<!doctype html>") || page.hasPrefix("<!DOCTYPE html>"))
        expect(page.contains("moon"))
        stage.end()
    }

    @Test(
        "Invalid arguments print the usage",
        arguments: [
            [], ["info"], ["what", "FILE"], ["info", "FILE", "more"], ["state", "FILE"], ["state", "FILE", "x"],
            ["diff", "FILE", "1"],
            ["steps", "FILE", "--from"], ["steps", "FILE", "--to", "x"], ["find", "FILE"], ["plan", "FILE", "--reducer"],
            ["plan", "FILE", "--minimize"], ["trace", "FILE", "--from", "1"], ["cause", "FILE", "1", "2"],
        ])
    func usage(arguments: [String]) {
        let (out, err, code) = run(arguments)
        expect(out == [] && err == [RecordingTool.usage] && code == 2)
    }

    @Test("A file that is not a recording, or is truncated, is reported")
    func files() throws {
        expectEqual(run(["info", "/nowhere"]).err, ["/nowhere: No such file or directory"])
        let stage = stage()
        let path = temporaryPath()
        defer { removeFile(path) }
        try RecordingFile.write(Array(stage.recording.bytes.dropLast()), to: path)
        let (_, err, code) = run(["steps", path])
        expect(code == 0 && err.count == 1 && err[0].contains("is truncated at byte"))
        try RecordingFile.write(Array("something".utf8), to: path)
        expectEqual(run(["info", path]).err, ["\(path): this is not a recording: it does not begin with MOONREC"])
        stage.end()
    }

    @Test("No command sends control characters of a recording to the terminal")
    func steering() throws {
        let text = "a\u{1B}[2J\u{7}\u{9B}m\u{202E}\u{2028}b\r\n0.000  9  event forged"
        var header = RecordingHeader()
        (header.loop, header.state, header.event, header.effect) = (text, text, text, text)
        var archive = Archive(header)
        var segment = Segment(first: 1, time: 0, state: .node(.structure, "S", [.init(text, .leaf(text))]), json: "{}")
        for kind in StepKind.all {
            var step = StepRecord()
            (step.number, step.kind, step.text, step.child) = (segment.count + 1, kind, text, text)
            (step.name, step.source, step.call) = (text, text, kind == .answer ? 1 : 0)
            if kind == .effect { step.changes = [TreeChange([text], .leaf(text + "!"))] }
            segment.add(step)
        }
        archive.segments = [segment]
        let path = temporaryPath()
        defer { removeFile(path) }
        try RecordingFile.write(archive.bytes(), to: path)
        let steps = run(["steps", path]).out
        expectEqual(steps.count, StepKind.all.count)
        expect(steps[0].contains("a\\u{1B}[2J\\u{07}\\u{009B}m\\u{202E}\\u{2028}b\\r\\n0.000  9  event forged"))
        for command in [
            ["info"], ["steps"], ["state", "1"], ["diff", "0", "9"], ["cause", "2"], ["find", "x\u{1B} == 1"],
            ["find", "\u{1B}"],
            ["find", "a != 2"], ["trace"], ["plan"], ["page"],
        ] {
            let (out, err, _) = run([command[0], path] + command.dropFirst())
            expect(!out.isEmpty || !err.isEmpty)
            for line in (out + err).flatMap({ $0.split(separator: "\n", omittingEmptySubsequences: false) }) {
                expect(!line.unicodeScalars.contains(where: \.isSteering), "\(command): \(line.debugDescription)")
                expect(!line.hasPrefix("0.000  9  event forged"), "\(command)")
            }
        }
    }

    @Test("A recording leads `plan` to no other files than Swift sources")
    func foreignFiles() throws {
        func plan(_ file: String, line: Int = 1) throws -> String {
            var header = RecordingHeader()
            (header.file, header.line) = (file, line)
            var archive = Archive(header)
            var segment = Segment(first: 1, time: 0, state: .leaf("1"), json: "1")
            var step = StepRecord()
            (step.number, step.kind, step.text, step.source) = (1, .event, "go", ".go")
            segment.add(step)
            archive.segments = [segment]
            let path = temporaryPath()
            defer { removeFile(path) }
            try RecordingFile.write(archive.bytes(), to: path)
            return run(["plan", path]).out.joined()
        }
        for (suffix, isRead) in [(".swift", true), (".txt", false)] {
            let path = temporaryPath() + suffix
            defer { removeFile(path) }
            try RecordingFile.write(Array("let recording = Recording(of: ownReducer)".utf8), to: path)
            for line in [1, .min] { try expectEqual(plan(path, line: line).contains("Plan(ownReducer, "), isRead, "\(suffix)") }
        }
        let other = temporaryPath()
        defer { removeFile(other) }
        try RecordingFile.write(Array("let recording = Recording(of: ownReducer)".utf8), to: other)
        try expect(plan(other + "\u{0}.swift").contains("Plan(reducer, "), "a path that the system would truncate")
        let pipe = temporaryPath() + ".swift"
        defer { removeFile(pipe) }
        expect(mkfifo(pipe, 0o600) == 0)
        try expect(plan(pipe).contains("Plan(reducer, "))
    }

    @Test("The help contains each command")
    func help() {
        for verb in RecordingTool.verbs {
            expect(RecordingTool.usage.contains("moonlight \(verb) FILE"))
            expect(RecordingTool.help.contains("\n  \(verb) "))
        }
    }
}

@Suite("Recording: conditions on a state")
struct StatePredicateTests {
    private let state = TreeMaker.tree(
        of: Desk(
            text: "mo", status: .failed(.busy(2)), found: ["a", "b"], price: 12, notes: ["tea": 3, "green tea": 4, "a\"]b": 5]))

    @Test(
        "A condition is a path, a comparison and a value",
        arguments: [
            ("price == 12", true), ("price == 12.0", true), ("price == 13", false), ("price != 13", true), ("price != 12", false),
            ("price < 12", false), ("price < 13", true), ("price <= 12", true), ("price <= 11", false), ("price > 9", true),
            ("price > 12", false), ("price >= 12", true), ("price >= 13", false), ("text == \"mo\"", true), ("text == mo", true),
            ("text == m", false), ("text contains o", true), ("text contains x", false), ("text < n", true), ("text > n", false),
            ("found[1] == b", true), ("found[2] == b", false), ("found[2] != b", true), ("notes[\"tea\"] == 3", true),
            ("status == failed(busy(2))", true), ("status == .failed(.busy(2))", true), ("user.token == \"\"", true),
            ("status contains busy", true), ("nothing == 1", false), ("nothing contains 1", false), ("price  ==   12 ", true),
            ("notes[\"green tea\"] == 4", true), ("notes[\"green tea\"] contains 5", false),
            ("notes[\"a\\\"]b\"] > 4", true), ("text != green tea", true),
        ])
    func holds(_ question: (String, Bool)) throws {
        try expectEqual(StatePredicate(question.0).holds(in: state), question.1, "\(question.0)")
    }

    @Test(
        "An invalid condition is an error that describes the syntax",
        arguments: ["", "price", "price ==", "price is 3", "notes[\"tea == 3"])
    func wrong(_ text: String) {
        do throws(RecordingError) {
            _ = try StatePredicate(text)
            Issue.record("\(text) was read")
        } catch {
            expect("\(error)".contains("write PATH == VALUE, with one of ==, !=, <=, >=, <, >, contains in the middle"))
        }
    }
}
