import CAllocations
import Foundation
import Moonlight
import MoonlightDurability

// The cost of a fleet: WITHOUT_PEERS=1 swift run -c release fleet [SECONDS] WITHOUT_PEERS=1 swift run -c release fleet memory
// [MEMBERS] WITHOUT_PEERS=1 swift run -c release fleet oracle [EVENTS [IDS [RESIDENT]]]

func numbers(from place: Int) -> [Int] { CommandLine.arguments.dropFirst(place).compactMap { Int($0) } }

/// Measures the bytes and allocations of a member that is awake, and of one that is asleep.
func memory(_ count: Int) async throws {
    try await withFolder { folder in
        let fleet = Sum.fleet(folder, .afterWrite)
        // One-time allocations.
        for id in 0..<count { _ = try await fleet.state(of: -1 - id % 10) }
        let before = allocated_bytes()
        allocations_start()
        for id in 0..<count { _ = try await fleet.state(of: id) }
        let (bytes, alive) = (allocated_bytes() - before, allocations_alive())
        _ = allocations_stop()
        row("a member that is awake, without events", "\(bytes / count) bytes, \(Double(alive * 10 / count) / 10) allocations")
        for id in 0..<count { try await fleet.send(id, to: id) }
        row("the same, after an event", "\((allocated_bytes() - before) / count) bytes")
        await fleet.drain(within: nil)
    }
    try await withFolder { folder in
        try await { () async throws in
            let fleet = Sum.fleet(folder, .afterWrite, resident: 10)
            for id in 0..<count { try await fleet.send(id, to: id) }
            await fleet.drain(within: nil)
        }()
        let next = Sum.fleet(folder, .afterWrite)
        let before = allocated_bytes()
        try await next.opened()
        row("a member that is asleep", "\((allocated_bytes() - before) / count) bytes")
        await next.drain(within: nil)
    }
}

func sends(_ degree: Acknowledgment, _ name: String, senders: Int, members: Int, seconds: Double) async throws {
    try await withFolder { folder in
        let fleet = Sum.fleet(folder, degree)
        try await fleet.opened()
        let start = ContinuousClock.now
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for sender in 0..<senders {
                group.addTask {
                    var dice = Dice(state: UInt64(sender))
                    var count = 0
                    while ContinuousClock.now - start < .seconds(seconds) {
                        try await fleet.send(1, to: Int(dice.next() % UInt64(members)), until: .decided)
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        row("\(name), \(senders) senders to \(members) members that are awake", rate(count, ContinuousClock.now - start))
        await fleet.drain(within: nil)
    }
}

/// Wakes sleeping members, one after another or concurrently.
func wakes(senders: Int, members: Int) async throws {
    try await withFolder { folder in
        let fleet = Sum.fleet(folder, .afterWrite, resident: 1)
        for round in 0..<4 { for id in 0..<members { try await fleet.send(round, to: id, until: .decided) } }
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<senders {
                group.addTask {
                    for id in stride(from: sender, to: members, by: senders) { _ = try await fleet.state(of: id) }
                }
            }
            try await group.waitForAll()
        }
        let time = ContinuousClock.now - start
        row("waking, \(senders) senders: reading four records, and a loop", "\(time / members) each")
        await fleet.drain(within: nil)
    }
}

/// Measures the latency of a slow sender, alone and beside senders that flood another member.
func flood(seconds: Double) async throws {
    try await withFolder { folder in
        let fleet = Sum.fleet(folder, inbox: .suspend(16))
        for floods in [0, 64] {
            let start = ContinuousClock.now
            let times = try await withThrowingTaskGroup(of: [Duration].self) { group in
                group.addTask {
                    var times: [Duration] = []
                    while ContinuousClock.now - start < .seconds(seconds) {
                        let begin = ContinuousClock.now
                        try await fleet.send(1, to: 1, until: .decided)
                        times.append(ContinuousClock.now - begin)
                        try await Task.sleep(for: .microseconds(500))
                    }
                    return times
                }
                for _ in 0..<floods {
                    group.addTask {
                        while ContinuousClock.now - start < .seconds(seconds) { try await fleet.send(1, to: 2, until: .decided) }
                        return []
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }.sorted()
            }
            row(
                "a polite sender beside \(floods) that flood another member",
                "\(times[times.count / 2]) in the middle, \(times[times.count * 99 / 100]) for 99 of 100")
        }
        await fleet.drain(within: nil)
    }
}

if CommandLine.arguments.dropFirst().first == "oracle" {
    let given = numbers(from: 2)
    try await oracle(
        events: given.count > 0 ? given[0] : 10_000_000, ids: given.count > 1 ? given[1] : 1_000_000,
        resident: given.count > 2 ? given[2] : 100_000)
} else if CommandLine.arguments.dropFirst().first == "memory" {
    try await memory(numbers(from: 2).first ?? 20_000)
} else {
    let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 2
    if allocations_are_counted() { try await memory(20_000) }
    try await sends(.afterSync, "`.afterSync`", senders: 1, members: 1, seconds: seconds)
    try await sends(.afterSync, "`.afterSync`", senders: 64, members: 1000, seconds: seconds)
    try await sends(.afterWrite, "`.afterWrite`", senders: 64, members: 1000, seconds: seconds)
    try await sends(.later(every: .milliseconds(100)), "`.later`", senders: 64, members: 1000, seconds: seconds)
    try await wakes(senders: 1, members: 10_000)
    try await wakes(senders: 64, members: 10_000)
    try await flood(seconds: seconds)
}
