import Dispatch
import MoonlightTestSupport
import Synchronization
import Testing

@testable import Streams

/// Owners, handover jobs and posting threads, without any operator.
@Suite("Mailbox")
struct MailboxTests {
    /// A user of a mailbox whose items are numbers, which records the thread that handled each.
    private final class Office: @unchecked Sendable {
        // Sound: `batch` belongs to the mailbox's owner, and the list is thread-safe.
        let mailbox = Mailbox<Int>()
        let handled = Log<(item: Int, thread: UInt)>()
        private var batch: [Int] = []
        let onItem: @Sendable (Office, Int) -> Void

        init(onItem: @escaping @Sendable (Office, Int) -> Void = { _, _ in }) { self.onItem = onItem }

        var batchCapacity: Int { batch.capacity }

        func take(_ item: Int) {
            if mailbox.enter() {
                handle(item)
                if !mailbox.leave() { work(within: nil) }
            } else if mailbox.post(item) {
                work(within: nil)
            }
        }

        private func work(within slice: TimeSlice?) {
            if mailbox.work(within: slice, &batch, { handle($0) }) { return }
            runDetached { [self] in work(within: TimeSlice()) }
        }

        private func handle(_ item: Int) {
            handled.append((item, currentThread()))
            onItem(self, item)
        }
    }

    @Test("An item that is posted while another is handled is handled afterwards by the same thread")
    func fromInside() {
        let office = Office { office, item in
            if item < 3 { office.take(item + 1) }
            office.handled.append((-item, currentThread()))
        }
        office.take(1)
        expectEqual(office.handled.items.map(\.item), [1, -1, 2, -2, 3, -3])
        expectEqual(Set(office.handled.items.map(\.thread)), [currentThread()])
        let isIdle = office.mailbox.enter()
        expect(isIdle)
    }

    @Test("A mailbox releases the memory of a burst of items")
    func burst() {
        let count = Budget.size(20_000, quick: 4_000)
        let office = Office { office, item in if item == 0 { for next in 1...count { office.take(next) } } }
        office.take(0)
        expectEqual(office.handled.items.count, count + 1)
        let kept = office.batchCapacity + office.mailbox.inbox.withLock { $0.items.capacity }
        expect(kept * MemoryLayout<Int>.stride <= 4096)
    }

    @Test("A thread that finds 4,096 waiting items yields, and one that finds fewer does not", arguments: [false, true])
    func full(forHandover: Bool) {
        let mailbox = Mailbox<Int>()
        _ = mailbox.enter()
        for item in 1..<4_096 {
            let posting = mailbox.append(item, forHandover: forHandover)
            guard posting == .posted else { return expectEqual(posting, .posted, "item \(item)") }
        }
        for item in 4_096..<5_000 {
            let posting = mailbox.append(item, forHandover: forHandover)
            guard posting == .full else { return expectEqual(posting, .full, "item \(item)") }
        }
        var batch: [Int] = []
        _ = mailbox.collect(into: &batch)
        let afterwards = mailbox.append(0)
        expectEqual(afterwards, .posted)
    }

    @Test("A thread that posts to a full mailbox returns, even if no item is taken")
    func returns() {
        let mailbox = Mailbox<Int>()
        _ = mailbox.enter()
        var owners = 0
        for item in 0..<10_000 where mailbox.post(item) { owners += 1 }
        expectEqual(owners, 0)
    }

    @Test("The share of a thread is the number of items that it posted before any other thread")
    func share() {
        var inbox = Mailbox<Int>.Inbox()
        for sender: UInt in [10, 10, 20, 10] { inbox.append(0, from: sender) }
        expectEqual(inbox.share(of: 10), 2)
        expectEqual(inbox.share(of: 20), 0)
        expectEqual(inbox.share(of: 0), 0)
    }

    @Test("An item for a handover job is in no thread's share, and the thread that posts it owns the mailbox")
    func forHandover() {
        let office = Office()
        let isOwner = office.mailbox.post(7, forHandover: true)
        expect(isOwner)
        var batch: [Int] = []
        let share = office.mailbox.collect(into: &batch)
        expectEqual(share, 0)
        expectEqual(batch, [7])
    }

    @Test("A handover job handles the items that it takes over before newer ones")
    func inherited() {
        let office = Office()
        var batch = [2, 1]
        _ = office.mailbox.enter()
        _ = office.mailbox.post(3)
        var handled: [Int] = []
        // An item that is posted meanwhile finds it busy.
        let isDone = office.mailbox.work(within: TimeSlice(), &batch) { item in
            handled.append(item)
            if item == 3 { _ = office.mailbox.post(4) }
        }
        expect(isDone)
        expectEqual(handled, [1, 2, 3, 4])
        let isIdle = office.mailbox.isIdle
        expect(isIdle)
    }

    @Test("A handover job that has used up its time slice leaves the remaining items to another one")
    func timeIsOver() {
        let office = Office()
        var batch = Array((0..<10_000).reversed())
        _ = office.mailbox.enter()
        var handled: [Int] = []
        let isDone = office.mailbox.work(within: TimeSlice(now: 0), &batch) { handled.append($0) }
        expect(!isDone)
        expect(handled.count < 10_000)
        expectEqual(handled + batch.reversed(), Array(0..<10_000))
    }

    @Test("A subject that is released during a handover job delivers all its values, and then releases its subscribers")
    func abandoned() {
        let seen = Log<Int>()
        let (isInside, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        weak var token: Token?
        do {
            var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
            let kept = Token()
            token = kept
            // Does not retain its subscription: only the subject does.
            subject?.subscribe(
                AnySubscriber(
                    receiveSubscription: { $0.request(.unlimited) },
                    receiveValue: { value in
                        seen.append(value)
                        withExtendedLifetime(kept) {}
                        if value < 3 {
                            isInside.signal()
                            goOn.wait()
                        }
                        return .none
                    }))
            let sender = Worker(stackSize: 512 << 10) { [weak subject] in subject?.send(1) }
            isInside.wait()
            for value in 2...4 { subject?.send(value) }
            goOn.signal()
            sender.wait()
            // The handover job is delivering the second value.
            isInside.wait()
            subject = nil
            goOn.signal()
        }
        settle()
        expectEqual(seen.items, [1, 2, 3, 4])
        expect(token == nil)
    }

    private final class Token {}
}
