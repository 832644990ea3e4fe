/// The coverage of an exploration: how often each event, effect, call and outcome occurred, by kinds of state.
///
/// ```swift
/// let report = try exploration.covered { "\($0.phase)" }.run()
/// #expect(report.coverage?.effects.keys.sorted() == ["failed", "found"])
/// #expect(report.coverage?.untriedEvents(in: "loading") == [])
/// ```
/// Events and effects are distinguished by the cases of their enums, a case without a payload by its description; states by the
/// text that the exploration is given.
public struct ExplorationCoverage: Sendable, Equatable {
    /// The number of times that an event was tried.
    public struct Count: Sendable, Equatable {
        /// The number of times that the event changed the state, or began an effect.
        public var taken = 0
        /// The number of times that the event was rejected.
        public var refused = 0
        /// The number of times that the event had no consequence.
        public var unchanged = 0
        /// The number of times that the event was tried.
        var total: Int { taken + refused + unchanged }
    }

    /// The count of each event: by the case of the event, then by the kind of state.
    public private(set) var events: [String: [String: Count]] = [:]
    /// The number of occurrences of each effect, by its case.
    public private(set) var effects: [String: Int] = [:]
    /// The number of times that each call received each of its outcomes, by the name of the stub, then by the outcome. Zero
    /// for a possible outcome that was never given.
    public private(set) var calls: [String: [String: Int]] = [:]
    /// The kinds of state that were reached, in alphabetical order.
    var states: [String] { reached.sorted() }

    private var reached: Set<String> = []
    private let knownCalls: [String]

    /// Creates an empty coverage.
    ///
    /// - Parameter calls: The names of the stubs.
    init(calls: [String]) { knownCalls = calls }

    // MARK: Untried events and outcomes

    /// The stubs that have outcomes, but were never called.
    public var callsNeverMade: [String] { knownCalls.filter { calls[$0] == nil } }
    /// The possible outcomes that were never given, each after the name of its stub.
    var outcomesNeverGiven: [String] {
        calls.flatMap { call, outcomes in outcomes.filter { $0.value == 0 }.map { "\(call) \($0.key)" } }.sorted()
    }

    /// Returns the count of an event in a kind of state.
    func count(of event: String, in state: String) -> Count { events[event]?[state] ?? Count() }

    /// Returns the events that were tried, but never in the given kind of state.
    public func untriedEvents(in state: String) -> [String] {
        events.keys.filter { count(of: $0, in: state).total == 0 }.sorted()
    }

    // MARK: Counting

    /// The result of an event.
    enum Outcome {
        /// The event changed the state, or began an effect.
        case taken
        /// The event was rejected.
        case refused
        /// The event had no consequence.
        case unchanged
    }

    /// Adds a kind of state.
    mutating func note(state: String) { reached.insert(state) }

    /// Counts an event.
    mutating func note(event: String, in state: String, outcome: Outcome) {
        reached.insert(state)
        switch outcome {
        case .taken: events[event, default: [:]][state, default: Count()].taken += 1
        case .refused: events[event, default: [:]][state, default: Count()].refused += 1
        case .unchanged: events[event, default: [:]][state, default: Count()].unchanged += 1
        }
    }

    /// Counts an effect.
    mutating func note(effect: String) { effects[effect, default: 0] += 1 }

    /// Adds the possible outcomes of a call.
    mutating func note(call: String, offering outcomes: some Sequence<String>) {
        calls[call, default: [:]].merge(outcomes.map { ($0, 0) }) { count, _ in count }
    }

    /// Counts an outcome of a call.
    mutating func note(call: String, outcome: String) { calls[call, default: [:]][outcome, default: 0] += 1 }

    /// Adds the coverage of another part of the same exploration. The result does not depend on the order of the parts.
    mutating func merge(_ other: Self) {
        events.merge(other.events) { $0.merging($1) { $0 + $1 } }
        effects.merge(other.effects) { $0 + $1 }
        calls.merge(other.calls) { $0.merging($1) { $0 + $1 } }
        reached.formUnion(other.reached)
    }
}

extension ExplorationCoverage.Count {
    static func + (one: Self, other: Self) -> Self {
        Self(taken: one.taken + other.taken, refused: one.refused + other.refused, unchanged: one.unchanged + other.unchanged)
    }
}

extension ExplorationCoverage.Count {
    /// The number, with the rejections and the events without consequence; `never` for zero.
    fileprivate var text: String {
        if total == 0 { return "never" }
        let notes = [refused > 0 ? "\(refused) refused" : nil, unchanged > 0 ? "\(unchanged) unchanged" : nil].compactMap { $0 }
        return notes.isEmpty ? "\(total)" : "\(total) (\(notes.joined(separator: ", ")))"
    }
}

extension ExplorationCoverage: CustomStringConvertible {
    /// A table with a row for each kind of state and a column for each event, followed by the calls and outcomes that never
    /// occurred.
    public var description: String {
        let events = events.keys.sorted()
        let rows = [[""] + events] + states.map { state in [state] + events.map { count(of: $0, in: state).text } }
        let never = [
            ("calls never made", callsNeverMade), ("outcomes never given", outcomesNeverGiven),
        ].filter { !$0.1.isEmpty }.map { "\($0): \($1.joined(separator: ", "))" }
        return (Self.table(rows.map { $0.map(\.escapingControls) }) + never.map(\.escapingControls)).joined(separator: "\n")
    }

    /// Returns the rows of a table, in columns of minimal width.
    private static func table(_ rows: [[String]]) -> [String] {
        var lines = rows.map { _ in "" }
        for column in rows[0].indices {
            let width = rows.map { $0[column].count }.max() ?? 0
            for (index, row) in rows.enumerated() {
                let isLast = column + 1 == row.count
                lines[index] += row[column] + (isLast ? "" : String(repeating: " ", count: width - row[column].count + 2))
            }
        }
        return lines
    }
}
