// Patterns of changes of a feature. A feature that is present when the loop starts counts as initialized.
//
// If a pattern has `in`, `from` or `into`, the match contains the associated values of these states.
extension RulePattern {
    /// Matches if the feature was initialized. The match is its state.
    public static func initialized(_ slot: @escaping @Sendable (State) -> Slot<Match>) -> RulePattern
    where Match: Equatable {
        initialized(slot, into: .identity)
    }

    /// Matches if the feature was initialized in a given state. The match is the associated value of that state.
    public static func initialized<Feature: Equatable>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, into state: CasePath<Feature, Match>
    ) -> RulePattern { on(slot, .initialized) { $1.flatMap(state.extract) } }

    /// Matches if the associated value of the feature's state changed, but not the state. The match is the states before and
    /// after.
    public static func actualized<Feature: Equatable>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>
    ) -> RulePattern where Match == PartChange<Feature, Feature> {
        actualized(slot, in: .identity)
    }

    /// Matches if the associated value of a given state changed, but not the state. The match is the associated values before and
    /// after.
    public static func actualized<Feature: Equatable, Part>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, in state: CasePath<Feature, Part>
    ) -> RulePattern where Match == PartChange<Part, Part> {
        on(slot, .actualized) { PartChange($0.flatMap(state.extract), $1.flatMap(state.extract)) }
    }

    /// Matches if the feature changed to another state, or reentered its state. The match is both states.
    public static func transitioned<Feature: Equatable>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>
    ) -> RulePattern where Match == PartChange<Feature, Feature> {
        transitioned(slot, from: .identity, into: .identity)
    }

    /// Matches if the feature changed from any state to a given one, or reentered it. The match is the state before, and the
    /// associated value of the given state.
    public static func transitioned<Feature: Equatable, Into>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, into state: CasePath<Feature, Into>
    ) -> RulePattern where Match == PartChange<Feature, Into> {
        transitioned(slot, from: .identity, into: state)
    }

    /// Matches if the feature changed from one given state to another, or reentered it if both are the same. The match is the
    /// associated values of both. For any state, pass ``/LoopValues/CasePath/identity``.
    public static func transitioned<Feature: Equatable, From, Into>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, from: CasePath<Feature, From>, into: CasePath<Feature, Into>
    ) -> RulePattern where Match == PartChange<From, Into> {
        on(slot, .transitioned) { PartChange($0.flatMap(from.extract), $1.flatMap(into.extract)) }
    }

    /// Matches if the feature ended. The match is its last state.
    public static func deinitialized(
        _ slot: @escaping @Sendable (State) -> Slot<Match>
    ) -> RulePattern where Match: Equatable { deinitialized(slot, from: .identity) }

    /// Matches if the feature ended in a given state. The match is the associated value of that state.
    public static func deinitialized<Feature: Equatable>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, from state: CasePath<Feature, Match>
    ) -> RulePattern { on(slot, .deinitialized) { before, _ in before.flatMap(state.extract) } }

    private static func on<Feature>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, _ verb: SlotVerb,
        _ match: @escaping (_ before: Feature?, _ after: Feature?) -> Match?
    ) -> RulePattern {
        RulePattern(
            sendable { change in
                let changes = SlotChange.between(change.before.map(slot), slot(change.after))
                return changes.first { $0.verb == verb }.flatMap { match($0.before, $0.after) }
            })
    }
}
