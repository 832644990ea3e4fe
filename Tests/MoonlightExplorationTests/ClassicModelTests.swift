import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

/// The tiles of the 8-puzzle: four bits for each square, and the position of the gap.
struct Puzzle: Hashable {
    var tiles: UInt64 = 0x0_8765_4321
    var gap = 8

    func tile(_ square: Int) -> UInt64 { tiles >> (4 * UInt64(square)) & 15 }

    mutating func slide(from square: Int) {
        let tile = tile(square)
        tiles &= ~(15 << (4 * UInt64(square)))
        tiles |= tile << (4 * UInt64(gap))
        gap = square
    }

    var moves: [Int] {
        let (row, column) = (gap / 3, gap % 3)
        return [(-1, 0), (1, 0), (0, -1), (0, 1)].compactMap { down, right in
            (0..<3).contains(row + down) && (0..<3).contains(column + right) ? gap + 3 * down + right : nil
        }
    }
}

/// Two-phase commit, after the TLA+ specification by Gray and Lamport: resource managers, a transaction manager, and messages
/// that are never lost.
struct TwoPhase: Hashable {
    enum Manager: Hashable { case working, prepared, committed, aborted }
    enum Phase: Hashable { case start, committed, aborted }
    enum Event: Hashable {
        case prepare(Int)
        case chooseToAbort(Int)
        case learnCommit(Int)
        case learnAbort(Int)
        case hear(Int)
        case commit, abort
    }
    var managers: [Manager]
    var phase = Phase.start
    var heard: Set<Int> = []
    var prepared: Set<Int> = []
    var isCommitSent = false
    var isAbortSent = false

    var events: [Event] {
        var events: [Event] = []
        if phase == .start, heard.count == managers.count { events.append(.commit) }
        if phase == .start { events.append(.abort) }
        for (index, manager) in managers.enumerated() {
            if phase == .start, prepared.contains(index) { events.append(.hear(index)) }
            if manager == .working { events += [.prepare(index), .chooseToAbort(index)] }
            if isCommitSent { events.append(.learnCommit(index)) }
            if isAbortSent { events.append(.learnAbort(index)) }
        }
        return events
    }

    mutating func handle(_ event: Event) {
        switch event {
        case .prepare(let index):
            managers[index] = .prepared
            prepared.insert(index)
        case .chooseToAbort(let index): managers[index] = .aborted
        case .learnCommit(let index): managers[index] = .committed
        case .learnAbort(let index): managers[index] = .aborted
        case .hear(let index): heard.insert(index)
        case .commit: (phase, isCommitSent) = (.committed, true)
        case .abort: (phase, isAbortSent) = (.aborted, true)
        }
    }
}

@Suite("Exploration: classic models have their published numbers")
struct ClassicModelTests {
    private var eightPuzzle: Exploration<Puzzle, Int, Int, Void> {
        let reducer = Reducer<Puzzle, Int, Int, Void>(
            transform: { _, square, _ in .just(square) },
            apply: { (puzzle: inout Puzzle, square: Int) in puzzle.slide(from: square) })
        return Exploration(reducer, given: Puzzle()) { _ in }.events { $0.moves }
    }

    /// The number of states of the 8-puzzle on each level: OEIS A089473.
    private let levels = [
        1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993, 17110, 23952,
        20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
    ]

    @Test(
        "The 8-puzzle has 181,440 states on 31 levels, as many on each as in OEIS A089473",
        .enabled(if: Budget.isExhaustive))
    func wholePuzzle() throws {
        let report = try eightPuzzle.run()
        expectEqual(report.extent, .exhaustive)
        expectEqual(report.states, 181_440)
        expectEqual(report.depth, 31)
        expectEqual(report.levels, levels)
    }

    @Test("The 8-puzzle has as many states on each of its first 14 levels as in OEIS A089473")
    func beginningOfPuzzle() throws {
        let report = try eightPuzzle.limited(depth: 14).run()
        expectEqual(report.extent, .bounded(by: "a depth of 14", left: levels[14]))
        expectEqual(report.states, levels[...14].reduce(0, +))
        expectEqual(report.levels, Array(levels[...14]))
    }

    @Test(
        "Two-phase commit has 288 states with three resource managers, and 8,832 with five",
        arguments: Budget.isExhaustive ? [(3, 288), (5, 8832)] : [(3, 288)])
    func twoPhaseCommit(managers: Int, states: Int) throws {
        let reducer = Reducer<TwoPhase, TwoPhase.Event, TwoPhase.Event, Void>(
            transform: { _, event, _ in .just(event) },
            apply: { (state: inout TwoPhase, event: TwoPhase.Event) in state.handle(event) })
        let given = TwoPhase(managers: Array(repeating: .working, count: managers))
        let report = try Exploration(reducer, given: given) { _ in }
            .events { $0.events }
            .never("one commits, another aborts") { $0.managers.contains(.committed) && $0.managers.contains(.aborted) }
            .run()
        expectEqual(report.states, states)
        expect(report.isByValues)
    }
}
