// Patterns of changes of a feature. A feature that is present when the loop starts counts as initialized.
//
// If a pattern has `in`, `from` or `into`, the match contains the associated values of these states.
extension RulePattern {
    /// Matches if the feature was initialized. The match is its state.
    public static func initialized(_ slot: @escaping @Sendable (State) -> Slot<Match>) -> RulePattern
    where Match: Equatable {
        on(slot) { if case .initialized(let new) = $0 { new } else { nil } }
    }

    /// Matches if the feature was initialized in a given state. The match is the associated value of that state.
    public static func initialized<Feature: Equatable>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, into state: CasePath<Feature, Match>
    ) -> RulePattern { on(slot) { if case .initialized(let new) = $0 { state.extract(new) } else { nil } } }

    /// Matches if the associated value of the feature's state changed, but not the state. The match is the states before and
    /// after.
    public static func actualized<Feature: Equatable>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>
    ) -> RulePattern where Match == (from: Feature, to: Feature) {
        on(slot) { if case .actualized(let old, let new) = $0 { (old, new) } else { nil } }
    }

    /// Matches if the associated value of a given state changed, but not the state. The match is the associated values before and
    /// after.
    public static func actualized<Feature: Equatable, Part>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, in state: CasePath<Feature, Part>
    ) -> RulePattern where Match == (from: Part, to: Part) {
        on(slot) {
            guard case .actualized(let old, let new) = $0 else { return nil }
            return both(state.extract(old), state.extract(new))
        }
    }

    /// Matches if the feature changed to another state, or reentered its state. The match is both states.
    public static func transitioned<Feature: Equatable>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>
    ) -> RulePattern where Match == (from: Feature, to: Feature) {
        on(slot) { if case .transitioned(let old, let new) = $0 { (old, new) } else { nil } }
    }

    /// Matches if the feature changed from any state to a given one, or reentered it. The match is the state before, and the
    /// associated value of the given state.
    public static func transitioned<Feature: Equatable, Into>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, into state: CasePath<Feature, Into>
    ) -> RulePattern where Match == (from: Feature, to: Into) {
        on(slot) {
            guard case .transitioned(let old, let new) = $0 else { return nil }
            return both(old, state.extract(new))
        }
    }

    /// Matches if the feature changed from one given state to another, or reentered it if both are the same. The match is the
    /// associated values of both. For any state, pass ``CasePath/identity``.
    public static func transitioned<Feature: Equatable, From, Into>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, from: CasePath<Feature, From>, into: CasePath<Feature, Into>
    ) -> RulePattern where Match == (from: From, to: Into) {
        on(slot) {
            guard case .transitioned(let old, let new) = $0 else { return nil }
            return both(from.extract(old), into.extract(new))
        }
    }

    /// Matches if the feature ended. The match is its last state.
    public static func deinitialized(
        _ slot: @escaping @Sendable (State) -> Slot<Match>
    ) -> RulePattern where Match: Equatable { on(slot) { if case .deinitialized(let old) = $0 { old } else { nil } } }

    /// Matches if the feature ended in a given state. The match is the associated value of that state.
    public static func deinitialized<Feature: Equatable>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, from state: CasePath<Feature, Match>
    ) -> RulePattern { on(slot) { if case .deinitialized(let old) = $0 { state.extract(old) } else { nil } } }

    private static func on<Feature>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, _ match: @escaping (SlotChange<Feature>) -> Match?
    ) -> RulePattern {
        RulePattern(
            sendable { change in
                SlotChange.between(change.before.map(slot), slot(change.after)).lazy.compactMap(match).first
            })
    }

    private static func both<A, B>(_ a: A?, _ b: B?) -> (from: A, to: B)? {
        if let a, let b { (a, b) } else { nil }
    }
}
