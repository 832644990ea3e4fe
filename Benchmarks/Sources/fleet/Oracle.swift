import Foundation
import Moonlight
import MoonlightDurability

/// Sends events in random order to many members, few of which may be awake, and compares them with a plain array; then again
/// after a restart.
func oracle(events: Int, ids: Int, resident: Int, senders: Int = 256) async throws {
    try await withFolder { folder in
        var expected = [Sum](repeating: Sum(), count: ids)
        let before = megabytes("VmRSS") ?? 0
        // Each sender has separate members, so that their order is known.
        func plan(_ sender: Int, _ take: (_ id: Int, _ amount: Int) async throws -> Void) async throws {
            var dice = Dice(state: UInt64(sender + 1))
            for _ in 0..<events / senders {
                let id = Int(dice.next() % UInt64(ids / senders)) * senders + sender
                try await take(id, Int(dice.next() % 1000))
            }
        }
        for sender in 0..<senders { try await plan(sender) { id, amount in expected[id].add(amount) } }
        let start = ContinuousClock.now
        let fleet = Sum.fleet(folder, .afterWrite, resident: resident)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<senders {
                group.addTask {
                    try await plan(sender) { id, amount in try await fleet.send(amount, to: id, until: .decided) }
                }
            }
            try await group.waitForAll()
        }
        let time = ContinuousClock.now - start
        let counters = fleet.counters
        row("\(events) events over \(ids) members", rate(events, time))
        row("awake at the end; woken and put to sleep so far", "\(counters.awake); \(counters.wakes) and \(counters.sleeps)")
        row(
            "resident memory, of which the oracle and its program have \(before) MB",
            "\(megabytes("VmRSS") ?? 0) MB, \(megabytes("VmHWM") ?? 0) at most")
        await fleet.drain(within: nil)
        let opening = ContinuousClock.now
        let next = Sum.fleet(folder, .afterWrite, resident: resident)
        try await next.opened()
        row("opening the folder", "\(ContinuousClock.now - opening)")
        let touched = expected.filter { $0.count > 0 }.count
        let counted = try await next.count()
        guard counted == touched else { fatalError("\(counted) members are there, and \(touched) were sent to") }
        let states = expected
        try await withThrowingTaskGroup(of: Int.self) { group in
            for sender in 0..<64 {
                group.addTask {
                    var wrong = 0
                    for id in stride(from: sender, to: ids, by: 64) where states[id].count > 0 {
                        if try await next.state(of: id) != states[id] { wrong += 1 }
                    }
                    return wrong
                }
            }
            let wrong = try await group.reduce(0, +)
            guard wrong == 0 else { fatalError("\(wrong) members differ from the oracle") }
        }
        row("members that are as the oracle says, each read from the disk", "\(touched)")
        row("resident memory since the beginning", "\(megabytes("VmHWM") ?? 0) MB at most")
        await next.drain(within: nil)
    }
}
