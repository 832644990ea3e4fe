import MoonlightTestSupport
import Testing

@testable import Moonlight

/// Journal records of a feature in a slot.
@Suite("Slots in the journal")
struct SlotJournalTests {
    private static func record(
        _ before: Slot<FileDownloading>, _ verb: (inout Slot<FileDownloading>) throws -> Void
    ) throws -> JournalRecord<Files, Int, Int> {
        var after = before
        try verb(&after)
        return JournalRecord(
            number: 1, cause: nil, age: .zero,
            step: .effect(1, before: Files(download: before), after: Files(download: after, printed: ["line"])))
    }

    private static func changes(
        _ before: Slot<FileDownloading>, _ verb: (inout Slot<FileDownloading>) throws -> Void
    ) throws -> [String] {
        try record(before, verb).changes.map(\.description).filter { !$0.hasPrefix("printed") }
    }

    private static let half = Slot(FileDownloading.inProgress(.init(percent: 50)))

    @Test("Each verb of a slot has its own journal line")
    func verbs() throws {
        expectEqual(try Self.changes(Slot()) { try $0.initialize(.starting) }, ["download absent -> starting (initialized)"])
        expectEqual(
            try Self.changes(Self.half) { try $0.actualize(.inProgress) { $0.percent = 60 } },
            ["download.inProgress.percent 50.0 -> 60.0 (actualized)"])
        expectEqual(
            try Self.changes(Self.half) { try $0.transition(from: .inProgress, into: .inProgress(.init(percent: 60))) },
            ["download inProgress(Progress(percent: 50.0)) -> inProgress(Progress(percent: 60.0)) (transitioned)"])
        expectEqual(
            try Self.changes(Slot(.starting)) { try $0.transition(from: .starting, into: .completed) },
            ["download starting -> completed (transitioned)"])
        expectEqual(
            try Self.changes(Slot(.completed)) { try $0.deinitialize() }, ["download completed -> absent (deinitialized)"])
    }

    @Test("The journal records a feature that enters an equal state, or ends and begins again")
    func reentered() throws {
        expectEqual(
            try Self.changes(Slot(.completed)) { try $0.transition(into: .completed, reentering: true) },
            ["download completed -> completed (transitioned)"])
        expectEqual(
            try Self.changes(Slot(.completed)) { slot in
                try slot.deinitialize()
                try slot.initialize(.completed)
            }, ["download completed -> absent (deinitialized)", "download absent -> completed (initialized)"])
    }

    @Test("A change of another part of the state has no verb, and the JSON of a slot has its verb")
    func others() throws {
        let record = try Self.record(Slot()) { try $0.initialize(.starting) }
        expectEqual(record.changes.map(\.verb), ["initialized", nil])
        expect(
            record.json(since: .now).contains(
                #"{"path":"download","before":"absent","after":"starting","verb":"initialized"},{"path":"printed[0]","after":"#))
    }

    @Test("A comparison of two values that are not consecutive states names no verb")
    func comparison() {
        expectEqual(
            StateChange.between(Files(download: Slot(.starting)), Files(download: Slot(.completed))).map(\.description),
            ["download starting -> completed"])
    }
}
