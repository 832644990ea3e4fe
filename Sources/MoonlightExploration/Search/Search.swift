import MoonlightTesting
import Streams

/// Tries all choices of a moment.
protocol MomentExpander: Sendable {
    /// What tells moments apart.
    associatedtype Key

    /// Whether states are counted by themselves, because several moments may have the same one.
    var countsStates: Bool { get }

    /// Notes the first moment, as the only successor.
    func begin(into harvest: Harvest<Key>) throws(Finding)

    /// Tries all choices of some moments, as long as everything is as usual.
    ///
    /// - Parameters:
    ///   - keys: The moments.
    ///   - first: The number of the first one.
    ///   - harvest: Where to note what they lead to.
    ///   - isTrying: Called with the place of a moment among the keys, and each choice, before it is tried.
    /// - Returns: The number of moments that were tried.
    func expandPlainly(
        _ keys: ArraySlice<Key>, from first: Int, into harvest: Harvest<Key>, isTrying: (Int, UInt32) -> Void
    ) -> Int

    /// Tries all choices of a moment, and notes the moments that they lead to.
    ///
    /// - Parameters:
    ///   - moment: The moment.
    ///   - harvest: Where to note them.
    ///   - isTrying: Called with each choice, before it is tried.
    func expand(_ moment: MomentToExpand<Key>, into harvest: Harvest<Key>, isTrying: (UInt32) -> Void) throws(Finding)
}

/// A moment whose choices are to be tried.
struct MomentToExpand<Key> {
    let number: Int
    let key: Key
    let print: UInt64
    let path: () -> [Choice]
    /// Returns whether the moment with a fingerprint has had its turn.
    let wasExpanded: (_ print: UInt64) -> Bool
}

/// What a graph must know of a moment, and of the choice that has led to it.
struct GraphFacts {
    let reached: MomentGraph.Bits
    let owed: MomentGraph.Bits
    let goals: MomentGraph.Bits
    /// The calls that get an outcome in the end, and are open after the choice.
    let after: Set<CallName>
    /// The calls that the choice has closed. A call that replaces one of the same name is another.
    let closed: Set<CallName>
    let hasTimers: Bool
    /// A fingerprint of the moment, but for how many events have come.
    let place: UInt64
    /// Whether further events would come, but as many as may come have come.
    let isExhausted: Bool
}

/// A call, by how its effect began, and which of the effect's calls it is.
struct CallName: Hashable {
    let event: AnyHashable
    let state: AnyHashable
    let part: Int
    let number: Int
}

/// What one thread brings of several moments.
final class Harvest<Key>: @unchecked Sendable {
    // Sound: written by one thread, and read by another when the first has ended, or has crashed in code of the user's.
    // In columns: most moments are known already, and then only their fingerprints are looked at.
    /// For each choice, its number, and the moment that it has led to, with its fingerprint.
    var choices: [UInt32] = []
    var keys: [Key] = []
    var prints: [UInt64] = []
    /// The fingerprints of the states alone, if they are counted.
    var statePrints: [UInt64] = []
    /// For each moment that is expanded, the number of its successors.
    var counts: [Int] = []
    var facts: [GraphFacts] = []
    var edges: [ExplorationPicture.Edge] = []
    /// What was tried, if that is asked for.
    var coverage: ExplorationCoverage?
    /// The label of the first moment.
    var label: String?
    /// What the search ended with, at the moment behind the last that is expanded.
    var finding: Finding?
    /// Whether choices were left out because others are independent of them.
    var isReduced = false
}

/// The picture of a search, which is kept if the search finds a violation.
final class Drawing {
    var picture = ExplorationPicture()
}

/// A search for all moments, breadth first.
///
/// The moments of one depth are shared out among the threads of a crew. What these bring is noted in the order in which one thread
/// would have brought it, so that the verdict and the shortest story do not depend on their number.
struct Search<Expander: MomentExpander> {
    typealias Key = Expander.Key
    let expander: Expander
    let limits: ExplorationLimits
    let threads: Int
    /// Whether the graph is needed, by properties of the whole of it.
    let needsGraph: Bool
    let isByValues: Bool
    private let countsStates: Bool

    private let table: MomentTable<Key>
    private var graph = MomentGraph()
    private var states = PrintSet()
    private var callNumbers: [CallName: Int] = [:]
    private var transitions = 0
    private let drawing: Drawing
    private var coverage: ExplorationCoverage?
    private var isReduced = false
    private var next: [Key] = []
    private var progress: ProgressLine

    init(
        _ expander: Expander, limits: ExplorationLimits, threads: Int, needsGraph: Bool, isByValues: Bool,
        drawing: Drawing, terminal: ProgressTerminal = .standardError, isSame: @escaping (Key, Key) -> Bool
    ) {
        self.drawing = drawing
        countsStates = expander.countsStates
        self.expander = expander
        self.limits = limits
        self.threads = threads
        self.needsGraph = needsGraph
        self.isByValues = isByValues
        table = MomentTable(mostWhole: limits.mostWhole, isSame: isSame)
        progress = ProgressLine(on: terminal)
    }

    /// What a search has come to.
    struct Result {
        var report: ExplorationReport
        let graph: MomentGraph
        let path: (Int) -> [Choice]
    }

    mutating func run() throws(Finding) -> Result {
        defer { progress.end() }
        let crew = Crew(threads)
        let memory = ResidentMemory.now
        try begin(crew)
        var (current, expanded, depth, limit) = ([Key](), 0, 0, "")
        var size = 16 * threads
        search: while expanded < table.count {
            (current, next) = (next, [])
            table.beginDepth()
            if depth >= limits.depth {
                limit = "a depth of \(limits.depth)"
                break
            }
            let base = expanded
            while expanded < base + current.count {
                if limits.memory < .max, ResidentMemory.now - memory > limits.memory {
                    limit = "\(limits.memory) bytes of memory"
                    break search
                }
                let range = expanded - base..<min(expanded - base + size, current.count)
                let start = ContinuousClock.now
                guard try expand(current[range], from: expanded, crew, depth: depth, &expanded) else {
                    limit = "\(limits.moments) moments"
                    break search
                }
                // Neither so short that threads wait for each other, nor so long that the memory is seldom looked at.
                let span = start.duration(to: .now)
                if span < .milliseconds(5) {
                    size = min(2 * size, 1 << 16)
                } else if span > .milliseconds(50) {
                    size = max(16 * threads, size / 2)
                }
            }
            depth += 1
        }
        let left = table.count - expanded
        let report = ExplorationReport(
            extent: limit.isEmpty ? .exhaustive : .bounded(by: limit, left: left),
            states: countsStates ? states.count : table.count, moments: table.count,
            transitions: transitions, levels: table.levels, isByValues: isByValues, isReduced: isReduced,
            chanceOfMiss: table.chanceOfMiss, coverage: coverage)
        return Result(report: report, graph: graph) { [table] in table.path(to: $0) }
    }

    private mutating func begin(_ crew: Crew) throws(Finding) {
        let harvest = Harvest<Key>()
        let expander = expander
        let outcomes = crew.run(
            patience: limits.choice, tick: {},
            { thread, progress in
                guard thread == 0 else { return }
                progress.note(0)
                do throws(Finding) { try expander.begin(into: harvest) } catch { harvest.finding = error }
            })
        coverage = harvest.coverage
        table.beginDepth()
        if outcomes[0] != Crew.Outcome.done { throw crash(outcomes[0], [], nil) }
        if let finding = harvest.finding { throw finding }
        if let label = harvest.label { drawing.picture.add(label) }
        _ = try add(0, of: harvest, from: 0)
    }

    /// Tries the choices of some moments.
    ///
    /// - Returns: False if there is no room for what they lead to.
    private mutating func expand(
        _ keys: ArraySlice<Key>, from first: Int, _ crew: Crew, depth: Int, _ expanded: inout Int
    ) throws(Finding) -> Bool {
        let harvests = (0..<crew.count).map { _ in Harvest<Key>() }
        let share = (keys.count + crew.count - 1) / crew.count
        let (expander, table) = (expander, UncheckedTransfer(table))
        let moments = UncheckedTransfer(keys)
        let known = self.table.count
        let outcomes = crew.run(
            patience: limits.choice, tick: { progress.show(moments: known, depth: depth, left: known - first) },
            { thread, progress in
                let harvest = harvests[thread]
                let all = moments.value
                var place = min(all.startIndex + thread * share, all.endIndex)
                let end = min(place + share, all.endIndex)
                while place < end {
                    let start = all.startIndex
                    place += expander.expandPlainly(all[place..<end], from: first + place - start, into: harvest) {
                        progress.note(Self.place(first + $0 - start, $1))
                    }
                    if place == end { return }
                    let number = first + place - start
                    let before = harvest.choices.count
                    progress.note(Self.place(number, .max))
                    do throws(Finding) {
                        try expander.expand(
                            MomentToExpand(
                                number: number, key: all[place], print: table.value.print(of: number),
                                path: { table.value.path(to: number) },
                                wasExpanded: { print in table.value.number(of: print).map { $0 <= number } ?? false }),
                            into: harvest
                        ) { progress.note(Self.place(number, $0)) }
                    } catch {
                        harvest.finding = error
                        return
                    }
                    harvest.counts.append(harvest.choices.count - before)
                    place += 1
                }
            })
        for (thread, harvest) in harvests.enumerated() {
            guard try take(harvest, from: &expanded) else { return false }
            if outcomes[thread] != Crew.Outcome.done {
                // The thread may still be about to look at its harvest; it is not, as it waits for good.
                let place = crew.progress(of: thread)
                if UInt32(truncatingIfNeeded: place) == Choice.ahead { throw .aheadOfTurn }
                throw crash(
                    outcomes[thread], self.table.path(to: Int(place >> 32)), UInt32(truncatingIfNeeded: place))
            }
        }
        return true
    }

    /// What a thread is trying: a moment, and one of its choices.
    private static func place(_ moment: Int, _ choice: UInt32) -> UInt64 { UInt64(moment) << 32 | UInt64(choice) }

    private func crash(_ outcome: Crew.Outcome, _ path: [Choice], _ choice: UInt32?) -> Finding {
        let why =
            if case .crashed(let signal) = outcome {
                "does not hold: \(CrashSignals.description(of: signal))"
            } else { "does not hold: this has not come to an end within \(limits.choice)" }
        return .crash(path, choice.flatMap { $0 == .max ? nil : Choice(packed: $0) }, why)
    }

    /// Notes what a thread has brought.
    ///
    /// - Returns: False if there is no room.
    private mutating func take(_ harvest: Harvest<Key>, from expanded: inout Int) throws(Finding) -> Bool {
        var place = 0
        for edge in harvest.edges { drawing.picture.add(edge) }
        if harvest.isReduced { isReduced = true }
        if let others = harvest.coverage {
            if coverage == nil { coverage = others } else { coverage?.merge(others) }
        }
        var warm = 0
        for count in harvest.counts {
            var edges: [MomentGraph.Edge] = []
            for _ in 0..<count {
                if place == warm {
                    warm = min(place + 256, harvest.prints.count)
                    table.warm(harvest.prints[place..<warm])
                }
                guard let target = try add(place, of: harvest, from: expanded) else { return false }
                if needsGraph { edges.append(edge(harvest.facts[place], harvest.choices[place], target)) }
                place += 1
                transitions += 1
            }
            if needsGraph { graph.expand(expanded, edges) }
            expanded += 1
        }
        if let finding = harvest.finding { throw finding }
        return true
    }

    private mutating func edge(_ facts: GraphFacts, _ packed: UInt32, _ target: Int) -> MomentGraph.Edge {
        let choice = Choice(packed: packed)
        let closed = Set(facts.closed.map { number(of: $0) })
        return .init(
            choice: choice, target: target, reached: facts.reached, owed: facts.owed,
            closed: choice == .time ? closed.union([-1]) : closed)
    }

    private mutating func number(of call: CallName) -> Int {
        if let number = callNumbers[call] { return number }
        defer { callNumbers[call] = callNumbers.count }
        return callNumbers.count
    }

    /// Notes a moment that a thread has brought.
    ///
    /// - Returns: The number of the moment; nil if it is new and there is no room.
    private mutating func add(_ place: Int, of harvest: Harvest<Key>, from parent: Int) throws(Finding) -> Int? {
        let most = min(limits.moments, Int(UInt32.max) - 1)
        let choice = harvest.choices[place]
        let entry = table.add(harvest.keys[place], print: harvest.prints[place], parent: parent, choice: choice, most: most)
        switch entry {
        case nil: return nil
        case .known(let index)?: return index
        case .indistinct?:
            throw .fault(
                ExplorationFault(
                    """
                    two moments that are not equal have the same hash: `hash(into:)` of the state leaves something out
                    Give a key that does not, or write .withoutFingerprints()
                    """))
        case .new(let index)?:
            next.append(harvest.keys[place])
            if countsStates { states.insert(harvest.statePrints[place]) }
            if needsGraph {
                let facts = harvest.facts[place]
                var open = Set(facts.after.map { number(of: $0) })
                if facts.hasTimers { open.insert(-1) }
                _ = graph.add(
                    .init(
                        parent: parent, choice: Choice(packed: choice), depth: 0, goals: facts.goals,
                        mayRest: open.isEmpty, open: open, place: facts.place, isExhausted: facts.isExhausted))
            }
            return index
        }
    }
}
