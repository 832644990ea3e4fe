import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

/// Two senders, a crash at any call of the disk, a crash of the recovery, and another recovery.
@Suite("Durable stores on a disk that crashes")
struct StoreCrashTests {
    private static let crashes = Budget.rounds(1500)
    /// The number of second crashes after each first one: few in the quick tier, to have more first crashes.
    private static let lives = Budget.size(20, quick: 3)

    @Test("A recovered store has everything acknowledged and hands work back once, after random crashes of stores and recoveries")
    func crashes() async throws {
        var (tried, round) = (0, Budget.seed)
        while tried < Self.crashes {
            var dice = Dice(seed: round)
            let disk = SimulatedDisk()
            disk.crash = 6 + dice.roll(40)
            let played = try await Life().play(on: disk, &dice)
            expectEqual(played.isCrashed, disk.isCrashed)
            for _ in 0..<Self.lives {
                // The recovery crashes twice.
                var (life, image) = (played, disk.contents.image(&dice))
                for _ in 0..<2 {
                    let second = SimulatedDisk(image)
                    second.crash = 1 + dice.roll(20)
                    life = try await life.play(on: second, &dice)
                    image = second.contents.image(&dice)
                    tried += 1
                }
                life = try await life.play(on: SimulatedDisk(image), &dice)
                expect(!life.isCrashed, "MOONLIGHT_SEED=\(round)")
            }
            round += 1
        }
    }
}

/// The expected content of a till over several crashes.
private struct Life {
    /// The amounts that were sent, and those that were acknowledged. Each is a power of two, so that the total shows which are
    /// present.
    private var sent = 0
    private var acknowledged = 0
    private var next = 0
    /// The payments that were begun, by name, with the key and the highest attempt; and those whose end is certain.
    private var begun: [String: (key: String, attempt: Int)] = [:]
    private var ended: Set<String> = []
    /// The payments that have perhaps ended, because the disk crashed while their end was written.
    private var maybeEnded: Set<String> = []
    var isCrashed = false

    /// Opens the till, checks it, sends from two tasks, and closes it.
    mutating func played(on disk: SimulatedDisk, _ dice: inout Dice) async throws {
        let bank = Bank()
        let handed = Noted<(event: Till.Event, key: String, attempts: Int)>()
        let drops = dice.roll(3) == 0
        isCrashed = true
        let store: TillStore
        do {
            store = try await open(disk, bank, snapshotEvery: 1 + dice.roll(4)) { work in
                handed.append((work.event, work.key, work.attempts))
                return drops ? .drop : .send(work.event)
            }
        } catch {
            expect(disk.isCrashed, "\(error)")
            // The closure may not have been called.
            if handed.count > 0 { check(handed.all) }
            if drops { maybeEnded.formUnion(handed.all.map { Self.name($0.event) }) }
            return
        }
        check(handed.all)
        if drops { ended.formUnion(handed.all.map { Self.name($0.event) }) }
        let total = store.state.total
        expectEqual(total & acknowledged, acknowledged, "acknowledged \(acknowledged), found \(total)")
        expectEqual(total & ~sent, 0)
        acknowledged = total
        let names = (next..<next + 6).map { $0 }
        next += 6
        let results = await withTaskGroup(of: (Int, Bool).self) { group in
            for sender in 0..<2 {
                group.addTask {
                    var mask = 0
                    for name in names[sender * 3..<sender * 3 + 2] {
                        if case .success = await store.send(.add(1 << name), until: .decided) { mask |= 1 << name }
                    }
                    store.post(.pay("\(names[sender * 3 + 2])"))
                    let isAnswered = if case .success = await store.send(.add(0), until: .decided) { true } else { false }
                    return (mask, isAnswered)
                }
            }
            return await group.reduce(into: [(Int, Bool)]()) { $0.append($1) }
        }
        sent |= names.filter { $0 % 3 != 2 }.reduce(0) { $0 | 1 << $1 }
        acknowledged |= results.reduce(0) { $0 | $1.0 }
        await store.close()
        for attempt in bank.attempts.all {
            guard let key = attempt.key, let number = attempt.number else {
                Issue.record("no key")
                continue
            }
            if let before = begun[attempt.name] {
                // The record of an attempt may exist although the attempt was not made.
                expect(before.key == key && number > before.attempt)
            }
            begun[attempt.name] = (key, number)
        }
        isCrashed = disk.isCrashed
    }

    func play(on disk: SimulatedDisk, _ dice: inout Dice) async throws -> Life {
        var life = self
        try await life.played(on: disk, &dice)
        return life
    }

    private static func name(_ event: Till.Event) -> String {
        if case .pay(let name) = event { name } else { "" }
    }

    /// Checks that work that was begun is handed back with its key, at most once each.
    private func check(_ handed: [(event: Till.Event, key: String, attempts: Int)]) {
        let names = handed.map { Self.name($0.event) }
        expectEqual(Set(names).count, names.count)
        expect(ended.isDisjoint(with: names))
        expect(Set(begun.keys).subtracting(ended).subtracting(maybeEnded).isSubset(of: names))
        for entry in handed {
            guard let known = begun[Self.name(entry.event)] else { continue }
            expectEqual(entry.key, known.key)
            // The record of the next attempt may have been lost, or written without the attempt having begun.
            expect(entry.attempts >= known.attempt)
        }
    }
}
