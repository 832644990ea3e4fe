import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightRecording

@Suite("Recording: bounds against hostile files")
struct RecordingLimitsTests {
    private let header = RecordingHeader().content

    private func file(_ contents: [[UInt8]]) -> [UInt8] {
        var file = RecordingFormat.magic + [RecordingFormat.version]
        for content in contents { RecordingFormat.add(content, to: &file) }
        return file
    }

    private func segment(_ texts: [String], base: [UInt8] = [0, 0]) -> [UInt8] {
        var sink = ByteSink()
        sink.add(byte: RecordingFormat.Frame.segment)
        sink.add(1)
        sink.add(0)
        sink.add(texts.count)
        for text in texts { sink.add(text) }
        sink.add(counted: base)
        return sink.bytes
    }

    private func steps(_ count: Int, _ bytes: [UInt8]) -> [UInt8] {
        var sink = ByteSink()
        sink.add(byte: RecordingFormat.Frame.steps)
        sink.add(count)
        sink.add(0)
        sink.add(counted: bytes)
        return sink.bytes
    }

    private func reason(_ contents: [[UInt8]]) -> String? {
        do throws(RecordingError) {
            let reader = try RecordingReader(bytes: file(contents))
            _ = try reader.steps()
            return nil
        } catch {
            if case .damaged(_, let reason) = error { return reason }
            return "\(error)"
        }
    }

    @Test("An error escapes the characters that would steer a terminal")
    func escaped() {
        expectEscaped("\(RecordingError.file(path: "\u{1B}[2J", reason: "\r"))")
        expectEscaped("\(RecordingError.notARecording(reason: "\u{1B}[2J"))")
    }

    @Test("A recording may keep any number of steps or of bytes, and is then bounded by the other", arguments: [true, false])
    func unbounded(isOfSteps: Bool) throws {
        let stage = Stage(keeping: isOfSteps ? .last(.max, bytes: 20_000) : .last(16, bytes: .max))
        let path = temporaryPath()
        defer { removeFile(path) }
        try stage.recording.follow(in: path)
        let text = String(repeating: "x", count: 500)
        for count in 1...600 {
            stage.send(.typed("\(count)\(text)"))
            if count % 5 == 0 { stage.recording.flush() }
        }
        expect(stage.recording.fileFailure == nil)
        expect(try #require(stage.recording.numbers).lowerBound > 1)
        stage.end()
    }

    @Test("A step that is caused by itself or by a later one is an error")
    func cause() {
        // An event with a cause and no other properties: kind, flags, time, text, cause.
        for (cause, isRead) in [(0, true), (1, false), (2, false), (3, false)] {
            let bytes: [UInt8] = [0, 1, 0, 0, UInt8(cause)]
            expect((reason([header, segment(["x"]), steps(1, bytes)]) == nil) == isRead, "\(cause)")
        }
        let second: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0]
        expect(reason([header, segment(["x"]), steps(2, second + [2])]) == nil)
        expectEqual(reason([header, segment(["x"]), steps(2, second + [3])]), "a step has no such cause")
        expectEqual(reason([header, segment(["x"]), steps(2, second + [1])]), "a step has no such cause")
    }

    @Test("A step that occurs twice is an error")
    func twice() {
        let step: [UInt8] = [0, 0, 0, 0]
        expectEqual(reason([header, segment(["x"]), steps(1, step), segment(["x"]), steps(1, step)]), "step 1 occurs twice")
    }

    /// The check of the depth, which ``depth()`` tests, is the same.
    @Test("A segment with more values than allowed is an error", .enabled(if: Budget.isExhaustive))
    func values() {
        var sink = ByteSink()
        sink.add(byte: 1)
        sink.add(byte: 1 + StateTree.Shape.list.rawValue)
        sink.add(0)
        sink.add(RecordingFormat.mostValues)
        // Each part has three bytes: the index of its name, its kind, and the index of its text.
        sink.add([UInt8](repeating: 0, count: 3 * RecordingFormat.mostValues))
        sink.add(0)
        expectEqual(
            reason([header, segment([""], base: sink.bytes), steps(1, [0, 0, 0, 0])]), "a state is too deep or too large")
    }

    @Test("A time before the first or after the latest possible one is an error")
    func times() {
        var sink = ByteSink()
        sink.add([0, 0])
        sink.add(signed: RecordingFormat.latest)
        expect(reason([header, segment(["x"]), steps(1, sink.bytes + [0])]) == nil)
        var later = ByteSink()
        later.add([0, 0])
        later.add(signed: RecordingFormat.latest + 1)
        expectEqual(reason([header, segment(["x"]), steps(1, later.bytes + [0])]), "a step has no such time")
        expectEqual(reason([header, segment(["x"]), steps(1, [0, 0, 1, 0])]), "a step has no such time")
    }

    @Test("A small file that expands to an enormous text is rejected")
    func amplification() {
        // A list of many values, all of which are the same text of a megabyte.
        let text = String(repeating: "x", count: 1 << 20)
        var sink = ByteSink()
        sink.add(byte: 1)
        sink.add(byte: 1 + StateTree.Shape.list.rawValue)
        sink.add(1)
        sink.add(1000)
        for _ in 0..<1000 { sink.add([1, 0, 0]) }
        sink.add(1)
        expectEqual(
            reason([header, segment([text, ""], base: sink.bytes), steps(1, [0, 0, 0, 1])]), "a segment refers to too much text")
    }

    @Test("A segment with more than a million texts is an error")
    func texts() {
        var sink = ByteSink()
        sink.add(byte: RecordingFormat.Frame.segment)
        for number in [1, 0, RecordingFormat.mostTexts + 1] { sink.add(number) }
        // All of them are empty, of one byte each.
        sink.add([UInt8](repeating: 0, count: RecordingFormat.mostTexts + 1))
        sink.add(counted: [0, 0])
        expectEqual(reason([header, sink.bytes]), "a segment has too many texts")
    }

    @Test("A state of the maximal depth is read, and a deeper one is an error")
    func depth() {
        func base(_ depth: Int) -> [UInt8] {
            var bytes: [UInt8] = [1]
            for _ in 0..<depth { bytes += [1 + StateTree.Shape.list.rawValue, 0, 1, 0] }
            return bytes + [0, 0, 0]
        }
        let one: [UInt8] = [0, 0, 0, 0]
        expect(reason([header, segment([""], base: base(RecordingFormat.deepest - 1)), steps(1, one)]) == nil)
        expectEqual(
            reason([header, segment([""], base: base(RecordingFormat.deepest)), steps(1, one)]),
            "a state is too deep or too large")
    }

    @Test("A recording of much text begins a new segment long before the limit for reading")
    func manySegments() throws {
        var encoder = StepEncoder<Desk, DeskEvent, DeskEffect>(
            RecordingHeader(), keeping: .last(10_000), redactor: Redactor([]))
        encoder.manyReferred = 10_000
        var entries: [RecordingEntry<Desk, DeskEvent, DeskEffect>] = [.begin(LoopBeginning(Desk(), at: .now))]
        let texts = [Desk(text: String(repeating: "y", count: 1000)), Desk()]
        for count in 0..<24 {
            let (before, after) = (texts[(count + 1) % 2], texts[count % 2])
            entries.append(
                .journal(JournalRecord(number: count + 1, effect: .text(after.text), before: before, after: after)))
        }
        encoder.add(entries, lost: 0, stateOfLost: nil)
        expectEqual(encoder.archive.segments.count, 4)
        expect(encoder.archive.segments.allSatisfy { $0.newlyReferred < 10_000 + 4000 })
        try expectEqual(RecordingReader(bytes: encoder.archive.bytes()).steps().count, 24)
    }

    @Test("A state of a long recording is decoded from a segment of at most 512 steps")
    func keyframes() throws {
        let stage = Stage(keeping: .last(1_000_000))
        let notes = Budget.size(1500, quick: 600)
        for count in 1...notes {
            stage.send(.note("a", count: count))
            if count % 100 == 0 { stage.recording.flush() }
        }
        let segments = stage.recording.archive.segments
        expect(segments.allSatisfy { $0.count <= 512 } && segments.count == (2 * notes + 511) / 512)
        try expectEqual(stage.recording.state(at: 1100, by: desk).notes, ["a": 550])
        try expectEqual(stage.recording.state(at: 0, by: desk).notes, [:])
        stage.end()
    }
}

@Suite("Recording: large states")
struct LargeStateTests {
    struct Shop: Codable, Equatable, Sendable { var items: [String: String] = [:] }
    private static func makeShop() -> Reducer<Shop, Int, Int, Void> {
        Reducer(
            transform: { _, event, _ in .just(event) },
            apply: { (state: inout Shop, effect: Int) in state.items["\(effect % 7)"] = "\(effect)" })
    }
    private let shop = LargeStateTests.makeShop()

    private func large(_ count: Int, text: String = "a text of some length") -> Shop {
        Shop(items: Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", text) }))
    }

    @Test("A state of more than a megabyte begins segments as seldom as a small one")
    func segments() throws {
        let recording = Recording(of: shop, keeping: 10_000, bytes: 1 << 30)
        // More than a megabyte, of fewer and longer texts in the quick tier.
        let large = Budget.isExhaustive ? large(20_000) : large(2_000, text: String(repeating: "x", count: 600))
        let store = Store(
            reducer: shop, initialState: large, environment: (), options: LoopOptions(journal: recording))
        for number in 0..<40 { store.send(number) }
        expectEqual(recording.archive.segments.map(\.count), [80])
        expect(recording.archive.segments.allSatisfy { $0.steps.count < 2_000 })
        try expectEqual(recording.state(at: 80, by: shop), store.state)
        store.cancel()
    }

    @Test("The JSON of a state that is too large for a segment is omitted")
    func muchJSON() throws {
        struct Text: Encodable, Equatable, Sendable, CustomStringConvertible {
            let size: Int
            var description: String { "\(size)" }
            func encode(to encoder: any Encoder) throws { try String(repeating: "x", count: size).encode(to: encoder) }
        }
        let reducer = Reducer<Text, Int, Int, Void>(
            transform: { _, event, _ in .just(event) }, apply: { (_: inout Text, _: Int) in })
        let recording = Recording(of: reducer, bytes: 1 << 30)
        recording.begin(with: Text(size: RecordingFormat.mostJSON))
        expectEqual(recording.archive.segments.map { $0.referred < 1000 }, [true])
        recording.begin(with: Text(size: 1000))
        expectEqual(recording.archive.segments.map { $0.referred < 1000 }, [false])
    }

    @Test("A segment has room for the largest state and its JSON, and for a step that changes all of it")
    func room() {
        let state = RecordingFormat.mostText + RecordingFormat.mostText / 8
        expect(2 * state + RecordingFormat.mostJSON + RecordingFormat.manyReferred < RecordingFormat.mostReferred)
    }

    @Test("If entries retain large copies, fewer may be pending, but at least 16")
    func waiting() {
        var bound = WaitingBound()
        expectEqual(bound.count(within: .last(1000)), 1000)
        let tree = TreeMaker.tree(of: large(20_000))
        bound.begin(with: tree)
        expectEqual(bound.count(within: .last(1000, bytes: 1 << 20)), 16)
        let some = bound.count(within: .last(1000, bytes: tree.size * 100))
        expect(some > 90 && some <= 100)
        for _ in 0..<1000 { bound.note([TreeChange(["items", "\"7\""], .leaf("x"))], in: tree) }
        let copies = 20_000 * StateTree.sizeOfPart
        expectEqual(bound.count(within: .last(1000, bytes: copies * 100)), 99)
        for _ in 0..<1000 { bound.note([], in: tree) }
        expectEqual(bound.count(within: .last(1000, bytes: copies)), 1000)
    }
}
