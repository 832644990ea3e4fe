import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightRecording

@Suite("Recording: steps of a loop")
struct RecordingTests {
    private func lines(_ recording: Stage.DeskRecording) throws -> [String] { try recording.steps().map(\.description) }

    @Test("Each step has its cause, and an effect has its changes")
    func steps() throws {
        let stage = Stage().send(.typed("mo"), .note("a", count: 2))
        try expectEqual(
            lines(stage.recording),
            [
                "1  event typed(\"mo\")", "2 <- 1  effect text(\"mo\"): text: \"\" → \"mo\"", "3  event note(\"a\", count: 2)",
                "4 <- 3  effect noted(\"a\", 2): notes[\"a\"]: nothing → 2",
            ])
        expectEqual(stage.recording.numbers, 1...4)
        try expect(stage.recording.step(1).isFromOutside)
        try expect(!stage.recording.step(2).isFromOutside)
        stage.end()
        try expectEqual(lines(stage.recording).last, "5  ended it was cancelled")
    }

    @Test("A call is caused by its event, also in a body, and its answer is caused by the call")
    func calls() throws {
        let stage = Stage().send(.typed("mo"), .search, .stamp).answer(.success(["moon"]))
        try expectEqual(
            lines(stage.recording).dropFirst(2),
            [
                "3  event search", "4 <- 3  job search started",
                "5 <- 3  effect searching(\"mo\"): status: .idle → .searching(\"mo\")",
                "6 <- 3  call find(\"mo\")",
                "7  event stamp", "8 <- 7  result now() is 1", "9 <- 7  effect stamped(1): stamps[0]: nothing → 1",
                "10 <- 6  answer [\"moon\"]",
                "11 <- 3  effect found([\"moon\"]): status: .searching(\"mo\") → .idle, found: nil → [\"moon\"]",
                "12 <- 3  job search finished",
            ])
        try expectEqual(stage.recording.causes(of: 10).map(\.number), [6, 3])
        try expectEqual(stage.recording.causes(of: 11).map(\.number), [3])
        stage.end()
    }

    @Test("Failures, rejections, streams, cancellations and timers are steps")
    func everything() throws {
        let stage = Stage().send(.search, .typed("x"), .search).answer(.failure(.busy(2)))
        stage.send(.watch("tea")).price(3).endPrices().send(.watch("oil")).send(.unwatch).send(.remind(2)).pass(.seconds(2))
        let texts = try stage.recording.steps().map { "\($0.kind) \($0.text)" }
        for text in [
            "rejected search: there is nothing to search for", "answer busy(2)", "call prices(\"tea\")", "answer 3",
            "answer finishes",
            "answer is cancelled", "timer a timer is set: 2.0 seconds",
        ] { expect(texts.contains(text), "\(text) is not among \(texts)") }
        // A delay sets a timer for its value and one for its end.
        expectEqual(
            texts.suffix(3),
            [
                "fired the timer of step 26 is due", "effect reminded", "fired the timer of step 27 is due",
            ])
        stage.end()
    }

    @Test("An event of feedback is caused by its effect")
    func feedback() throws {
        let stage = Stage(hasFeedback: true).send(.watch("tea")).price(101)
        let step = try #require(try stage.recording.steps().first { $0.text == "priceIsHigh" })
        try expectEqual(stage.recording.step(try #require(step.cause)).text, "price(101)")
        stage.end()
    }

    @Test("A call of feedback while a body sends is caused by the event of the feedback, not by that of the body")
    func feedbackInBody() throws {
        let stage = Stage(feedback: { states in
            [
                states.map(\.status).removeDuplicates().filter { $0 == .searching("mo") }.map { _ in DeskEvent.stamp }
                    .eraseToAnyPublisher()
            ]
        }).send(.typed("mo"), .search)
        let result = try #require(try stage.recording.steps().first { $0.kind == .result })
        try expectEqual(stage.recording.causes(of: result.number).map(\.text), ["stamp", "searching(\"mo\")", "search"])
        stage.end()
    }

    @Test("An answer on a page is caused by its call, and an event of feedback is a reaction")
    func page() throws {
        let stage = Stage(hasFeedback: true).send(.watch("tea")).price(101)
        let steps = try PageContent(stage.recording.reader).steps
        let call = try #require(steps.first { $0.text == "prices(\"tea\")" })
        expectEqual(steps.first { $0.text == "101" }?.origin, call.number)
        expectEqual(steps.first { $0.text == "priceIsHigh" }?.pageKind, 3)
        expectEqual(steps.first { $0.text == "watch(\"tea\")" }?.pageKind, 0)
        stage.end()
    }

    @Test("A running loop is recorded from a given state on, and the page has the contents of its updates")
    func running() throws {
        let recording = Stage.DeskRecording(
            of: desk, keeping: .last(100), redacting: [], encodesByItself: false, clock: { .now })
        recording.begin(with: Desk(text: "a"))
        try expect(recording.pageContent().contains(#"\"a\""#))
        recording.take(JournalRecord(number: 7, effect: .text("b"), before: Desk(text: "a"), after: Desk(text: "b")))
        try expectEqual(recording.steps().map(\.description), ["1  effect text(\"b\"): text: \"a\" → \"b\""])
        try expectEqual(recording.state(at: 0, by: desk), Desk(text: "a"))
        let content = try recording.pageContent()
        expect(!content.contains("\n"))
        try expect(recording.page().contains(#"id="data">\#(content)</script>"#))
        try expect(recording.page(updates: "more").contains(#"id="data" data-updates="more">\#(content)</script>"#))
    }

    @Test("A loop that has gone on without being recorded is recorded from the state before the next effect on")
    func gap() throws {
        let recording = Stage.DeskRecording(
            of: desk, keeping: .last(100), redacting: [], encodesByItself: false, clock: { .now })
        func take(_ number: Int, _ before: String, _ after: String) {
            recording.take(
                JournalRecord(number: number, effect: .text(after), before: Desk(text: before), after: Desk(text: after)))
        }
        recording.begin(with: Desk(text: "a"))
        take(1, "b", "c")
        take(2, "c", "d")
        take(3, "e", "f")
        for read in [recording, try Stage.DeskRecording(bytes: recording.bytes)] {
            try expectEqual((0...3).map { try read.state(at: $0, by: desk).text }, ["b", "c", "d", "f"])
            try expectEqual(read.steps().last?.description, "3  effect text(\"f\"): text: \"e\" → \"f\"")
        }
        expectEqual(recording.archive.segments.map(\.count), [2, 1])
    }

    @Test("A state that is not equal to itself begins no segment with each effect")
    func unequalToItself() throws {
        let reducer = Reducer<[Double], Double, Double, Void>(
            transform: { _, event, _ in .just(event) }, apply: { (state: inout [Double], effect: Double) in state.append(effect) }
        )
        let recording = Recording(of: reducer)
        for number in 1...4 {
            let (before, after) = (Array(repeating: Double.nan, count: number), Array(repeating: Double.nan, count: number + 1))
            recording.take(JournalRecord(number: number, effect: .nan, before: before, after: after))
        }
        expectEqual(recording.archive.segments.map(\.count), [4])
    }

    @Test("The last steps are kept in whole segments, each of which has a full state")
    func bound() throws {
        let stage = Stage(keeping: .last(80))
        for count in 1...500 {
            stage.send(.note("a", count: count))
            if count % 7 == 0 { stage.recording.flush() }
        }
        let numbers = try #require(stage.recording.numbers)
        expectEqual(numbers.upperBound, 1000)
        expect(numbers.count >= 80 && numbers.count <= 90)
        try expectEqual(stage.recording.steps().count, numbers.count)
        try expectEqual(stage.recording.state(at: 998, by: desk).notes, ["a": 499])
        try expect(stage.recording.reader.state(at: numbers.lowerBound + 3)?[["notes", "\"a\""]] != nil)
        stage.end()
    }

    @Test("A new entry without room replaces the oldest one, and the state is still correct")
    func flood() throws {
        let stage = Stage(keeping: .last(16))
        for count in 1...1000 { stage.send(.note("b", count: count)) }
        let numbers = try #require(stage.recording.numbers)
        // A step has the number of the missing ones before it.
        expectEqual(numbers, 1985...2001)
        try expectEqual(stage.recording.step(1985).text, "1984 steps were lost: the program was faster than the encoding")
        try expectEqual(stage.recording.step(1985).kind, .note)
        expect(!(try stage.recording.step(1985).isFromOutside))
        try expectEqual(stage.recording.state(at: 1985, by: desk).notes, ["b": 992])
        try expectEqual(stage.recording.state(at: 2001, by: desk).notes, ["b": 1000])
        try expectEqual(stage.recording.reader.state(at: 1999)?[["notes", "\"b\""]], .leaf("999"))
        stage.end()
    }

    @Test("The number of lost steps is recorded, also in a file")
    func lost() throws {
        var encoder = StepEncoder<Desk, DeskEvent, DeskEffect>(RecordingHeader(), keeping: .last(100), redactor: Redactor([]))
        func effect(_ number: Int) -> RecordingEntry<Desk, DeskEvent, DeskEffect> {
            .journal(
                JournalRecord(
                    number: number, effect: .text("\(number)"), before: Desk(text: "\(number - 1)"),
                    after: Desk(text: "\(number)")))
        }
        encoder.add([.begin(LoopBeginning(Desk(text: "0"), at: .now)), effect(1)], lost: 0, stateOfLost: nil)
        expectEqual(encoder.archive.lost, 0)
        encoder.add([effect(5)], lost: 3, stateOfLost: Desk(text: "4"))
        encoder.add([effect(7)], lost: 1, stateOfLost: Desk(text: "6"))
        let read = try Stage.DeskRecording(bytes: encoder.archive.bytes())
        expectEqual(read.lost, 4)
        try expectEqual(
            read.steps().map(\.description),
            [
                "1  effect text(\"1\"): text: \"0\" → \"1\"",
                "5  note 3 steps were lost: the program was faster than the encoding",
                "6  effect text(\"5\"): text: \"4\" → \"5\"", "8  note 1 step was lost: the program was faster than the encoding",
                "9  effect text(\"7\"): text: \"6\" → \"7\"",
            ])
        for (text, step) in [("0", 1), ("1", 1), ("2", 5), ("4", 5), ("5", 6), ("6", 8), ("7", 9)] {
            try expectEqual(read.firstStep(by: desk) { $0.text >= text }?.number, step, "\(text)")
        }
    }

    @Test("The state remains known if the lost steps have not changed it")
    func floodOfRefusals() throws {
        let stage = Stage(keeping: .last(8)).send(.typed("known"))
        for _ in 1...100 { stage.send(.note("", count: -1)) }
        try expectEqual(stage.recording.state(at: try #require(stage.recording.numbers).upperBound, by: desk).text, "known")
        stage.end()
    }

    @Test("The bytes of a recording are bounded")
    func bytes() throws {
        let stage = Stage(keeping: .last(10_000, bytes: 20_000))
        let text = String(repeating: "x", count: 500)
        for count in 1...400 {
            stage.send(.typed("\(count)\(text)"))
            if count % 5 == 0 { stage.recording.flush() }
        }
        // A segment is kept whatever its size: 512 steps, and not all 800.
        expect(stage.recording.bytes.count < 600_000)
        try expectEqual(#require(stage.recording.numbers).upperBound, 800)
        stage.end()
    }

    @Test("A second store continues the same recording, from its own initial state")
    func restart() throws {
        let recording = Recording(of: makeDesk())
        for text in ["a", "b"] {
            let world = DeskWorld(
                find: { _ in [] }, prices: { _ in Empty().eraseToAnyPublisher() }, now: { 0 },
                scheduler: VirtualTimeScheduler().eraseToAnyScheduler())
            let store = Store(
                reducer: desk, initialState: Desk(text: text), environment: world,
                options: LoopOptions(journal: recording))
            store.send(.note(text, count: 1))
            store.cancel()
        }
        try expectEqual(recording.steps().map(\.cause), [nil, 1, nil, nil, 4, nil])
        try expectEqual(recording.state(at: 2, by: desk).text, "a")
        try expectEqual(recording.state(at: 5, by: desk), Desk(text: "b", notes: ["b": 1]))
    }
}

@Suite("Recording: files")
struct RecordingFileTests {
    @Test("A recording is read with the steps, states and header that were written", arguments: Budget.seeds(20, least: 4))
    func roundTrip(seed: Int) throws {
        let stage = randomStage(seed: seed, hasFeedback: seed % 2 == 0)
        let read = try Stage.DeskRecording(bytes: stage.recording.bytes)
        try expectEqual(read.steps(), stage.recording.steps())
        expectEqual(read.reader.header, stage.recording.reader.header)
        expectEqual(read.reader.header.loop, "desk")
        expect(!read.isCutOff)
        let last = try #require(read.numbers).upperBound
        try expectEqual(read.state(at: last, by: desk), stage.store.state)
        for number in 1...last {
            try expectEqual(read.reader.state(at: number), TreeMaker.tree(of: read.state(at: number, by: desk)))
        }
        expectEqual(read.bytes.count, stage.recording.bytes.count)
        stage.end()
    }

    @Test("A file that is truncated anywhere is read up to there, or is not a recording")
    func cut() throws {
        let stage = Stage(keeping: .last(64))
        let path = temporaryPath()
        defer { removeFile(path) }
        try stage.recording.follow(in: path)
        let notes = Budget.size(20, quick: 6)
        for count in 1...notes {
            stage.send(.note("a", count: count))
            stage.recording.flush()
        }
        expect(stage.recording.fileFailure == nil)
        let bytes = try RecordingFile.read(path, limit: .max)
        let all = try stage.recording.steps()
        try expectEqual(Stage.DeskRecording(bytes: bytes).steps(), all)
        var counts: Set<Int> = []
        for length in 0..<bytes.count {
            do throws(RecordingError) {
                let steps = try Stage.DeskRecording(bytes: Array(bytes[..<length])).steps()
                counts.insert(steps.count)
                expectEqual(steps, Array(all.prefix(steps.count)))
            } catch {
                guard case .notARecording = error else { throw error }
            }
        }
        // Each call of `flush` writes a frame of its own; others may be written in between.
        expect(counts.isSuperset(of: stride(from: 0, to: 2 * notes, by: 2)))
        stage.end()
    }

    @Test("A file that has grown to twice its bound is rewritten with the kept steps")
    func rewriting() throws {
        let stage = Stage(keeping: .last(16, bytes: 4096))
        let path = temporaryPath()
        defer { removeFile(path) }
        try stage.recording.follow(in: path)
        let notes = Budget.size(3000, quick: 500)
        for count in 1...notes {
            stage.send(.note("a", count: count))
            if count % 5 == 0 { stage.recording.flush() }
        }
        stage.recording.flush()
        let bytes = try RecordingFile.read(path, limit: .max)
        // Twice the minimal bound, and the size of a single write.
        expect(bytes.count < 2 * 65_536 + 4096)
        let read = try Stage.DeskRecording(bytes: bytes)
        expectEqual(read.numbers?.upperBound, 2 * notes)
        try expectEqual(read.state(at: 2 * notes, by: desk).notes, ["a": notes])
        stage.end()
    }

    @Test("A file that follows a recording has the state of the last of several beginnings")
    func severalBeginnings() throws {
        let path = temporaryPath()
        defer { removeFile(path) }
        let recording = Stage.DeskRecording(
            of: desk, keeping: .last(100), redacting: [], encodesByItself: false, clock: { .now })
        try recording.follow(in: path)
        for text in ["a", "b", "c"] {
            recording.begin(with: Desk(text: text))
            recording.flush()
            try expectEqual(RecordingFile.read(path, limit: .max), recording.bytes)
        }
        recording.take(JournalRecord(number: 1, effect: .text("d"), before: Desk(text: "c"), after: Desk(text: "d")))
        recording.flush()
        let read = try Recording(of: desk, contentsOf: path)
        try expectEqual(read.steps(), recording.steps())
        try expectEqual(read.state(at: 0, by: desk), Desk(text: "c"))
    }

    @Test("A file that follows a recording from before the loop begins has its name and the time of the beginning")
    func header() throws {
        let path = temporaryPath()
        defer { removeFile(path) }
        let recording = Recording(of: desk)
        try recording.follow(in: path)
        for text in ["a", "b"] {
            recording.begin(with: Desk())
            recording.flush()
            let effect = JournalRecord<Desk, DeskEvent, DeskEffect>.Step.effect(
                .text(text), before: Desk(), after: Desk(text: text))
            recording.take(JournalRecord(number: 1, cause: nil, age: .zero, loop: "desk", step: effect))
            recording.flush()
        }
        let header = try Recording(of: desk, contentsOf: path).archive.header
        expectEqual(header.loop, "desk")
        expect(header.start != 0)
        expectEqual(header, recording.archive.header)
    }

    @Test("A file that cannot be written is an error that names it")
    func unwritable() throws {
        let stage = Stage().send(.stamp)
        #expect(throws: RecordingError.file(path: "/nowhere/at/all.new", reason: "No such file or directory")) {
            try stage.recording.write(to: "/nowhere/at/all")
        }
        #expect(throws: RecordingError.self) { try stage.recording.follow(in: "/nowhere/at/all") }
        #expect(throws: RecordingError.file(path: "/nowhere", reason: "No such file or directory")) {
            try Recording(of: desk, contentsOf: "/nowhere")
        }
        stage.end()
    }

    @Test("A changed byte anywhere in a file is detected")
    func damage() throws {
        let stage = Stage().send(.typed("mo"), .search).answer(.success(["a"]))
        let bytes = stage.recording.bytes
        for place in bytes.indices {
            var damaged = bytes
            damaged[place] ^= 0x10
            // A frame that is longer than the file counts as truncated.
            do throws(RecordingError) {
                let read = try Stage.DeskRecording(bytes: damaged)
                expect(read.isCutOff, "byte \(place)")
            } catch {}
        }
        stage.end()
    }

    @Test("A hostile file with correct checksums is read or is an error, and does not crash")
    func hostile() throws {
        let stage = randomStage(seed: 3, steps: 12)
        let archive = stage.recording.archive
        var contents = [archive.header.content]
        for segment in archive.segments {
            contents.append(segment.head(texts: segment.texts.count))
            if let steps = segment.tail(from: (segment.texts.count, 0, 0)) { contents.append(steps) }
        }
        var dice = Dice(Budget.seed)
        var outcomes: [String: Int] = [:]
        for round in 0..<Budget.rounds(2000) {
            var changed = contents
            let frame = Int.random(in: changed.indices, using: &dice)
            for _ in 0...(round % 3) {
                let place = Int.random(in: changed[frame].indices, using: &dice)
                changed[frame][place] =
                    [0, 1, 127, 128, 255, UInt8.random(in: 0...255, using: &dice)].randomElement(using: &dice) ?? 0
            }
            var file = RecordingFormat.magic + [RecordingFormat.version]
            for content in changed { RecordingFormat.add(content, to: &file) }
            do throws(RecordingError) {
                let read = try RecordingReader(bytes: file)
                _ = try read.steps()
                _ = try Script(read).trace(read)
                outcomes["read", default: 0] += 1
            } catch {
                switch error {
                case .damaged(let byte, _): expect(byte >= 0 && byte <= file.count, "round \(round) of seed \(Budget.seed)")
                case .notARecording, .tooLarge, .noStep, .question: break
                default: Issue.record("round \(round) of seed \(Budget.seed): \(error)")
                }
                outcomes["error", default: 0] += 1
            }
        }
        expectEqual(outcomes.count, 2, "\(outcomes)")
        stage.end()
    }

    @Test("A file or frame above its limit is an error before it is read")
    func limits() throws {
        let stage = Stage().send(.stamp)
        let bytes = stage.recording.bytes
        #expect(throws: RecordingError.tooLarge(what: "the file", size: bytes.count, limit: 10)) {
            try RecordingReader(bytes: bytes, limits: RecordingLimits(file: 10))
        }
        #expect(throws: RecordingError.self) { try RecordingReader(bytes: bytes, limits: RecordingLimits(frame: 10)) }
        let path = temporaryPath()
        defer { removeFile(path) }
        try stage.recording.write(to: path)
        #expect(throws: RecordingError.tooLarge(what: path, size: bytes.count, limit: 10)) {
            try RecordingReader(contentsOf: path, limits: RecordingLimits(file: 10))
        }
        #expect(throws: RecordingError.unknownVersion(9)) { try RecordingReader(bytes: Array("MOONREC".utf8) + [9, 0]) }
        #expect(throws: RecordingError.notARecording(reason: "it is empty")) { try RecordingReader(bytes: []) }
        #expect(throws: RecordingError.notARecording(reason: "it does not begin with MOONREC")) {
            try RecordingReader(bytes: Array("{\"json\": 1}".utf8))
        }
        stage.end()
    }
}
