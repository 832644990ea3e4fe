import MoonlightTestSupport
import Testing

@testable import Moonlight

@Suite("Descriptions of untrusted text")
struct HostileDescriptionTests {
    private static let text = "\u{1B}[2J"
    private static let job = JobID(text)
    private static let full = JobError.full(id: job, policy: .queue(limit: 1))
    private static let rejected = SendError.rejected(Rejection(text))

    @Test(
        "An error or a report escapes the characters that would steer a terminal",
        arguments: [
            "\(rejected)", rejected.debugDescription, Rejection(text).debugDescription,
            "\(SendError.interrupted(.jobReplaced(job)))", "\(SendError.Interruption.jobCancelled(job))",
            "\(SendError.notDurable(Rejection(text), isTaken: true))", "\(full)",
            "\(RefusedEvent(event: text, error: .rejected(full)))", "\(RunawayReport(steps: 1, chain: [text]))",
            "\(LiveWork(kind: .job(job, isWaiting: false), path: ScopePath([]), event: text, cause: nil, since: .now))",
            "\(StateChange.between(["a"], [text])[0])",
        ])
    func escaped(description: String) { expectEscaped(description) }

    @Test("An error in several lines keeps them")
    func lines() { expectEqual("\(SendError.rejected(Rejection("one\ntwo")))", "the event was rejected: one\ntwo") }
}
