import MoonlightTestSupport
import Testing

@testable import Moonlight

@Suite("A record of the journal")
struct JournalRecordTests {
    @Test("A record of the end is that of the cancelled loop itself or of one of its cancelled jobs")
    func records() {
        typealias Step = JournalRecord<Int, Int, Int>.Step
        expect(Step.ended(isCancelled: true).isOfTheEnd)
        expect(Step.job(JobRecord(id: JobID("a"), step: .cancelled)).isOfTheEnd)
        expect(!Step.job(JobRecord(id: JobID("a"), step: .started)).isOfTheEnd)
        expect(!Step.event(1).isOfTheEnd)
        expect(!Step.effect(1, before: 0, after: 1).isOfTheEnd)
    }
}
