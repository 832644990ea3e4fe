import MoonlightDurability
import MoonlightRouting
import Testing

@testable import MoonlightNATS

@Suite("Pending replies")
struct PendingRepliesTests {
    @Test("A request that is answered, or whose time is over, leaves nothing", arguments: [true, false])
    func release(isAnswered: Bool) async {
        weak var released: PendingReplies?
        do {
            let replies = PendingReplies()
            released = replies
            let time = isAnswered ? Duration.seconds(3600) : .milliseconds(1)
            let answer = await replies.wait(within: time) { if isAnswered { replies.answer($0, .answered([7])) } }
            #expect(answer == (isAnswered ? .answered([7]) : .unanswered))
        }
        // The queue of the timer may still release its closure.
        while released != nil { await Task.yield() }
    }

    @Test("A request whose task is cancelled before it is sent is not sent, and a later cancellation ends the wait")
    func cancellation() async {
        let replies = PendingReplies()
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await replies.wait(within: .seconds(3600)) { _ in Issue.record("was sent") }
        }
        #expect(await early.value == .unreached)
        let late = Task {
            await replies.wait(within: .seconds(3600)) { _ in withUnsafeCurrentTask { $0?.cancel() } }
        }
        #expect(await late.value == .unanswered)
    }

    @Test("Times that are too large or negative do not trap", arguments: [Duration.seconds(Int64.min), .seconds(Int64.max)])
    func extremes(_ time: Duration) async {
        let replies = PendingReplies()
        let answer = await replies.wait(within: time) { if time > .zero { replies.answer($0, .answered([])) } }
        #expect(answer == (time > .zero ? .answered([]) : .unanswered))
    }

    @Test(
        "A name that would be another subject, or several, is refused", arguments: ["", "a\u{0}", "*", ">", "a b", "a..b", ".a"])
    func names(_ name: String) async {
        let courier = NATSCourier("rooms", in: NATS(["nats://localhost:1"]))
        await #expect(throws: DurabilityError.self) { _ = try await courier.listen(as: name) { $0 } }
        guard case .invalid = await courier.ask(name, [1], within: .seconds(3600)) else {
            Issue.record("\(name.debugDescription) was asked")
            return
        }
    }
}
