import Moonlight

/// What tells nodes apart when all effects are ready: the state, and how many events of each limited kind have come.
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
/// It is made where an exploration is: there the types are known, so that the optimiser sees through the reducer, and a try takes no
/// longer than the user's code. It knows nothing but what usually happens; see ``ValueExpander`` for the rest.
@usableFromInline
struct ValueTrial<State: Equatable, Event, Environment> {
    /// Tries all events of some states, and appends, for each state, what its events lead to.
    ///
    /// Returns the number of states that were tried. It stops before a state with which something is not as usual: an event or
    /// effect is refused, an effect is not ready, or a property does not hold.
    @usableFromInline typealias Expand = (
        _ states: ArraySlice<ValueKey<State>>, _ events: (State) -> [Event], _ environment: Environment,
        _ always: [(State) -> Bool], _ whenQuiet: [(State) -> Bool], _ isTrying: (_ place: Int, _ choice: UInt32) -> Void,
        _ columns: inout ValueColumns<State>
    ) -> Int

    @usableFromInline let expand: Expand

    @inlinable
    init<Effect>(_ reducer: Reducer<State, Event, Effect, Environment>, print: @escaping (State) -> UInt64) {
        let loop = ReadyLoop(reducer)
        expand = { states, source, environment, always, whenQuiet, isTrying, columns in
            for place in states.indices {
                let state = states[place].state
                let count = columns.keys.count
                var isUsual = true
                for event in source(state) {
                    let choice = UInt32(truncatingIfNeeded: columns.keys.count - count)
                    isTrying(place, choice)
                    var next = state
                    let outcome = loop.handle(
                        event, in: &next, environment, most: 1_000,
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

/// What trials lead to, in columns: most nodes are known already, and then only their fingerprints are looked at.
@usableFromInline
struct ValueColumns<State> {
    /// For each choice, its number, and the node that it has led to, with its fingerprint.
    @usableFromInline var choices: [UInt32] = []
    @usableFromInline var keys: [ValueKey<State>] = []
    @usableFromInline var prints: [UInt64] = []
    /// For each state that was tried, the number of its choices.
    @usableFromInline var counts: [Int] = []

    @inlinable
    init() {}

    /// Forgets the choices behind the first ones.
    @inlinable
    mutating func keepFirst(_ count: Int) {
        choices.removeSubrange(count...)
        keys.removeSubrange(count...)
        prints.removeSubrange(count...)
    }
}
