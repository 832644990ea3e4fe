import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

@Suite("Job id of a stream")
struct NamedStreamTests {
    private typealias Stream = AnyPublisher<Int, Never>

    @Test("The id of a stream is that of its job, also after `map` and any number of erasures")
    func named() {
        let job = PassthroughSubject<Int, Never>().job("search")
        expectEqual(Stream(job).jobID, JobID("search"))
        expectEqual(job.map { $0 + 1 }.jobID, JobID("search"))
        expectEqual(Stream(Stream(job).map { $0 + 1 }).jobID, JobID("search"))
        expectEqual(Stream(Stream(job.eraseToAnyPublisher())).jobID, JobID("search"))
    }

    @Test("The id of a stream does not change when a companion is added")
    func accompanied() {
        let job = PassthroughSubject<Int, Never>().job("search")
        expectEqual(AccompaniedStream(upstream: job, begin: { StreamCompanion(ended: { _ in }) }).jobID, JobID("search"))
        expectEqual(
            Stream(AccompaniedStream(upstream: Stream(job), begin: { StreamCompanion(ended: { _ in }) })).jobID, JobID("search")
        )
    }

    @Test("The id of a stream without a job is nil")
    func nameless() {
        expect(Stream(Just(1)).jobID == nil)
        expect(Stream(PassthroughSubject<Int, Never>().map { $0 + 1 }).jobID == nil)
    }
}
