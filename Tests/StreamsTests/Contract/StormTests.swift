import MoonlightTestSupport
import Streams
import Testing

/// Threads that send, subscribe, cancel, complete and release subscribers in any order, also during deliveries.
///
/// A seed, which a failure names, determines the operations of each round (see `Budget`), but not the schedule of the threads; a
/// round can be repeated any number of times.
@Suite("Random operations of several threads on subjects")
struct StormTests {
    private static let threads = 4
    private static let sends = 60

    /// A subscriber of a subject, and its received values.
    private final class Member: Sendable {
        let heard = Log<Int>()
        let ends = Counter()
        let late = Counter()
        private let isKept = Counter()
        private let hasLeft = Counter()
        let handle = Keeper()
        /// The number of values after which it cancels during a delivery; nil for never.
        let leavesAfter: Int?
        let drops: Bool

        init(leavesAfter: Int?, drops: Bool) {
            self.leavesAfter = leavesAfter
            self.drops = drops
        }

        func join(_ values: some Publisher<Int, Never>) {
            // Only the handle retains the cancellable: dropping it there cancels it.
            handle.keep(
                values.sink(
                    receiveCompletion: { [ends] _ in ends.add() },
                    receiveValue: { [self] value in
                        heard.append(value)
                        if hasLeft.value > 0 { late.add() }
                        // Before the cancellable is stored, it cannot be cancelled.
                        guard let leavesAfter, isKept.value > 0, heard.items.count >= leavesAfter else { return }
                        // Another thread may have taken the cancellable without having released it yet; then that thread cancels
                        // it.
                        if drops ? handle.drop() : handle.cancel() { hasLeft.add() }
                    }))
            isKept.add()
        }
    }

    /// Returns the faults in the values of a subscriber: each sender's values must be in order, without a gap after the first.
    private func faults(of heard: [Int]) -> [String] {
        var last: [Int: Int] = [:]
        var faults: [String] = []
        for value in heard {
            let (sender, number) = (value / 1_000, value % 1_000)
            if let before = last[sender], number != before + 1 { faults.append("\(sender): \(number) after \(before)") }
            last[sender] = number
        }
        return faults
    }

    @Test(
        "Subscribers that subscribe and cancel during deliveries receive each sender's values in order, without a gap",
        arguments: Budget.seeds(60, least: 10))
    func subject(seed: Int) {
        var dice = Dice(seed: seed)
        let subject = PassthroughSubject<Int, Never>()
        let members = (0..<12).map { _ in
            Member(leavesAfter: dice.roll(2) == 0 ? nil : 1 + dice.roll(100), drops: dice.roll(2) == 0)
        }
        let plans = (0..<Self.threads).map { _ in (0..<Self.sends).map { _ in dice.roll(20) } }
        onThreads(Self.threads) { thread in
            for (number, roll) in plans[thread].enumerated() {
                if number % 20 == 0 { members[thread * 3 + number / 20].join(subject) }
                if roll == 0 { members[number % members.count].handle.drop() }
                subject.send(thread * 1_000 + number)
            }
        }
        subject.send(completion: .finished)
        settle()
        for member in members {
            expectEqual(faults(of: member.heard.items), [], "seed \(seed)")
            expect(member.ends.value <= 1, "seed \(seed)")
            expectEqual(member.late.value, 0, "seed \(seed)")
            member.handle.drop()
        }
    }

    @Test(
        "A subject that is released while threads send and subscribe releases all of its subscribers",
        arguments: Budget.seeds(60, least: 10))
    func released(seed: Int) {
        var dice = Dice(seed: seed)
        let census = Census()
        let plans = (0..<Self.threads).map { _ in (0..<Self.sends).map { _ in dice.roll(4) } }
        do {
            let subject = CurrentValueSubject<Int, Never>(0)
            let handles = Keeper()
            onThreads(Self.threads) { thread in
                for (number, roll) in plans[thread].enumerated() {
                    let token = MoonlightTestSupport.Token("\(thread).\(number)", in: census)
                    switch roll {
                    case 0: handles.keep(subject.sink { _ in token.touch() })
                    case 1: subject.map { $0 + 1 }.sink { _ in token.touch() }.cancel()
                    case 2: subject.send(number)
                    default: handles.drop()
                    }
                }
            }
            handles.drop()
        }
        settle()
        expectEqual(census.alive, [], "seed \(seed)")
    }

    @Test(
        "Loops over `values` that are cancelled while threads send receive values in order, and end",
        arguments: Budget.seeds(60, least: 10))
    func values(seed: Int) async {
        var dice = Dice(seed: seed)
        let subject = PassthroughSubject<Int, Never>()
        let limits = (0..<6).map { _ in dice.roll(3) == 0 ? Int.max : dice.roll(30) }
        let lists = limits.map { _ in Log<Int>() }
        let begun = limits.map { _ in Flag() }
        let readers = limits.enumerated().map { place, limit in
            Task {
                let values = subject.values(bufferingPolicy: .unbounded)
                var iterator = values.makeAsyncIterator()
                begun[place].raise()
                while lists[place].items.count < limit, let value = await iterator.next() { lists[place].append(value) }
            }
        }
        for flag in begun { await flag.wait() }
        let cancelled = dice.roll(readers.count)
        let workers = (0..<Self.threads).map { thread in
            Worker {
                for number in 0..<Self.sends {
                    if number == Self.sends / 2, thread == 0 { readers[cancelled].cancel() }
                    subject.send(thread * 1_000 + number)
                }
            }
        }
        for worker in workers { worker.join() }
        subject.send(completion: .finished)
        for reader in readers { await reader.value }
        for (list, limit) in zip(lists, limits) {
            expectEqual(faults(of: list.items), [], "seed \(seed)")
            expect(list.items.count <= limit, "seed \(seed)")
        }
        for (place, limit) in limits.enumerated() where limit == Int.max && place != cancelled {
            expectEqual(lists[place].items.count, Self.threads * Self.sends, "seed \(seed)")
        }
    }
}
