import Moonlight
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightRecording

@Suite("Recording: what is taken down")
struct RecordingTests {
    private func lines(_ recording: Stage.DeskRecording) throws -> [String] { try recording.steps().map(\.description) }

    @Test("each step has its cause, and an effect what it changed")
    func steps() throws {
        let stage = Stage().send(.typed("mo"), .note("a", count: 2))
        #expect(
            try lines(stage.recording) == [
                "1  event typed(\"mo\")", "2 <- 1  effect text(\"mo\"): text: \"\" → \"mo\"", "3  event note(\"a\", count: 2)",
                "4 <- 3  effect noted(\"a\", 2): notes[\"a\"]: nothing → 2",
            ])
        #expect(stage.recording.numbers == 1...4)
        #expect(try stage.recording.step(1).isFromOutside)
        #expect(try !stage.recording.step(2).isFromOutside)
        stage.end()
        #expect(try lines(stage.recording).last == "5  ended it was cancelled")
    }

    @Test("a call belongs to the event that led to it, also in a body, and its answer names it")
    func calls() throws {
        let stage = Stage().send(.typed("mo"), .search, .stamp).answer(.success(["moon"]))
        #expect(
            try lines(stage.recording).dropFirst(2) == [
                "3  event search", "4 <- 3  job search started",
                "5 <- 3  effect searching(\"mo\"): status: .idle → .searching(\"mo\")",
                "6 <- 3  call find(\"mo\")",
                "7  event stamp", "8 <- 7  result now() is 1", "9 <- 7  effect stamped(1): stamps[0]: nothing → 1",
                "10  answer [\"moon\"]",
                "11 <- 3  effect found([\"moon\"]): status: .searching(\"mo\") → .idle, found: nil → [\"moon\"]",
                "12 <- 3  job search finished",
            ])
        #expect(try stage.recording.causes(of: 10).map(\.number) == [6, 3])
        #expect(try stage.recording.causes(of: 11).map(\.number) == [3])
        stage.end()
    }

    @Test("a failure, a refusal, a stream, a cancellation and a timer are steps")
    func everything() throws {
        let stage = Stage().send(.search, .typed("x"), .search).answer(.failure(.busy(2)))
        stage.send(.watch("tea")).price(3).endPrices().send(.watch("oil")).send(.unwatch).send(.remind(2)).pass(.seconds(2))
        let texts = try stage.recording.steps().map { "\($0.kind) \($0.text)" }
        for text in [
            "rejected search: there is nothing to search for", "answer busy(2)", "call prices(\"tea\")", "answer 3",
            "answer finishes",
            "answer is cancelled", "timer a timer is set: 2.0 seconds",
        ] { #expect(texts.contains(text), "\(text) is not among \(texts)") }
        // A delay sets a timer for its value and one for its end.
        #expect(
            texts.suffix(3) == [
                "fired the timer of step 26 is due", "effect reminded", "fired the timer of step 27 is due",
            ])
        stage.end()
    }

    @Test("what feedback sends is caused by the effect that led to it")
    func feedback() throws {
        let stage = Stage(hasFeedback: true).send(.watch("tea")).price(101)
        let step = try #require(try stage.recording.steps().first { $0.text == "priceIsHigh" })
        #expect(try stage.recording.step(try #require(step.cause)).text == "price(101)")
        stage.end()
    }

    @Test("a call that feedback leads to, while a body sends, is caused by the event of the feedback and not by that of the body")
    func feedbackInBody() throws {
        let stage = Stage(feedback: { states in
            [
                states.map(\.status).removeDuplicates().filter { $0 == .searching("mo") }.map { _ in DeskEvent.stamp }
                    .eraseToAnyPublisher()
            ]
        }).send(.typed("mo"), .search)
        let result = try #require(try stage.recording.steps().first { $0.kind == .result })
        #expect(try stage.recording.causes(of: result.number).map(\.text) == ["stamp", "searching(\"mo\")", "search"])
        stage.end()
    }

    @Test("on a page, an answer is caused by its call, and an event of feedback is a reaction")
    func page() throws {
        let stage = Stage(hasFeedback: true).send(.watch("tea")).price(101)
        let steps = try PageContent(stage.recording.reader).steps
        let call = try #require(steps.first { $0.text == "prices(\"tea\")" })
        #expect(steps.first { $0.text == "101" }?.cause == call.number)
        #expect(steps.first { $0.text == "priceIsHigh" }?.kind == .reaction)
        #expect(steps.first { $0.text == "watch(\"tea\")" }?.kind == .event)
        stage.end()
    }

    @Test("a loop that runs already is recorded from a state on, and the page has what its updates have")
    func running() throws {
        let recording = Stage.DeskRecording(
            of: desk, keeping: .last(100), redacting: [], encodesByItself: false, clock: { .now })
        recording.begin(with: Desk(text: "a"))
        #expect(try recording.pageContent().contains(#"\"a\""#))
        recording.take(JournalRecord(number: 7, effect: .text("b"), before: Desk(text: "a"), after: Desk(text: "b")))
        #expect(try recording.steps().map(\.description) == ["1  effect text(\"b\"): text: \"a\" → \"b\""])
        #expect(try recording.state(at: 0, by: desk) == Desk(text: "a"))
        let content = try recording.pageContent()
        #expect(!content.contains("\n"))
        #expect(try recording.page().contains(#"id="data">\#(content)</script>"#))
        #expect(try recording.page(updates: "more").contains(#"id="data" data-updates="more">\#(content)</script>"#))
    }

    @Test("the last steps are kept, in whole segments, each with a full state")
    func bound() throws {
        let stage = Stage(keeping: .last(80))
        for count in 1...500 {
            stage.send(.note("a", count: count))
            if count % 7 == 0 { stage.recording.flush() }
        }
        let numbers = try #require(stage.recording.numbers)
        #expect(numbers.upperBound == 1000)
        #expect(numbers.count >= 80 && numbers.count <= 90)
        #expect(try stage.recording.steps().count == numbers.count)
        #expect(try stage.recording.state(at: 998, by: desk).notes == ["a": 499])
        #expect(try stage.recording.reader.state(at: numbers.lowerBound + 3)?[["notes", "\"a\""]] != nil)
        stage.end()
    }

    @Test("what finds no room before it is encoded takes the place of the oldest, and the state is right all the same")
    func flood() throws {
        let stage = Stage(keeping: .last(16))
        for count in 1...1000 { stage.send(.note("b", count: count)) }
        let numbers = try #require(stage.recording.numbers)
        // A step says what is missing before it.
        #expect(numbers == 1985...2001)
        #expect(try stage.recording.step(1985).text == "1984 steps were lost: the program was faster than the encoding")
        #expect(try stage.recording.step(1985).kind == .note)
        #expect(!(try stage.recording.step(1985).isFromOutside))
        #expect(try stage.recording.state(at: 1985, by: desk).notes == ["b": 992])
        #expect(try stage.recording.state(at: 2001, by: desk).notes == ["b": 1000])
        #expect(try stage.recording.reader.state(at: 1999)?[["notes", "\"b\""]] == .leaf("999"))
        stage.end()
    }

    @Test("how many steps were lost is told, also by a file")
    func lost() throws {
        var encoder = StepEncoder<Desk, DeskEvent, DeskEffect>(RecordingHeader(), keeping: .last(100), redactor: Redactor([]))
        func effect(_ number: Int) -> RecordingEntry<Desk, DeskEvent, DeskEffect> {
            .journal(
                JournalRecord(
                    number: number, effect: .text("\(number)"), before: Desk(text: "\(number - 1)"),
                    after: Desk(text: "\(number)")))
        }
        encoder.add([.begin(LoopBeginning(Desk(text: "0"), at: .now)), effect(1)], lost: 0, stateOfLost: nil)
        #expect(encoder.archive.lost == 0)
        encoder.add([effect(5)], lost: 3, stateOfLost: Desk(text: "4"))
        encoder.add([effect(7)], lost: 1, stateOfLost: Desk(text: "6"))
        let read = try Stage.DeskRecording(bytes: encoder.archive.bytes())
        #expect(read.lost == 4)
        #expect(
            try read.steps().map(\.description) == [
                "1  effect text(\"1\"): text: \"0\" → \"1\"",
                "5  note 3 steps were lost: the program was faster than the encoding",
                "6  effect text(\"5\"): text: \"4\" → \"5\"", "8  note 1 step was lost: the program was faster than the encoding",
                "9  effect text(\"7\"): text: \"6\" → \"7\"",
            ])
    }

    @Test("what is lost while nothing changed the state leaves it known")
    func floodOfRefusals() throws {
        let stage = Stage(keeping: .last(8)).send(.typed("known"))
        for _ in 1...100 { stage.send(.note("", count: -1)) }
        #expect(try stage.recording.state(at: try #require(stage.recording.numbers).upperBound, by: desk).text == "known")
        stage.end()
    }

    @Test("the bytes are bounded, too")
    func bytes() throws {
        let stage = Stage(keeping: .last(10_000, bytes: 20_000))
        let text = String(repeating: "x", count: 500)
        for count in 1...400 {
            stage.send(.typed("\(count)\(text)"))
            if count % 5 == 0 { stage.recording.flush() }
        }
        // A segment is kept whatever it takes: 512 steps, and not all 800.
        #expect(stage.recording.bytes.count < 600_000)
        #expect(try #require(stage.recording.numbers).upperBound == 800)
        stage.end()
    }

    @Test("a store that is started again begins a new story in the same recording")
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
        #expect(try recording.steps().map(\.cause) == [nil, 1, nil, nil, 4, nil])
        #expect(try recording.state(at: 2, by: desk).text == "a")
        #expect(try recording.state(at: 5, by: desk) == Desk(text: "b", notes: ["b": 1]))
    }
}

@Suite("Recording: files")
struct RecordingFileTests {
    @Test("what was written is read: the same steps, states and header")
    func roundTrip() throws {
        for seed in 1...20 {
            let stage = randomStage(seed: seed, hasFeedback: seed % 2 == 0)
            let read = try Stage.DeskRecording(bytes: stage.recording.bytes)
            #expect(try read.steps() == stage.recording.steps())
            #expect(read.reader.header == stage.recording.reader.header)
            #expect(read.reader.header.loop == "desk")
            #expect(!read.isCutOff)
            let last = try #require(read.numbers).upperBound
            #expect(try read.state(at: last, by: desk) == stage.store.state)
            for number in 1...last {
                #expect(try read.reader.state(at: number) == TreeMaker.tree(of: read.state(at: number, by: desk)))
            }
            #expect(read.bytes.count == stage.recording.bytes.count)
            stage.end()
        }
    }

    @Test("a file that was cut off anywhere is read up to there, or says that it is none")
    func cut() throws {
        let stage = Stage(keeping: .last(64))
        let path = temporaryPath()
        defer { removeFile(path) }
        try stage.recording.follow(in: path)
        for count in 1...20 {
            stage.send(.note("a", count: count))
            stage.recording.flush()
        }
        #expect(stage.recording.fileFailure == nil)
        let bytes = try RecordingFile.read(path, limit: .max)
        #expect(try Stage.DeskRecording(bytes: bytes).steps() == stage.recording.steps())
        var counts: Set<Int> = []
        for length in 0..<bytes.count {
            do throws(RecordingError) {
                let part = try Stage.DeskRecording(bytes: Array(bytes[..<length]))
                let steps = try part.steps()
                counts.insert(steps.count)
                #expect(try part.steps() == stage.recording.steps().prefix(steps.count).map { $0 })
            } catch {
                guard case .notARecording = error else { throw error }
            }
        }
        // What was written by a call of `flush` is a frame of its own; others may be written in between.
        #expect(counts.isSuperset(of: stride(from: 0, to: 40, by: 2)))
        stage.end()
    }

    @Test("a file that has grown to twice its bound is begun anew with what is kept")
    func rewriting() throws {
        let stage = Stage(keeping: .last(16, bytes: 4096))
        let path = temporaryPath()
        defer { removeFile(path) }
        try stage.recording.follow(in: path)
        for count in 1...3000 {
            stage.send(.note("a", count: count))
            if count % 5 == 0 { stage.recording.flush() }
        }
        stage.recording.flush()
        let bytes = try RecordingFile.read(path, limit: .max)
        // Twice the least bound, and what a single write adds.
        #expect(bytes.count < 2 * 65_536 + 4096)
        let read = try Stage.DeskRecording(bytes: bytes)
        #expect(read.numbers?.upperBound == 6000)
        #expect(try read.state(at: 6000, by: desk).notes == ["a": 3000])
        stage.end()
    }

    @Test("a file that cannot be written is an error that names it")
    func unwritable() throws {
        let stage = Stage().send(.stamp)
        #expect(throws: RecordingError.file(path: "/nowhere/at/all.new", reason: "No such file or directory")) {
            try stage.recording.write(to: "/nowhere/at/all")
        }
        #expect(throws: RecordingError.self) { try stage.recording.follow(in: "/nowhere/at/all") }
        #expect(throws: RecordingError.file(path: "/nowhere", reason: "No such file or directory")) {
            try Stage.DeskRecording(contentsOf: "/nowhere")
        }
        stage.end()
    }

    @Test("a byte that was changed anywhere is noticed")
    func damage() throws {
        let stage = Stage().send(.typed("mo"), .search).answer(.success(["a"]))
        let bytes = stage.recording.bytes
        for place in bytes.indices {
            var damaged = bytes
            damaged[place] ^= 0x10
            // A frame that is longer than the file is one that was cut off.
            do throws(RecordingError) {
                let read = try Stage.DeskRecording(bytes: damaged)
                #expect(read.isCutOff, "byte \(place)")
            } catch {}
        }
        stage.end()
    }

    @Test("a hostile file, whose checksums are right, is an error at a byte and nothing else")
    func hostile() throws {
        let stage = randomStage(seed: 3, steps: 12)
        let archive = stage.recording.archive
        var contents = [archive.header.content]
        for segment in archive.segments {
            contents.append(segment.head(texts: segment.texts.count))
            if let steps = segment.tail(from: (segment.texts.count, 0, 0)) { contents.append(steps) }
        }
        var dice = Dice(7)
        var outcomes: [String: Int] = [:]
        for round in 0..<rounds(2000) {
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
                _ = try Script(read).story(read)
                outcomes["read", default: 0] += 1
            } catch {
                switch error {
                case .damaged(let byte, _): #expect(byte >= 0 && byte <= file.count)
                case .notARecording, .tooLarge, .noStep, .question: break
                default: Issue.record("\(error)")
                }
                outcomes["error", default: 0] += 1
            }
        }
        #expect(outcomes.count == 2, "\(outcomes)")
        stage.end()
    }

    @Test("an enormous file, or frame, is an error before it is read")
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
