import MoonlightTesting
import Streams

/// An expander of nodes: tries all choices of a node.
protocol NodeExpander: Sendable {
    /// The key that distinguishes nodes.
    associatedtype Key

    /// True if states are counted separately, because several nodes may have the same state.
    var countsStates: Bool { get }

    /// Records the initial node as the only successor.
    func begin(into found: Discoveries<Key>) throws(Finding)

    /// Tries all choices of some nodes, as long as no exception occurs.
    ///
    /// - Parameters:
    ///   - keys: The nodes.
    ///   - first: The number of the first one.
    ///   - found: The discoveries to append to.
    ///   - isTrying: Called before each choice, with the index of the node among the keys, and the choice.
    /// - Returns: The number of nodes that were tried.
    func expandPlainly(
        _ keys: ArraySlice<Key>, from first: Int, into found: Discoveries<Key>, isTrying: (Int, UInt32) -> Void
    ) -> Int

    /// Tries all choices of a node, and records the successors.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - found: The discoveries to append to.
    ///   - isTrying: Called with each choice, before it is tried.
    func expand(_ node: PendingNode<Key>, into found: Discoveries<Key>, isTrying: (UInt32) -> Void) throws(Finding)
}

/// A node whose choices are to be tried.
struct PendingNode<Key> {
    let number: Int
    let key: Key
    let print: UInt64
    let path: () -> [Choice]
    /// Returns true if the node with a fingerprint was expanded.
    let wasExpanded: (_ print: UInt64) -> Bool
}

/// The facts that the graph needs about a node, and about the choice that has led to it.
struct GraphFacts {
    let reached: NodeGraph.Bits
    let owed: NodeGraph.Bits
    let goals: NodeGraph.Bits
    /// The calls that are open after the choice and are sure to receive an outcome.
    let after: Set<CallName>
    /// The calls that the choice has closed. A new call with the same name is a different one.
    let closed: Set<CallName>
    let hasTimers: Bool
    let hasFollowUps: Bool
    /// A fingerprint of the node without the numbers of events.
    let place: UInt64
    /// True if a limit excludes further events.
    let isExhausted: Bool
}

/// The identity of a call: the origin of its effect, and its number among the effect's calls.
struct CallName: Hashable {
    let event: AnyHashable
    let state: AnyHashable
    let part: Int
    let number: Int
}

/// The discoveries of one thread.
final class Discoveries<Key>: @unchecked Sendable {
    // Sound: written by one thread, and read by another after the first has ended; the discoveries of a stuck thread are not
    // read. In columns: most nodes are known already, and then only their fingerprints are read.
    /// For each choice, its number, and the resulting node with its fingerprint.
    var choices: [UInt32] = []
    var keys: [Key] = []
    var prints: [UInt64] = []
    /// The fingerprints of the states, if they are counted separately.
    var statePrints: [UInt64] = []
    /// For each expanded node, the number of its successors.
    var counts: [Int] = []
    var facts: [GraphFacts] = []
    var edges: [ExplorationPicture.Edge] = []
    /// The coverage, if it is requested.
    var coverage: ExplorationCoverage?
    /// The label of the initial node.
    var label: String?
    /// The finding that ended the search, at the node after the last that was expanded.
    var finding: Finding?
    /// True if choices were omitted because they are independent of others.
    var isReduced = false
}

/// The picture of a search, which survives a violation.
final class Drawing {
    var picture = ExplorationPicture()
}

/// A search for all nodes, breadth first.
///
/// The nodes of one depth are distributed among threads. Their discoveries are processed in the order of a single thread, so
/// that the verdict and the shortest counterexample do not depend on the number of threads.
struct Search<Expander: NodeExpander> {
    typealias Key = Expander.Key
    let expander: Expander
    let limits: ExplorationLimits
    let threads: Int
    /// True if a property needs the whole graph.
    let needsGraph: Bool
    let isByValues: Bool
    private let trace: (@Sendable (String) -> Void)?
    private let countsStates: Bool

    private let table: NodeTable<Key>
    private var graph = NodeGraph()
    /// The facts about the initial node; nil if no property needs the graph.
    private var first: GraphFacts?
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
        drawing: Drawing, progress: ProgressLine, trace: (@Sendable (String) -> Void)?,
        isSame: @escaping (Key, Key) -> Bool
    ) {
        self.drawing = drawing
        countsStates = expander.countsStates
        self.expander = expander
        self.limits = limits
        self.threads = threads
        self.needsGraph = needsGraph
        self.isByValues = isByValues
        self.trace = trace
        table = NodeTable(mostWhole: limits.mostWhole, isSame: isSame)
        self.progress = progress
    }

    /// The result of a search.
    struct Result {
        var report: ExplorationReport
        let graph: NodeGraph
        /// The facts about the initial node; nil if no property needs the graph.
        let first: GraphFacts?
        let path: (Int) -> [Choice]
    }

    mutating func run() throws(Finding) -> Result {
        defer { progress.end() }
        let memory = ResidentMemory.now
        try begin()
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
                guard try expand(current[range], from: expanded, depth: depth, &expanded) else {
                    limit = "\(limits.nodes) nodes"
                    break search
                }
                progress.show(counts(depth: depth, expanded: expanded))
                // Short enough that the memory is checked often, long enough that threads seldom wait for each other.
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
            states: countOfStates, nodes: table.count,
            transitions: transitions, levels: table.levels, isByValues: isByValues, isReduced: isReduced,
            chanceOfMiss: table.chanceOfMiss, coverage: coverage)
        return Result(report: report, graph: graph, first: first) { [table] in table.path(to: $0) }
    }

    private var countOfStates: Int { countsStates ? states.count : table.count }

    private func counts(depth: Int, expanded: Int) -> SearchCounts {
        SearchCounts(nodes: table.count, states: countOfStates, depth: depth, left: table.count - expanded)
    }

    private mutating func begin() throws(Finding) {
        let found = Discoveries<Key>()
        let expander = expander
        let ends = WatchedThreads.run(
            1, patience: limits.choice, tick: {},
            { _, progress in
                progress.note(0)
                do throws(Finding) { try expander.begin(into: found) } catch { found.finding = error }
            })
        if ends[0].outcome == .stuck { throw stuck([], nil) }
        coverage = found.coverage
        table.beginDepth()
        if let finding = found.finding { throw finding }
        if let label = found.label { drawing.picture.add(label) }
        first = found.facts.first
        _ = try add(0, of: found, from: 0)
    }

    /// Tries the choices of some nodes.
    ///
    /// - Returns: False if there is no room for their successors.
    private mutating func expand(
        _ keys: ArraySlice<Key>, from first: Int, depth: Int, _ expanded: inout Int
    ) throws(Finding) -> Bool {
        let discoveries = (0..<threads).map { _ in Discoveries<Key>() }
        let share = (keys.count + threads - 1) / threads
        let (expander, trace, table) = (expander, trace, UncheckedTransfer(table))
        let nodes = UncheckedTransfer(keys)
        let counts = counts(depth: depth, expanded: first)
        let ends = WatchedThreads.run(
            threads, patience: limits.choice, tick: { progress.show(counts) },
            { thread, progress in
                let found = discoveries[thread]
                let all = nodes.value
                var place = min(all.startIndex + thread * share, all.endIndex)
                let end = min(place + share, all.endIndex)
                while place < end {
                    let start = all.startIndex
                    place += expander.expandPlainly(all[place..<end], from: first + place - start, into: found) {
                        progress.note(Self.place(first + $0 - start, $1))
                    }
                    if place == end { return }
                    let number = first + place - start
                    let before = found.choices.count
                    progress.note(Self.place(number, .max))
                    let node = PendingNode(
                        number: number, key: all[place], print: table.value.print(of: number),
                        path: { table.value.path(to: number) },
                        wasExpanded: { print in table.value.number(of: print).map { $0 <= number } ?? false })
                    do throws(Finding) {
                        try expander.expand(node, into: found) { choice in
                            progress.note(Self.place(number, choice))
                            trace?((node.path() + [Choice(packed: choice)]).name)
                        }
                    } catch {
                        found.finding = error
                        return
                    }
                    found.counts.append(found.choices.count - before)
                    place += 1
                }
            })
        if let stuck = ends.firstIndex(where: { $0.outcome == .stuck }) {
            // No discoveries are taken, since the stuck thread may still read the table.
            if let finding = discoveries[..<stuck].lazy.compactMap(\.finding).first { throw finding }
            let place = ends[stuck].progress
            let choice = UInt32(truncatingIfNeeded: place)
            if choice == Choice.ahead { throw .aheadOfTurn }
            throw self.stuck(self.table.path(to: Int(place >> 32)), choice)
        }
        for found in discoveries { guard try take(found, from: &expanded) else { return false } }
        return true
    }

    /// Returns the node and the choice that a thread is trying, as a number.
    private static func place(_ node: Int, _ choice: UInt32) -> UInt64 { UInt64(node) << 32 | UInt64(choice) }

    private func stuck(_ path: [Choice], _ choice: UInt32?) -> Finding {
        .endless(
            path, choice.flatMap { $0 == .max ? nil : Choice(packed: $0) },
            "does not hold: this has not ended within \(limits.choice)")
    }

    /// Processes the discoveries of a thread.
    ///
    /// - Returns: False if there is no room.
    private mutating func take(_ found: Discoveries<Key>, from expanded: inout Int) throws(Finding) -> Bool {
        var place = 0
        for edge in found.edges { drawing.picture.add(edge) }
        if found.isReduced { isReduced = true }
        if let others = found.coverage {
            if coverage == nil { coverage = others } else { coverage?.merge(others) }
        }
        var warm = 0
        for count in found.counts {
            var edges: [NodeGraph.Edge] = []
            for _ in 0..<count {
                if place == warm {
                    warm = min(place + 256, found.prints.count)
                    table.warm(found.prints[place..<warm])
                }
                guard let target = try add(place, of: found, from: expanded) else { return false }
                if needsGraph { edges.append(edge(found.facts[place], found.choices[place], target)) }
                place += 1
                transitions += 1
            }
            if needsGraph { graph.expand(expanded, edges) }
            expanded += 1
        }
        if let finding = found.finding { throw finding }
        return true
    }

    private mutating func edge(_ facts: GraphFacts, _ packed: UInt32, _ target: Int) -> NodeGraph.Edge {
        let choice = Choice(packed: packed)
        let closed = Set(facts.closed.map { number(of: $0) })
        // Events that wait are handled after at most one other choice, so no cycle leaves them out.
        return .init(
            choice: choice, target: target, reached: facts.reached, owed: facts.owed,
            closed: choice.plain == .time ? closed.union([-1]) : closed)
    }

    private mutating func number(of call: CallName) -> Int {
        if let number = callNumbers[call] { return number }
        defer { callNumbers[call] = callNumbers.count }
        return callNumbers.count
    }

    /// Adds a node that a thread has discovered.
    ///
    /// - Returns: The number of the node; nil if it is new and there is no room.
    private mutating func add(_ place: Int, of found: Discoveries<Key>, from parent: Int) throws(Finding) -> Int? {
        let most = min(limits.nodes, Int(UInt32.max) - 1)
        let choice = found.choices[place]
        let entry = table.add(found.keys[place], print: found.prints[place], parent: parent, choice: choice, most: most)
        switch entry {
        case nil: return nil
        case .known(let index)?: return index
        case .indistinct?:
            throw .fault(
                ExplorationFault(
                    """
                    two different nodes have the same hash: `hash(into:)` of the state omits a property
                    Pass a key that includes it, or add .withoutFingerprints()
                    """))
        case .unequal?: throw .fault(.unequal)
        case .new(let index)?:
            next.append(found.keys[place])
            if countsStates { states.insert(found.statePrints[place]) }
            if needsGraph {
                let facts = found.facts[place]
                var open = Set(facts.after.map { number(of: $0) })
                if facts.hasTimers { open.insert(-1) }
                if facts.hasFollowUps { open.insert(-2) }
                _ = graph.add(
                    .init(
                        parent: parent, choice: Choice(packed: choice), depth: 0, goals: facts.goals,
                        mayRest: open.isEmpty, open: open, place: facts.place, isExhausted: facts.isExhausted))
            }
            return index
        }
    }
}

/// Runs a closure while some memory is occupied, so that its allocations get other addresses than those that were just
/// released.
///
/// The order of a `Set` depends on the address of its storage. If a step is repeated, the allocator would return the same
/// addresses again, and a program that depends on that order would appear deterministic.
func withOtherAddresses<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    // Allocators reuse released blocks by size. So one block of each small size, and four of each doubling up to a megabyte, as
    // allocators with classes of sizes have them.
    let sizes = Array(stride(from: 16, through: 1024, by: 16)) + (8..<18).flatMap { doubling in (5...8).map { $0 << doubling } }
    let blocks = sizes.map { UnsafeMutableRawPointer.allocate(byteCount: $0, alignment: 16) }
    defer { for block in blocks { block.deallocate() } }
    return try body()
}
