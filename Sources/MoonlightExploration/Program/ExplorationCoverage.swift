/// A count of all that an exploration has tried, and has not: each event in each kind of state, effects, calls and their outcomes.
///
/// ```swift
/// let report = try exploration.covered { "\($0.phase)" }.run()
/// #expect(report.coverage?.effects.keys.sorted() == ["failed", "found"])
/// #expect(report.coverage?.untriedEvents(in: "loading") == [])
/// ```
/// Events and effects are distinguished by the cases of their enums, a case without a payload by its description; states by the
/// text that the exploration is given.
public struct ExplorationCoverage: Sendable, Equatable {
    /// The consequence of an event.
    public enum Outcome: Sendable {
        /// It has changed the state, or begun an effect.
        case taken
        /// It was rejected.
        case refused
        /// Nothing has happened.
        case unchanged
    }

    /// The number of times that an event was tried.
    public struct Count: Sendable, Equatable {
        /// The number of times that it has changed the state, or begun an effect.
        public var taken = 0
        /// The number of times that it was rejected.
        public var refused = 0
        /// The number of times that nothing has happened.
        public var unchanged = 0
        /// The number of times that it was tried.
        public var total: Int { taken + refused + unchanged }
    }

    /// The count of each event: by the case of the event, then by the kind of state.
    public private(set) var events: [String: [String: Count]] = [:]
    /// The number of times that each effect has happened, by its case.
    public private(set) var effects: [String: Int] = [:]
    /// The number of times that each call got each of its outcomes: by the name of the stub, then by the outcome. Zero for an
    /// outcome that was possible, but never given.
    public private(set) var calls: [String: [String: Int]] = [:]
    /// The kinds of state that were reached, in alphabetical order.
    public var states: [String] { reached.sorted() }

    private var reached: Set<String> = []
    private let knownCalls: [String]

    /// Creates a coverage of nothing.
    ///
    /// - Parameter calls: The names of the stubs.
    init(calls: [String]) { knownCalls = calls }

    // MARK: What was not tried

    /// The stubs for which outcomes were said, but that were never called.
    public var callsNeverMade: [String] { knownCalls.filter { calls[$0] == nil } }
    /// The outcomes that calls could have had, but never got, each behind the name of its stub.
    public var outcomesNeverGiven: [String] {
        calls.flatMap { call, outcomes in outcomes.filter { $0.value == 0 }.map { "\(call) \($0.key)" } }.sorted()
    }

    /// Returns the count of an event in a kind of state.
    public func count(of event: String, in state: String) -> Count { events[event]?[state] ?? Count() }

    /// Returns the events that were tried, but never in a kind of state.
    public func untriedEvents(in state: String) -> [String] {
        events.keys.filter { count(of: $0, in: state).total == 0 }.sorted()
    }

    // MARK: Noting

    /// Notes that a kind of state was reached.
    mutating func note(state: String) { reached.insert(state) }

    /// Notes that an event was tried.
    mutating func note(event: String, in state: String, outcome: Outcome) {
        reached.insert(state)
        switch outcome {
        case .taken: events[event, default: [:]][state, default: Count()].taken += 1
        case .refused: events[event, default: [:]][state, default: Count()].refused += 1
        case .unchanged: events[event, default: [:]][state, default: Count()].unchanged += 1
        }
    }

    /// Notes that an effect has happened.
    mutating func note(effect: String) { effects[effect, default: 0] += 1 }

    /// Notes that a call was made that can have certain outcomes.
    mutating func note(call: String, offering outcomes: some Sequence<String>) {
        calls[call, default: [:]].merge(outcomes.map { ($0, 0) }) { count, _ in count }
    }

    /// Notes that a call got an outcome.
    mutating func note(call: String, outcome: String) { calls[call, default: [:]][outcome, default: 0] += 1 }

    /// Adds what another part of the same exploration has tried. The result does not depend on the order of the parts.
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

extension ExplorationCoverage.Count: CustomStringConvertible {
    /// The number, and how many of these were rejected or without consequence; `never` for zero.
    public var description: String {
        if total == 0 { return "never" }
        let notes = [refused > 0 ? "\(refused) refused" : nil, unchanged > 0 ? "\(unchanged) unchanged" : nil].compactMap { $0 }
        return notes.isEmpty ? "\(total)" : "\(total) (\(notes.joined(separator: ", ")))"
    }
}

extension ExplorationCoverage: CustomStringConvertible {
    /// A table with a row for each kind of state and a column for each event, and below it what never happened.
    public var description: String {
        let events = events.keys.sorted()
        let rows = [[""] + events] + states.map { state in [state] + events.map { count(of: $0, in: state).description } }
        let never = [
            ("calls never made", callsNeverMade), ("outcomes never given", outcomesNeverGiven),
        ].filter { !$0.1.isEmpty }.map { "\($0): \($1.joined(separator: ", "))" }
        return (Self.table(rows) + never).joined(separator: "\n")
    }

    /// The rows of a table, in columns as wide as they need.
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
