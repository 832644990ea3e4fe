import Moonlight

/// The key of a node if all effects are ready: the state, and the number of events from each limited source.
@usableFromInline
struct ValueKey<State> {
    @usableFromInline let state: State
    @usableFromInline let sent: [Int]

    @inlinable
    init(state: State, sent: [Int]) {
        self.state = state
        self.sent = sent
    }
}

/// Tries events by values.
///
/// It is created where the exploration is: with concrete types, the compiler can specialize the reducer. It handles only the
/// common case; see ``ValueExpander`` for the rest.
@usableFromInline
struct ValueTrial<State: Equatable, Event, Environment> {
    /// Tries all events in some states, and appends the successors of each state.
    ///
    /// Returns the number of states that were tried. It stops before a state with an exception: an event or effect is
    /// rejected, an effect is not ready, or a property is violated.
    @usableFromInline typealias Expand = (
        _ states: ArraySlice<ValueKey<State>>, _ events: (State) -> [Event], _ environment: Environment,
        _ hasOneSender: Bool, _ always: [(State) -> Bool], _ whenQuiet: [(State) -> Bool],
        _ isTrying: (_ place: Int, _ choice: UInt32) -> Void,
        _ columns: inout ValueColumns<State>
    ) -> Int

    @usableFromInline let expand: Expand

    @inlinable
    init<Effect>(_ reducer: Reducer<State, Event, Effect, Environment>, print: @escaping (State) -> UInt64) {
        let loop = ReadyLoop(reducer)
        expand = { states, source, environment, hasOneSender, always, whenQuiet, isTrying, columns in
            for place in states.indices {
                let state = states[place].state
                let count = columns.keys.count
                var isUsual = true
                for event in source(state) {
                    let choice = UInt32(truncatingIfNeeded: columns.keys.count - count)
                    isTrying(place, choice)
                    var next = state
                    let outcome = loop.handle(
                        event, in: &next, environment, most: 1_000, hasOneSender: hasOneSender,
                        applied: { _, shown in
                            if let shown { for holds in always where !holds(shown) { isUsual = false } }
                        }, refused: { _, _ in isUsual = false })
                    if case .settled = outcome {
                        for holds in whenQuiet where !holds(next) { isUsual = false }
                    } else {
                        isUsual = false
                    }
                    if !isUsual { break }
                    columns.choices.append(choice)
                    columns.prints.append(print(next))
                    columns.keys.append(ValueKey(state: next, sent: []))
                }
                guard isUsual else {
                    columns.keepFirst(count)
                    return place - states.startIndex
                }
                columns.counts.append(columns.keys.count - count)
            }
            return states.count
        }
    }
}

/// The successors that trials have found, in columns: most nodes are known already, and then only their fingerprints are
/// read.
@usableFromInline
struct ValueColumns<State> {
    /// For each choice, its number, and the resulting node with its fingerprint.
    @usableFromInline var choices: [UInt32] = []
    @usableFromInline var keys: [ValueKey<State>] = []
    @usableFromInline var prints: [UInt64] = []
    /// For each state that was tried, the number of its choices.
    @usableFromInline var counts: [Int] = []

    @inlinable
    init() {}

    /// Removes all but the first choices.
    @inlinable
    mutating func keepFirst(_ count: Int) {
        choices.removeSubrange(count...)
        keys.removeSubrange(count...)
        prints.removeSubrange(count...)
    }
}
