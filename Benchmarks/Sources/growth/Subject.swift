import Foundation
import Moonlight
import MoonlightDurability
import MoonlightExploration
import MoonlightRecording
import MoonlightTesting
import Streams

/// A part of the libraries that holds many items.
enum Subject: String, CaseIterable {
    case effects
    case children
    case fleet
    case exploration
    case recording
    case journal

    var title: String {
        switch self {
        case .effects: "a loop: an event whose effect stays live"
        case .children: "a loop: an event for one of its children by id"
        case .fleet: "a fleet: an event for each member"
        case .exploration: "an exploration: a state"
        case .recording: "a recording: a step"
        case .journal: "a journal: a line"
        }
    }

    func cost(of size: Int) async throws -> Cost {
        switch self {
        case .effects: effectsCost(size)
        case .children: childrenCost(size)
        case .fleet: try await fleetCost(size)
        case .exploration: try explorationCost(size)
        case .recording: recordingCost(size)
        case .journal: journalCost(size)
        }
    }
}

private let counting = Reducer<Int, Int, Int, Void>(
    transform: { _, event, _ in .just(event) }, apply: { (state: inout Int, effect: Int) in state &+= effect })

/// Streams of effects that never end, all live at once.
private func effectsCost(_ size: Int) -> Cost {
    let reducer = Reducer<Int, Int, Int, Void>(
        transform: { _, _, _ in Empty(completeImmediately: false).eraseToAnyPublisher() },
        apply: { (state: inout Int, effect: Int) in state &+= effect })
    return costOfItems(size) {
        let store = Store(reducer: reducer, initialState: 0, environment: ())
        for number in 0..<size { store.send(number) }
        return store
    }
}

private struct Family: Equatable, Sendable {
    var children = IdentifiedList<Int, Int>()
}

private enum FamilyEvent: Sendable {
    case child(Int, Int)

    static let child = CasePath(FamilyEvent.child) { if case .child(let id, let event) = $0 { (id, event) } else { nil } }
}

/// An event for each of many children, in an order that is not theirs.
private func childrenCost(_ size: Int) -> Cost {
    let reducer: Reducer<Family, FamilyEvent, FamilyEvent, Void> = counting.scoped(
        toEach: \.children, event: FamilyEvent.child, effect: FamilyEvent.child, environment: { $0 })
    return costOfItems(size) {
        var family = Family()
        for id in 0..<size { family.children.append(0, id: id) }
        let store = Store(reducer: reducer, initialState: family, environment: ())
        for number in 0..<size { store.send(.child(number &* 7_919 % size, 1)) }
        return store
    }
}

/// A member for each event, all awake, whose events are in a log on the disk.
private func fleetCost(_ size: Int) async throws -> Cost {
    let folder = FileManager.default.currentDirectoryPath + "/.growth-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let fleet = Fleet(
        reducer: counting, environment: { (_: Int) in },
        durable: DurableFleet(
            storage: FleetFolder(folder), schema: Schema(Int.self), state: Schema(Int.self), acknowledge: .afterWrite),
        resident: size, initialState: { _ in 0 })
    try await fleet.opened()
    let cost = try await costOfItemsLater(size) {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<64 {
                group.addTask {
                    for id in stride(from: sender, to: size, by: 64) { try await fleet.send(1, to: id, until: .decided) }
                }
            }
            try await group.waitForAll()
        }
        return fleet
    }
    await fleet.drain(within: nil)
    return cost
}

/// Two counters, whose states are about `size` pairs of numbers.
private func explorationCost(_ size: Int) throws -> Cost {
    let limit = UInt64(Double(size).squareRoot().rounded(.up))
    let reducer = Reducer<UInt64, UInt64, UInt64, Void>(
        transform: { _, event, _ in .just(event) },
        apply: { (state: inout UInt64, counter: UInt64) in
            let shift = counter * 32
            let value = (state >> shift & 0xFFFF_FFFF) + 1
            state = state & ~(0xFFFF_FFFF << shift) | (value == limit ? 0 : value) << shift
        })
    return try costOfItems(Int(limit * limit)) {
        let report = try Exploration(reducer, given: 0) { _ in }.events { _ in [0, 1] }
            .limited(nodes: Int(limit * limit) + 1).run()
        guard report.extent == .exhaustive else { fatalError("not all states have been reached: \(report)") }
        return report
    }
}

/// Every step of a store is kept.
private func recordingCost(_ size: Int) -> Cost {
    costOfItems(size) {
        let recording = Recording(of: counting, keeping: size + 1, bytes: 1 << 30)
        let store = Store(reducer: counting, initialState: 0, environment: (), options: LoopOptions(journal: recording))
        for number in 0..<size {
            store.send(number)
            // A recording that falls behind would drop steps.
            if number % 10_000 == 9_999 { recording.flush() }
        }
        recording.flush()
        return (store, recording)
    }
}

/// The records of a store are made text, and not kept.
private func journalCost(_ size: Int) -> Cost {
    costOfItems(size) {
        // Sound: used by the writer's own thread, one batch after the other.
        nonisolated(unsafe) var length = 0
        let writer = JournalWriter<Int, Int, Int> { batch in length += batch.lines.utf8.count }
        let store = Store(reducer: counting, initialState: 0, environment: (), options: LoopOptions(journal: writer.take))
        for number in 0..<size {
            store.send(number)
            if number % 1_000 == 999 { writer.flush() }
        }
        writer.flush()
        return (store, writer, length)
    }
}
