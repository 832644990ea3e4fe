import MoonlightTestSupport
import Testing

@testable import Moonlight

@Suite("Limits of job policies")
struct JobPolicyTests {
    @Test("The limit of a queue includes the running job, and does not overflow")
    func limit() {
        expectEqual(JobPolicy.queue(limit: 1).limit, 2)
        expectEqual(JobPolicy.queue(limit: .max - 1).limit, .max)
        expectEqual(JobPolicy.queue(limit: .max).limit, .max)
        expectEqual(JobPolicy.merge(limit: .max).limit, .max)
        expect(JobPolicy.latest.limit == nil)
    }
}
