import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

private final class Note: Sendable {}

/// An inbox without a loop.
@Suite("Inbox: coalescing and suspending")
struct InboxFoldingTests {
    /// Coalesces two odd numbers into their sum.
    private func inbox(_ bound: InboxBound) -> Inbox<Int> {
        Inbox(bound) { older, newer in older % 2 == 1 && newer % 2 == 1 ? older + newer : nil }
    }

    private func short(_ offer: InboxLine<Int>.Offer) -> String {
        switch offer {
        case .queued: "queued"
        case .folded: "folded"
        case .queuedForOldest(let oldest, _): "for \(oldest)"
        case .full: "full"
        case .closed: "closed"
        }
    }

    @Test("A coalesced event keeps the place of the pending one, and is announced to the loop once")
    func folding() {
        let inbox = inbox(.unbounded)
        let answers = [2, 1, 3, 4, 5].map { short(inbox.offer($0, Turn(), from: .outside)) }
        expectEqual(answers, ["queued", "queued", "folded", "queued", "queued"])
        expectEqual((0..<4).map { _ in inbox.next()?.event }, [2, 4, 4, 5])
        expect(inbox.next() == nil)
        expect(inbox.isEmpty)
    }

    @Test("An event of feedback that is coalesced with one from outside makes it the loop's own, which is not dropped")
    func foldedAnswer() {
        let inbox = inbox(.dropOldest(1))
        expectEqual(short(inbox.offer(1, Turn(), from: .outside)), "queued")
        expectEqual(short(inbox.offer(3, Turn(), from: .loop)), "folded")
        expectEqual(short(inbox.offer(2, Turn(), from: .outside)), "queued")
        expectEqual(short(inbox.offer(8, Turn(), from: .outside)), "for 2")
        expectEqual((0..<2).map { _ in inbox.next()?.event }, [4, 8])
    }

    @Test("An event from outside that is coalesced with another from outside can still be dropped")
    func foldedOutside() {
        let inbox = inbox(.dropOldest(1))
        _ = inbox.offer(1, Turn(), from: .outside)
        _ = inbox.offer(3, Turn(), from: .outside)
        expectEqual(short(inbox.offer(2, Turn(), from: .outside)), "for 4")
    }

    /// Makes an inbox of which `interrupt` is called each time that two events are coalesced into their sum.
    private func inbox(_ interrupt: @escaping @Sendable (Inbox<Int>) -> Void) -> Inbox<Int> {
        let inboxes = Lock<[Inbox<Int>]>([])
        let inbox = Inbox<Int>(.unbounded) { older, newer in
            for inbox in inboxes.withLock({ $0.popLast() }).map({ [$0] }) ?? [] { interrupt(inbox) }
            return older + newer
        }
        inboxes.withLock { $0 = [inbox] }
        return inbox
    }

    @Test("An event is refused, and not coalesced, if the loop ends meanwhile")
    func closedWhileFolding() throws {
        let inbox = inbox { $0.close() }
        let settlement = Settlement(of: LoopContext(name: nil))
        var turn = Turn()
        turn.attach(asker: settlement, note: nil, context: nil)
        expectEqual(short(inbox.offer(1, turn, from: .outside)), "queued")
        expectEqual(short(inbox.offer(2, Turn(), from: .outside)), "closed")
        expectEqual(settlement.outcome.failure.map { "\($0)" }, "\(SendError.ended)")
    }

    @Test("An event is kept apart if the loop takes the pending one meanwhile")
    func takenWhileFolding() {
        let inbox = inbox { _ = $0.next() }
        expectEqual(short(inbox.offer(1, Turn(), from: .outside)), "queued")
        expectEqual(short(inbox.offer(2, Turn(), from: .outside)), "queued")
        expectEqual(inbox.next()?.event, 2)
        expect(inbox.isEmpty)
    }

    @Test("An event is coalesced with the one that has become the last meanwhile")
    func followedWhileFolding() {
        let inbox = inbox { _ = $0.line.withLock { $0.offer(10, Turn(), from: .outside) } }
        expectEqual(short(inbox.offer(1, Turn(), from: .outside)), "queued")
        expectEqual(short(inbox.offer(2, Turn(), from: .outside)), "folded")
        expectEqual((0..<2).map { _ in inbox.next()?.event }, [1, 12])
    }

    @Test("An event is coalesced with what others have made of the pending one meanwhile")
    func foldedWhileFolding() {
        let inbox = inbox { _ = $0.offer(4, Turn(), from: .outside) }
        expectEqual(short(inbox.offer(1, Turn(), from: .outside)), "queued")
        expectEqual(short(inbox.offer(2, Turn(), from: .outside)), "folded")
        expectEqual(inbox.next()?.event, 7)
        expect(inbox.isEmpty)
    }

    @Test("Three coalesced events have all begun when the resulting one is handled")
    func begunTogether() {
        let loop = LoopContext(name: nil)
        let settlements = (0..<3).map { _ in Settlement(of: loop) }
        var joint: [Settlement] = []
        for settlement in settlements { joint.join([settlement]) }
        joint.begin()
        _ = loop.cancel()
        for settlement in settlements { settlement.outcome.end(with: loop) }
        let interrupted = "\(SendError.interrupted(.loopEnded))"
        expectEqual(settlements.map { $0.outcome.failure.map { "\($0)" } }, [interrupted, interrupted, interrupted])
    }

    @Test("A coalesced event counts as from outside if any of its parts does")
    func foldedFromOutside() {
        for isOlderFromOutside in [false, true] {
            for isNewerFromOutside in [false, true] {
                let inbox = inbox(.unbounded)
                _ = inbox.offer(1, Turn(isFromOutside: isOlderFromOutside), from: .outside)
                expectEqual(short(inbox.offer(3, Turn(isFromOutside: isNewerFromOutside), from: .outside)), "folded")
                expect(inbox.next()?.turn.isFromOutside == (isOlderFromOutside || isNewerFromOutside))
            }
        }
    }

    @Test("An event with a durable sender's object is not coalesced, in either direction")
    func notes() {
        let inbox = inbox(.unbounded)
        let noted = Turn(isFollowUp: false, note: Note())
        let answers = [Turn(), noted, Turn()].map { short(inbox.offer(1, $0, from: .outside)) }
        expectEqual(answers, ["queued", "queued", "queued"])
    }

    @Test("An event coalesced from two threads belongs to neither")
    func twoSenders() {
        let inbox = inbox(.unbounded)
        expect(inbox.isNextOwn)
        _ = inbox.offer(1, Turn(), from: .outside)
        expect(inbox.isNextOwn)
        Worker { _ = inbox.offer(3, Turn(), from: .outside) }.join()
        expect(!inbox.isNextOwn)
        expectEqual(inbox.next()?.event, 4)
        Worker { _ = inbox.offer(3, Turn(), from: .outside) }.join()
        expect(!inbox.isNextOwn)
    }

    @Test(
        "An event that its thread sent before it became the owner of the mailbox is not its own, even if another is added to it")
    func earlierEvents() {
        let inbox = inbox(.unbounded)
        expect(!inbox.disown())
        _ = inbox.offer(1, Turn(), from: .outside)
        expect(inbox.isNextOwn)
        expect(inbox.disown())
        expect(!inbox.isNextOwn)
        _ = inbox.offer(3, Turn(), from: .outside)
        expect(!inbox.isNextOwn)
        expectEqual(inbox.next()?.event, 4)
        _ = inbox.offer(5, Turn(), from: .outside)
        expect(inbox.isNextOwn)
    }

    @Test("An empty inbox can be closed, and then refuses events; one with events stays open")
    func closing() {
        let inbox = inbox(.unbounded)
        _ = inbox.offer(1, Turn(), from: .outside)
        expect(!inbox.closeIfEmpty())
        expectEqual(inbox.next()?.event, 1)
        expect(inbox.closeIfEmpty())
        expectEqual(short(inbox.offer(1, Turn(), from: .outside)), "closed")
        expect(inbox.closeIfEmpty())
    }

    @Test("Senders that wait for room are admitted one by one, in order, as events are handled")
    func waiting() {
        let (inbox, executor, log) = (inbox(.suspend(1)), SteppedExecutor(), Recorder<String>())
        _ = inbox.offer(2, Turn(), from: .outside)
        for name in ["a", "b"] {
            Task(executorPreference: executor) { log.append("\(name) \(await inbox.room())") }
            executor.run()
        }
        expectEqual(log.all, [])
        expectEqual(inbox.next()?.event, 2)
        executor.run()
        expectEqual(log.all, ["a true"])
        expectEqual(short(inbox.offer(4, Turn(), from: .outside)), "full")
        expectEqual(short(inbox.offer(6, Turn(), from: .hasRoom)), "queued")
        executor.run()
        expectEqual(log.all, ["a true"])
        expectEqual(inbox.next()?.event, 6)
        executor.run()
        expectEqual(log.all, ["a true", "b true"])
    }

    @Test("A sender with room whose event is coalesced passes the room to the next waiting sender")
    func givingBack() {
        let (inbox, executor, log) = (inbox(.suspend(2)), SteppedExecutor(), Recorder<String>())
        _ = inbox.offer(2, Turn(), from: .outside)
        Task(executorPreference: executor) { log.append("a \(await inbox.room())") }
        executor.run()
        expectEqual(log.all, ["a true"])
        Task(executorPreference: executor) { log.append("b \(await inbox.room())") }
        executor.run()
        expectEqual(log.all, ["a true"])
        expectEqual(inbox.next()?.event, 2)
        executor.run()
        expectEqual(log.all, ["a true", "b true"])
        _ = inbox.offer(1, Turn(), from: .hasRoom)
        Task(executorPreference: executor) { log.append("c \(await inbox.room())") }
        executor.run()
        expectEqual(log.count, 2)
        expectEqual(short(inbox.offer(3, Turn(), from: .hasRoom)), "folded")
        executor.run()
        expectEqual(log.all, ["a true", "b true", "c true"])
    }

    @Test("A sender that is cancelled stops waiting and takes no room; the end admits all waiting senders")
    func leaving() {
        let (inbox, executor, log) = (inbox(.suspend(1)), SteppedExecutor(), Recorder<String>())
        _ = inbox.offer(2, Turn(), from: .outside)
        let tasks = ["a", "b"].map { name in
            Task(executorPreference: executor) { log.append("\(name) \(await inbox.room())") }
        }
        executor.run()
        tasks[0].cancel()
        executor.run()
        expectEqual(log.all, ["a false"])
        inbox.close()
        executor.run()
        expectEqual(log.all, ["a false", "b true"])
        expectEqual(short(inbox.offer(4, Turn(), from: .hasRoom)), "closed")
        expect(inbox.next() == nil)
    }

    @Test("Room goes to the next sender that still waits")
    func skipping() {
        let (inbox, executor, log) = (inbox(.suspend(1)), SteppedExecutor(), Recorder<String>())
        _ = inbox.offer(2, Turn(), from: .outside)
        let tasks = ["a", "b", "c"].map { name in
            Task(executorPreference: executor) { log.append("\(name) \(await inbox.room())") }
        }
        executor.run()
        for task in tasks.prefix(2) { task.cancel() }
        executor.run()
        expectEqual(log.all.sorted(), ["a false", "b false"])
        expectEqual(inbox.next()?.event, 2)
        executor.run()
        expectEqual(log.all.last, "c true")
        expectEqual(short(inbox.offer(4, Turn(), from: .outside)), "full")
        expectEqual(short(inbox.offer(4, Turn(), from: .hasRoom)), "queued")
    }

    @Test("An inbox that does not coalesce announces each event that it accepts, and none that it refuses")
    func withoutFolding() {
        let inbox = Inbox<Int>(.reject(2), nil)
        expectEqual([1, 3, 5].map { short(inbox.offer($0, Turn(), from: .outside)) }, ["queued", "queued", "full"])
        expectEqual((0..<3).map { _ in inbox.next()?.event }, [1, 3, nil])
    }

    @Test("A sender that was cancelled before does not wait, and gets room only if there is some", arguments: [false, true])
    func cancelledBefore(hasRoom: Bool) {
        let (inbox, executor, log) = (inbox(.suspend(1)), SteppedExecutor(), Recorder<Bool>())
        if !hasRoom { _ = inbox.offer(2, Turn(), from: .outside) }
        Task(executorPreference: executor) { log.append(await inbox.room()) }.cancel()
        executor.run()
        expectEqual(log.all, [hasRoom])
    }
}
