import Testing

@testable import Moonlight

@Suite("The limit of a policy")
struct JobPolicyTests {
    @Test("counts the running job beside those that wait, as far as an Int counts")
    func limit() {
        #expect(JobPolicy.queue(limit: 1).limit == 2)
        #expect(JobPolicy.queue(limit: .max - 1).limit == .max)
        #expect(JobPolicy.queue(limit: .max).limit == .max)
        #expect(JobPolicy.merge(limit: .max).limit == .max)
        #expect(JobPolicy.latest.limit == nil)
    }
}
