import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

private final class Errand: Sendable {}

/// An inbox without a loop.
@Suite("An inbox that folds, and lets senders wait")
struct InboxFoldingTests {
    /// Folds numbers that are both odd into their sum.
    private func inbox(_ bound: InboxBound) -> Inbox<Int> {
        Inbox(bound) { older, newer in older % 2 == 1 && newer % 2 == 1 ? older + newer : nil }
    }

    private func short(_ answer: Inbox<Int>.Answer) -> String {
        switch answer.offer {
        case .queued: "queued \(answer.marks)"
        case .folded: "folded \(answer.marks)"
        case .queuedForOldest(let oldest, _): "for \(oldest) \(answer.marks)"
        case .full: "full \(answer.marks)"
        case .closed: "closed \(answer.marks)"
        }
    }

    @Test("an event is folded into the last, which keeps its place and is called for once")
    func folding() {
        let inbox = inbox(.unbounded)
        let answers = [2, 1, 3, 4, 5].map { short(inbox.offer($0, Trace(), from: .outside)) }
        #expect(answers == ["queued 1", "queued 1", "folded 0", "queued 1", "queued 1"])
        #expect((0..<4).map { _ in inbox.next()?.event } == [2, 4, 4, 5])
        #expect(inbox.next() == nil)
        #expect(inbox.isEmpty)
    }

    @Test("what feedback sends and is folded into an event from outside makes that one of the loop's own, which is not dropped")
    func foldedAnswer() {
        let inbox = inbox(.dropOldest(1))
        #expect(short(inbox.offer(1, Trace(), from: .outside)) == "queued 1")
        #expect(short(inbox.offer(3, Trace(), from: .loop)) == "folded 0")
        #expect(short(inbox.offer(2, Trace(), from: .outside)) == "queued 1")
        #expect(short(inbox.offer(8, Trace(), from: .outside)) == "for 2 0")
        #expect((0..<2).map { _ in inbox.next()?.event } == [4, 8])
    }

    @Test("an event from outside that is folded into one of the same stays one that may be dropped")
    func foldedOutside() {
        let inbox = inbox(.dropOldest(1))
        _ = inbox.offer(1, Trace(), from: .outside)
        _ = inbox.offer(3, Trace(), from: .outside)
        #expect(short(inbox.offer(2, Trace(), from: .outside)) == "for 4 0")
    }

    @Test("who waits for an event that is being folded while the loop ends is told that it ended")
    func closedWhileFolding() throws {
        let inboxes = Lock<[Inbox<Int>]>([])
        let inbox = Inbox<Int>(.unbounded) { older, newer in
            for inbox in inboxes.withLock({ $0 }) { inbox.close() }
            return older + newer
        }
        inboxes.withLock { $0 = [inbox] }
        let settlements = (0..<2).map { _ in Settlement(of: LoopCancellation()) }
        for settlement in settlements {
            var trace = Trace()
            trace.add(asker: settlement)
            _ = inbox.offer(1, trace, from: .outside)
        }
        #expect(settlements.map { $0.outcome.failure.map { "\($0)" } } == ["\(SendError.ended)", "\(SendError.ended)"])
        inboxes.withLock { $0 = [] }
    }

    @Test("of three events that were folded, all have begun when the one is handled")
    func begunTogether() {
        let settlements = (0..<3).map { _ in Settlement(of: LoopCancellation()) }
        var joint: Settlement?
        for settlement in settlements { Settlement.join(&joint, settlement) }
        joint?.begin()
        for settlement in settlements { settlement.outcome.cutOff() }
        let interrupted = "\(SendError.interrupted(.loopEnded))"
        #expect(settlements.map { $0.outcome.failure.map { "\($0)" } } == [interrupted, interrupted, interrupted])
    }

    @Test("an event is from outside if any of those that were folded into it is")
    func foldedFromOutside() {
        for isOlderFromOutside in [false, true] {
            for isNewerFromOutside in [false, true] {
                let inbox = inbox(.unbounded)
                _ = inbox.offer(1, Trace(isFromOutside: isOlderFromOutside), from: .outside)
                #expect(short(inbox.offer(3, Trace(isFromOutside: isNewerFromOutside), from: .outside)) == "folded 0")
                #expect(inbox.next()?.trace.isFromOutside == (isOlderFromOutside || isNewerFromOutside))
            }
        }
    }

    @Test("an event with an errand is folded into none, and none into it")
    func errands() {
        let inbox = inbox(.unbounded)
        var errand = Trace()
        errand.errand = Errand()
        let answers = [Trace(), errand, Trace()].map { short(inbox.offer(1, $0, from: .outside)) }
        #expect(answers == ["queued 1", "queued 1", "queued 1"])
    }

    @Test("an event of two threads is the own of neither")
    func twoSenders() {
        let inbox = inbox(.unbounded)
        #expect(inbox.isNextOwn)
        _ = inbox.offer(1, Trace(), from: .outside)
        #expect(inbox.isNextOwn)
        Worker { _ = inbox.offer(3, Trace(), from: .outside) }.join()
        #expect(!inbox.isNextOwn)
        #expect(inbox.next()?.event == 4)
        Worker { _ = inbox.offer(3, Trace(), from: .outside) }.join()
        #expect(!inbox.isNextOwn)
    }

    @Test("senders that wait for room are admitted one by one as events are taken, in their order")
    func waiting() {
        let (inbox, executor, log) = (inbox(.suspend(1)), ToldExecutor(), Recorder<String>())
        _ = inbox.offer(2, Trace(), from: .outside)
        for name in ["a", "b"] {
            Task(executorPreference: executor) { log.append("\(name) \(await inbox.room())") }
            executor.run()
        }
        #expect(log.all == [])
        #expect(inbox.next()?.event == 2)
        executor.run()
        #expect(log.all == ["a true"])
        #expect(short(inbox.offer(4, Trace(), from: .outside)) == "full 0")
        #expect(short(inbox.offer(6, Trace(), from: .hasRoom)) == "queued 1")
        executor.run()
        #expect(log.all == ["a true"])
        #expect(inbox.next()?.event == 6)
        executor.run()
        #expect(log.all == ["a true", "b true"])
    }

    @Test("a sender that has room and whose event is folded gives its room to the next that waits")
    func givingBack() {
        let (inbox, executor, log) = (inbox(.suspend(2)), ToldExecutor(), Recorder<String>())
        _ = inbox.offer(2, Trace(), from: .outside)
        Task(executorPreference: executor) { log.append("a \(await inbox.room())") }
        executor.run()
        #expect(log.all == ["a true"])
        Task(executorPreference: executor) { log.append("b \(await inbox.room())") }
        executor.run()
        #expect(log.all == ["a true"])
        #expect(inbox.next()?.event == 2)
        executor.run()
        #expect(log.all == ["a true", "b true"])
        _ = inbox.offer(1, Trace(), from: .hasRoom)
        Task(executorPreference: executor) { log.append("c \(await inbox.room())") }
        executor.run()
        #expect(log.count == 2)
        #expect(short(inbox.offer(3, Trace(), from: .hasRoom)) == "folded 0")
        executor.run()
        #expect(log.all == ["a true", "b true", "c true"])
    }

    @Test("who is cancelled waits no longer, and takes no room; the end admits all")
    func leaving() {
        let (inbox, executor, log) = (inbox(.suspend(1)), ToldExecutor(), Recorder<String>())
        _ = inbox.offer(2, Trace(), from: .outside)
        let tasks = ["a", "b"].map { name in
            Task(executorPreference: executor) { log.append("\(name) \(await inbox.room())") }
        }
        executor.run()
        tasks[0].cancel()
        executor.run()
        #expect(log.all == ["a false"])
        inbox.close()
        executor.run()
        #expect(log.all == ["a false", "b true"])
        #expect(short(inbox.offer(4, Trace(), from: .hasRoom)) == "closed 0")
        #expect(inbox.next() == nil)
    }

    @Test("an inbox that does not fold leaves one mark for each event that it takes, and none for one that it refuses")
    func withoutFolding() {
        let inbox = Inbox<Int>(.reject(2), nil)
        #expect([1, 3, 5].map { short(inbox.offer($0, Trace(), from: .outside)) } == ["queued 1", "queued 1", "full 0"])
        #expect((0..<3).map { _ in inbox.next()?.event } == [1, 3, nil])
    }

    @Test("who has been cancelled before it waits does not wait, and gets room only if there is some", arguments: [false, true])
    func cancelledBefore(hasRoom: Bool) {
        let (inbox, executor, log) = (inbox(.suspend(1)), ToldExecutor(), Recorder<Bool>())
        if !hasRoom { _ = inbox.offer(2, Trace(), from: .outside) }
        Task(executorPreference: executor) { log.append(await inbox.room()) }.cancel()
        executor.run()
        #expect(log.all == [hasRoom])
    }
}
