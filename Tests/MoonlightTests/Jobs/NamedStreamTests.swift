import Streams
import Testing

@testable import Moonlight

@Suite("The name of a stream")
struct NamedStreamTests {
    private typealias Stream = AnyPublisher<Int, Never>

    @Test("is that of its job, also where the effects are embedded, and however often its type is erased")
    func named() {
        let job = PassthroughSubject<Int, Never>().job("search")
        #expect(Stream(job).jobID == JobID("search"))
        #expect(job.map { $0 + 1 }.jobID == JobID("search"))
        #expect(Stream(Stream(job).map { $0 + 1 }).jobID == JobID("search"))
        #expect(Stream(Stream(job.eraseToAnyPublisher())).jobID == JobID("search"))
    }

    @Test("stays with a companion")
    func accompanied() {
        let job = PassthroughSubject<Int, Never>().job("search")
        #expect(AccompaniedStream(upstream: job, begin: { StreamCompanion(ended: { _ in }) }).jobID == JobID("search"))
        #expect(
            Stream(AccompaniedStream(upstream: Stream(job), begin: { StreamCompanion(ended: { _ in }) })).jobID == JobID("search")
        )
    }

    @Test("is nil if it is no job")
    func nameless() {
        #expect(Stream(Just(1)).jobID == nil)
        #expect(Stream(PassthroughSubject<Int, Never>().map { $0 + 1 }).jobID == nil)
    }
}
