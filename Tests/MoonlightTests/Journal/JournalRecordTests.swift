import MoonlightTestSupport
import Testing

@testable import Moonlight

@Suite("Journal records")
struct JournalRecordTests {
    @Test("Notes of cancelled jobs are notes of the end")
    func notes() {
        expect(Note.job(JobRecord(id: JobID("a"), step: .cancelled)).isOfTheEnd)
        expect(!Note.job(JobRecord(id: JobID("a"), step: .started)).isOfTheEnd)
        expect(!Note.rule(RuleRecord(name: "a", path: .root, step: .fired(events: 1))).isOfTheEnd)
    }

    private static func record(_ step: JournalRecord<Int, Int, Int>.Step) -> JournalRecord<Int, Int, Int> {
        JournalRecord(number: 1, cause: nil, age: .zero, step: step)
    }

    @Test("A record of an effect is a change if the state differs afterwards")
    func changes() {
        expect(Self.record(.effect(1, before: 0, after: 1)).isChange)
        expect(!Self.record(.effect(1, before: 1, after: 1)).isChange)
        expect(!Self.record(.event(1)).isChange)
    }

    @Test("A record of a rejected, overflowed or failed step is a rejection")
    func rejections() {
        struct Oops: Error {}
        let given = RuleRecord.Given(number: 1, text: nil)
        let rejections: [JournalRecord<Int, Int, Int>.Step] = [
            .rejected(1, Oops()), .effectRejected(1, Oops()), .overflowed(1, count: 2),
            .job(JobRecord(id: JobID("a"), step: .refused(.full(id: JobID("a"), policy: .queue)))),
            .rule(RuleRecord(name: "a", path: .root, step: .failed(in: given, Oops()))),
        ]
        let others: [JournalRecord<Int, Int, Int>.Step] = [
            .event(1), .effect(1, before: 0, after: 1), .coalesced(1, count: 2), .runaway(steps: 1, chain: []),
            .ended(isCancelled: true), .job(JobRecord(id: JobID("a"), step: .started)),
            .rule(RuleRecord(name: "a", path: .root, step: .blocked(by: given))),
        ]
        for step in rejections { expect(Self.record(step).isRejection, "\(step)") }
        for step in others { expect(!Self.record(step).isRejection, "\(step)") }
    }

    @Test(
        "Times in JSON are cut off after the microseconds, however long they are",
        arguments: [
            (Duration.nanoseconds(13_999), "0.013"), (.microseconds(36_028_797_018_963), "36028797018.963"),
            (.nanoseconds(4_611_686_018_427_387_999), "4611686018427.387"), (.seconds(1 << 62), "9223372036854.775"),
        ])
    func milliseconds(span: Duration, text: String) {
        let record = Self.record(.ended(isCancelled: false))
        let json = record.json(since: record.time - span)
        expect(json.contains("\"ms\":\(text),"), "\(json)")
    }

    @Test("The JSON of a blocked rule has the number of the given, and its text if it has one")
    func givens() {
        let start = ContinuousClock.now
        let end = { (given: RuleRecord.Given) in
            String(
                Self.record(.rule(RuleRecord(name: "a", path: .root, step: .blocked(by: given)))).json(since: start)
                    .split(separator: "\"rule\",").last ?? "")
        }
        expectEqual(end(RuleRecord.Given(number: 2, text: nil)), #""name":"a","rule":"blocked","given":2}"#)
        expectEqual(
            end(RuleRecord.Given(number: 2, text: "it is open")),
            #""name":"a","rule":"blocked","given":2,"text":"it is open"}"#)
    }
}
