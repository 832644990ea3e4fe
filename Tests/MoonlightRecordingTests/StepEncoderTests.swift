import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@testable import MoonlightRecording

@Suite("Recording: memory of the encoder")
struct StepEncoderTests {
    private typealias Encoder = StepEncoder<Int, Int, Int>

    private func timer(_ id: Int, _ what: WorldEntry.What) -> RecordingEntry<Int, Int, Int> {
        .world(WorldEntry(id: id, what: what, cause: nil, time: .now))
    }

    private func effect(_ number: Int) -> RecordingEntry<Int, Int, Int> {
        .journal(JournalRecord(number: number, effect: number, before: number - 1, after: number))
    }

    @Test("A timer that has fired is forgotten, and a firing of a repeating timer causes the next one")
    func fired() throws {
        var encoder = Encoder(RecordingHeader(), keeping: .last(100), redactor: Redactor([]))
        encoder.add(
            [timer(1, .timer(.seconds(1))), timer(2, .timer(.seconds(2))), timer(1, .fired), timer(1, .timer(.seconds(1)))],
            lost: 0, stateOfLost: nil)
        expectEqual(encoder.stepOfCall, [1: 4, 2: 2])
        encoder.add([timer(1, .fired), timer(2, .fired), timer(2, .fired)], lost: 0, stateOfLost: nil)
        expectEqual(encoder.stepOfCall, [:])
        let steps = try RecordingReader(bytes: encoder.archive.bytes()).steps()
        expectEqual(steps.map(\.call), [0, 0, 1, 0, 4, 2])
    }

    @Test("Calls without an answer are forgotten with their steps, and so are records")
    func bounded() {
        var encoder = Encoder(RecordingHeader(), keeping: .last(16), redactor: Redactor([]))
        var (calls, records) = (0, 0)
        let numbers = Budget.size(10_000, quick: 4_000)
        for number in 1...numbers {
            encoder.add([timer(number, .timer(.seconds(1))), effect(number)], lost: 0, stateOfLost: nil)
            (calls, records) = (max(calls, encoder.stepOfCall.count), max(records, encoder.stepOfRecord.count))
        }
        expect(calls > 2000 && calls <= 2 * 1024 + 1)
        expect(records > 2000 && records <= 2 * 1024 + 1)
        expect(encoder.archive.segments.count < 12)
        encoder.add([timer(numbers, .fired)], lost: 0, stateOfLost: nil)
        expectEqual(encoder.number, 2 * numbers + 1)
    }

    @Test("The oldest segment is dropped as soon as those after it have as many steps as are kept")
    func oldest() {
        var encoder = Encoder(RecordingHeader(), keeping: .last(16), redactor: Redactor([]))
        var most = 0
        for number in 1...1200 {
            encoder.add([effect(number)], lost: 0, stateOfLost: nil)
            most = max(most, encoder.archive.segments.dropFirst().reduce(0) { $0 + $1.count })
        }
        expectEqual(most, 15)
    }

    @Test("A timer notes each firing and, if it repeats, the time until the next one")
    func repeating() {
        let steps = Recorder<String>()
        let timer = RecordedTimer(cause: nil) { steps.append("\($0)") }
        timer.isDue(next: .seconds(1))
        timer.isDue(next: .seconds(1))
        timer.withdraw()
        timer.withdraw()
        expectEqual(steps.all, ["fired", "timer(1.0 seconds)", "fired", "timer(1.0 seconds)", "withdrawn"])
    }

    @Test("The state of a loop whose beginning alone was lost is that before the next step")
    func lostBeginning() throws {
        var encoder = Encoder(RecordingHeader(), keeping: .last(100), redactor: Redactor([]))
        encoder.add([.begin(LoopBeginning(0, at: .now)), effect(1)], lost: 0, stateOfLost: nil)
        encoder.add([effect(8)], lost: 0, stateOfLost: 7)
        let reader = try RecordingReader(bytes: encoder.archive.bytes())
        try expectEqual(reader.step(2).before?.source, "7")
        try expectEqual(reader.state(at: 2)?.source, "8")
    }

    @Test("A time before the first one is clamped to it, and an invalid duration to the nearest valid one")
    func times() throws {
        var encoder = Encoder(RecordingHeader(), keeping: .last(16), redactor: Redactor([]))
        let now = ContinuousClock.now
        encoder.add(
            [
                .world(WorldEntry(id: 1, what: .timer(.seconds(Int64.max)), cause: nil, time: now)),
                .world(WorldEntry(id: 1, what: .timer(.seconds(-1)), cause: nil, time: now - .seconds(5))),
            ], lost: 0, stateOfLost: nil)
        let steps = try RecordingReader(bytes: encoder.archive.bytes()).steps()
        expectEqual(steps.map(\.span), [RecordingFormat.latest, 0])
        expectEqual(steps.map(\.time), [0, 0])
    }
}
