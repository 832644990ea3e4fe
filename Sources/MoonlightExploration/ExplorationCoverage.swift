/// What an exploration has tried, and what it has not: each event in each kind of state, effects, calls and their outcomes.
///
/// ```swift
/// let report = try exploration.covered { "\($0.phase)" }.run()
/// #expect(report.coverage?.untriedEvents == [])
/// #expect(report.coverage?.effectsThatNeverHappened == ["failed"])
/// ```
/// Events and effects are told apart by the cases of their enums; states by the text that the exploration is given.
public struct ExplorationCoverage: Sendable, Equatable {
    /// What has become of an event.
    public enum Outcome: Sendable {
        /// It has changed the state, or begun an effect.
        case taken
        /// It was rejected.
        case refused
        /// Nothing has happened.
        case unchanged
    }

    /// How often an event was tried.
    public struct Count: Sendable, Equatable {
        /// How often it has changed the state, or begun an effect.
        public var taken = 0
        /// How often it was rejected.
        public var refused = 0
        /// How often nothing has happened.
        public var unchanged = 0
        /// How often it was tried.
        public var total: Int { taken + refused + unchanged }
    }

    /// How often each event was tried: by the case of the event, then by the kind of state.
    public private(set) var events: [String: [String: Count]] = [:]
    /// How often each effect has happened, by its case.
    public private(set) var effects: [String: Int] = [:]
    /// How often each call got each of its outcomes: by the name of the stub, then by the outcome. Zero for an outcome that was
    /// possible, but never given.
    public private(set) var calls: [String: [String: Int]] = [:]
    /// The kinds of state that were reached, in alphabetical order.
    public var states: [String] { reached.sorted() }

    private var reached: Set<String> = []
    private var knownEvents: [String]
    private var knownEffects: [String]
    private var knownCalls: [String]

    /// Creates a coverage of nothing.
    ///
    /// - Parameters:
    ///   - events: The cases of the events, as far as they are known.
    ///   - effects: The cases of the effects.
    ///   - calls: The names of the stubs.
    init(events: [String] = [], effects: [String] = [], calls: [String] = []) {
        (knownEvents, knownEffects, knownCalls) = (events, effects, calls)
    }

    /// Creates a coverage of nothing, which knows the cases of two types, if they are enums.
    init<Event, Effect>(of event: Event.Type, _ effect: Effect.Type, calls: [String]) {
        self.init(events: EnumCases.names(of: event) ?? [], effects: EnumCases.names(of: effect) ?? [], calls: calls)
    }

    // MARK: What was not tried

    /// The events that were tried in no state, as far as the cases are known.
    public var untriedEvents: [String] { knownEvents.filter { events[$0] == nil } }
    /// The effects that never happened, as far as the cases are known.
    public var effectsThatNeverHappened: [String] { knownEffects.filter { effects[$0] == nil } }
    /// The stubs for which outcomes were said, but that were never called.
    public var callsNeverMade: [String] { knownCalls.filter { calls[$0] == nil } }
    /// The outcomes that calls could have had, but never got, each behind the name of its stub.
    public var outcomesNeverGiven: [String] {
        calls.flatMap { call, outcomes in outcomes.filter { $0.value == 0 }.map { "\(call) \($0.key)" } }.sorted()
    }

    /// How often an event was tried in a kind of state.
    public func count(of event: String, in state: String) -> Count { events[event]?[state] ?? Count() }

    /// The events that were tried, but never in a kind of state.
    public func untriedEvents(in state: String) -> [String] { eventNames.filter { count(of: $0, in: state).total == 0 } }

    private var eventNames: [String] { Self.joined(knownEvents, events.keys.sorted()) }

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
        knownEvents = Self.joined(knownEvents, other.knownEvents)
        knownEffects = Self.joined(knownEffects, other.knownEffects)
        knownCalls = Self.joined(knownCalls, other.knownCalls)
    }

    private static func joined(_ names: [String], _ others: [String]) -> [String] {
        let known = Set(names)
        return names + others.filter { !known.contains($0) }
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
        let events = eventNames
        let rows = [[""] + events] + states.map { state in [state] + events.map { count(of: $0, in: state).description } }
        let never = [
            ("never tried", untriedEvents), ("effects that never happened", effectsThatNeverHappened),
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
