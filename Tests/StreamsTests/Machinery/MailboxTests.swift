import Dispatch
import MoonlightTestSupport
import Synchronization
import Testing

@testable import Streams

/// What an owner, an heir and those who leave items do, without any operator.
@Suite("Mailbox")
struct MailboxTests {
    /// Handles numbers by a mailbox, as its users do, and notes who handled each.
    private final class Office: @unchecked Sendable {
        // Sound: `batch` belongs to the mailbox's owner, and the list guards itself.
        let mailbox = Mailbox<Int>()
        let handled = Log<(item: Int, thread: UInt)>()
        private var batch: [Int] = []
        let onItem: @Sendable (Office, Int) -> Void

        init(onItem: @escaping @Sendable (Office, Int) -> Void = { _, _ in }) { self.onItem = onItem }

        var batchCapacity: Int { batch.capacity }

        func take(_ item: Int) {
            if mailbox.enter() {
                handle(item)
                if !mailbox.leave() { work(.own) }
            } else if mailbox.post(item) {
                work(.own)
            } else {
                mailbox.holdUp()
            }
        }

        private func work(_ turn: Mailbox<Int>.Turn) {
            if mailbox.work(turn, &batch, { handle($0) }) { return }
            mailbox.bequeath { [self] in work(mailbox.inherit()) }
        }

        private func handle(_ item: Int) {
            handled.append((item, currentThread()))
            onItem(self, item)
        }
    }

    @Test("an item that is left from inside is handled by its own thread, after the one that is being handled")
    func fromInside() {
        let office = Office { office, item in
            if item < 3 { office.take(item + 1) }
            office.handled.append((-item, currentThread()))
        }
        office.take(1)
        #expect(office.handled.items.map(\.item) == [1, -1, 2, -2, 3, -3])
        #expect(Set(office.handled.items.map(\.thread)) == [currentThread()])
        let isIdle = office.mailbox.enter()
        #expect(isIdle)
    }

    @Test("arrays that a burst has needed are given back")
    func burst() {
        let office = Office { office, item in if item == 0 { for next in 1...20_000 { office.take(next) } } }
        office.take(0)
        #expect(office.handled.items.count == 20_001)
        let kept = office.batchCapacity + office.mailbox.inbox.withLock { $0.items.capacity }
        #expect(kept * MemoryLayout<Int>.stride <= 4096)
    }

    @Test("of what is too much, somebody owes who has left more than a little, and not less than the others on average")
    func owing() {
        var inbox = Mailbox<Int>.Inbox()
        for _ in 0..<4_095 { inbox.append(0, from: 10) }
        #expect(!inbox.isFull)
        for _ in 0..<64 { inbox.append(0, from: 10) }
        let owing = { (inbox: Mailbox<Int>.Inbox) in [10, 20, 30].filter { inbox.debt(of: $0) != nil } }
        #expect(owing(inbox) == [])
        inbox.append(0, from: 10)
        #expect(owing(inbox) == [10])
        for _ in 0..<65 { inbox.append(0, from: 20) }
        #expect(owing(inbox) == [10, 20])
        inbox.append(0, from: 10)
        #expect(owing(inbox) == [10])
    }

    @Test("who owes waits while an heir is at work or on its way, but the heir itself does not")
    func heldUp() {
        let mailbox = Mailbox<Int>()
        _ = mailbox.enter()
        for item in 0..<4_200 { _ = mailbox.post(item) }
        let thread = currentThread()
        mailbox.bequeath()
        let whileItIsOnItsWay = mailbox.restraint(of: thread)
        #expect(whileItIsOnItsWay == .waiting)
        _ = mailbox.inherit()
        let ofTheHeir = mailbox.restraint(of: thread)
        #expect(ofTheHeir == .none)
        let whileItIsAtWork = mailbox.restraint(of: 0)
        #expect(whileItIsAtWork == .none)
        for item in 0..<200 { _ = mailbox.post(item, forHeir: true) }
        let ofAnother = mailbox.restraint(of: 0)
        #expect(ofAnother == .waiting)
    }

    @Test("who owes while a sender handles an item of its own, perhaps it itself, offers its processor for each sixteenth item")
    func offering() {
        let mailbox = Mailbox<Int>()
        _ = mailbox.enter()
        var offers = 0
        for item in 0..<(4_095 + 160) {
            _ = mailbox.post(item)
            if mailbox.restraint(of: currentThread()) == .offeringProcessor { offers += 1 }
        }
        // For the 80th, 96th, 112th, 128th, 144th and 160th of those that are too many.
        #expect(offers == 6)
    }

    @Test("who owes is let go of when the items have been collected, and begins anew when there are too many again")
    func forgiven() {
        let mailbox = Mailbox<Int>()
        _ = mailbox.enter()
        mailbox.bequeath()
        for item in 0..<4_200 { _ = mailbox.post(item) }
        var batch: [Int] = []
        _ = mailbox.collect(into: &batch, as: .own)
        let afterwards = mailbox.restraint(of: currentThread())
        #expect(afterwards == .none)
        for item in 0..<4_100 { _ = mailbox.post(item) }
        let withFewTooMany = mailbox.restraint(of: currentThread())
        #expect(withFewTooMany == .none)
    }

    @Test("who waits for an heir does so for a moment, though nobody takes the items")
    func waitsForAMoment() {
        let mailbox = Mailbox<Int>()
        _ = mailbox.enter()
        for item in 0..<4_200 { _ = mailbox.post(item) }
        mailbox.bequeath()
        let clock = ContinuousClock()
        // That it is no longer cannot be told on a busy machine.
        for _ in 0..<10 {
            let time = clock.measure { mailbox.holdUp() }
            #expect(time > .microseconds(300))
        }
    }

    @Test("who waits looks twice whether it still has to")
    func looksTwice() {
        var looks = 0
        Handover.holdUp {
            looks += 1
            return false
        }
        #expect(looks == 2)
    }

    @Test("only the items that a thread has left before anybody else's are its share")
    func share() {
        var inbox = Mailbox<Int>.Inbox()
        for sender: UInt in [10, 10, 20, 10] { inbox.append(0, from: sender) }
        #expect(inbox.share(of: 10) == 2)
        #expect(inbox.share(of: 20) == 0)
        #expect(inbox.share(of: 0) == 0)
    }

    @Test("what is left for an heir is nobody's share, and the one who left it hands it over")
    func forHeir() {
        let office = Office()
        let isOwner = office.mailbox.post(7, forHeir: true)
        #expect(isOwner)
        var batch: [Int] = []
        let share = office.mailbox.collect(into: &batch, as: .own)
        #expect(share == 0)
        #expect(batch == [7])
    }

    @Test("an heir goes on with what it has inherited before what has come since")
    func inherited() {
        let office = Office()
        var batch = [2, 1]
        _ = office.mailbox.enter()
        _ = office.mailbox.post(3)
        let turn = office.mailbox.inherit()
        var handled: [Int] = []
        // What comes in the midst finds it still at work.
        let isDone = office.mailbox.work(turn, &batch) { item in
            handled.append(item)
            if item == 3 { _ = office.mailbox.post(4) }
            #expect(office.mailbox.heir.load(ordering: .relaxed) == currentThread())
        }
        #expect(isDone)
        #expect(handled == [1, 2, 3, 4])
        let heir = office.mailbox.heir.load(ordering: .relaxed)
        #expect(heir == 0)
    }

    @Test("an heir whose time is over leaves the rest")
    func timeIsOver() {
        let office = Office()
        var batch = Array((0..<10_000).reversed())
        _ = office.mailbox.enter()
        var handled: [Int] = []
        let isDone = office.mailbox.work(Mailbox<Int>.Turn(slice: TimeSlice(now: 0)), &batch) { handled.append($0) }
        #expect(!isDone)
        #expect(handled.count < 10_000)
        #expect(handled + batch.reversed() == Array(0..<10_000))
    }

    @Test("a time slice looks at the clock seldom while the work is quick, and is over when its time is")
    func quickWork() {
        var (slice, time, looks) = (TimeSlice(now: 0), UInt64(0), 0)
        let count = (1...1_000_000).first { _ in
            time += 1_000
            return slice.isOver(
                at: {
                    looks += 1
                    return time
                }())
        }
        #expect(looks < 80)
        #expect(time >= TimeSlice.length)
        #expect(time < TimeSlice.length * 17 / 16, "\(count ?? 0) pieces of work")
    }

    @Test("a time slice looks at the clock after each piece of work that takes long")
    func slowWork() {
        var slice = TimeSlice(now: 0)
        #expect(slice.isOver(at: TimeSlice.length / 2) == false)
        #expect(slice.isOver(at: TimeSlice.length - 1) == false)
        #expect(slice.isOver(at: TimeSlice.length) == true)
    }

    @Test("a subject that is let go of while an heir is at work delivers what it was sent, and then lets go of its subscribers")
    func abandoned() {
        let seen = Log<Int>()
        let (isInside, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        weak var token: Token?
        do {
            var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
            let kept = Token()
            token = kept
            // Keeps no subscription: nobody but the subject keeps it.
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
            // The heir is inside the second value.
            isInside.wait()
            subject = nil
            goOn.signal()
        }
        settle()
        #expect(seen.items == [1, 2, 3, 4])
        #expect(token == nil)
    }

    private final class Token {}
}
