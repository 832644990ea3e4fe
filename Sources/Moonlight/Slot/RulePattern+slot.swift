// Patterns over what happens to a feature. A feature that is there when the loop starts counts as initialized.
//
// Where a pattern has `in`, `from` or `into`, it matches what the named states carry.
extension RulePattern {
    /// The feature came into being. Matches its state.
    public static func initialized(_ slot: @escaping @Sendable (State) -> Slot<Match>) -> RulePattern
    where Match: Equatable {
        on(slot) { if case .initialized(let new) = $0 { new } else { nil } }
    }

    /// The feature came into being, in a state.
    public static func initialized<Feature: Equatable>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, into state: CasePath<Feature, Match>
    ) -> RulePattern { on(slot) { if case .initialized(let new) = $0 { state.extract(new) } else { nil } } }

    /// The feature stayed in its state, which carries something else. Matches both.
    public static func actualized<Feature: Equatable>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>
    ) -> RulePattern where Match == (from: Feature, to: Feature) {
        on(slot) { if case .actualized(let old, let new) = $0 { (old, new) } else { nil } }
    }

    /// The feature stayed in a state, which carries something else. Matches both.
    public static func actualized<Feature: Equatable, Part>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, in state: CasePath<Feature, Part>
    ) -> RulePattern where Match == (from: Part, to: Part) {
        on(slot) {
            guard case .actualized(let old, let new) = $0 else { return nil }
            return both(state.extract(old), state.extract(new))
        }
    }

    /// The feature went from one state to another. Matches both.
    public static func transitioned<Feature: Equatable>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>
    ) -> RulePattern where Match == (from: Feature, to: Feature) {
        on(slot) { if case .transitioned(let old, let new) = $0 { (old, new) } else { nil } }
    }

    /// The feature left a state for another. Matches both.
    public static func transitioned<Feature: Equatable, From>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, from state: CasePath<Feature, From>
    ) -> RulePattern where Match == (from: From, to: Feature) {
        on(slot) {
            guard case .transitioned(let old, let new) = $0 else { return nil }
            return both(state.extract(old), new)
        }
    }

    /// The feature came from another state into one. Matches both.
    public static func transitioned<Feature: Equatable, Into>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, into state: CasePath<Feature, Into>
    ) -> RulePattern where Match == (from: Feature, to: Into) {
        on(slot) {
            guard case .transitioned(let old, let new) = $0 else { return nil }
            return both(old, state.extract(new))
        }
    }

    /// The feature went from one given state into another. Matches both.
    public static func transitioned<Feature: Equatable, From, Into>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, from: CasePath<Feature, From>, into: CasePath<Feature, Into>
    ) -> RulePattern where Match == (from: From, to: Into) {
        on(slot) {
            guard case .transitioned(let old, let new) = $0 else { return nil }
            return both(from.extract(old), into.extract(new))
        }
    }

    /// The feature ended. Matches its last state.
    public static func deinitialized(
        _ slot: @escaping @Sendable (State) -> Slot<Match>
    ) -> RulePattern where Match: Equatable { on(slot) { if case .deinitialized(let old) = $0 { old } else { nil } } }

    /// The feature ended, from a state.
    public static func deinitialized<Feature: Equatable>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, from state: CasePath<Feature, Match>
    ) -> RulePattern { on(slot) { if case .deinitialized(let old) = $0 { state.extract(old) } else { nil } } }

    /// The feature's state was set: by initializing, actualizing or a transition. Matches it.
    public static func set(_ slot: @escaping @Sendable (State) -> Slot<Match>) -> RulePattern where Match: Equatable {
        on(slot) { $0.new }
    }

    /// The feature's state was set to a given one: by initializing, actualizing or a transition.
    public static func set<Feature: Equatable>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, into state: CasePath<Feature, Match>
    ) -> RulePattern { on(slot) { $0.new.flatMap(state.extract) } }

    /// The feature, which was there, was actualized or went to another state. Matches both.
    public static func updated<Feature: Equatable>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>
    ) -> RulePattern where Match == (from: Feature, to: Feature) {
        on(slot) {
            switch $0 {
            case .actualized(let old, let new), .transitioned(let old, let new): (old, new)
            case .initialized, .deinitialized: nil
            }
        }
    }

    /// Anything happened to the feature. Matches what: where it ended and began anew in one change, first one and then the
    /// other.
    public static func mutated<Feature: Equatable>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>
    ) -> RulePattern where Match == SlotChange<Feature> { on(slot) { $0 } }

    private static func on<Feature>(
        _ slot: @escaping @Sendable (State) -> Slot<Feature>, _ match: @escaping (SlotChange<Feature>) -> Match?
    ) -> RulePattern {
        RulePattern(
            matches: sendable { change in
                SlotChange.between(change.before.map(slot), slot(change.after)).compactMap(match)
            })
    }

    private static func both<A, B>(_ a: A?, _ b: B?) -> (from: A, to: B)? {
        if let a, let b { (a, b) } else { nil }
    }
}

extension SlotChange {
    /// The state that was set; nil if the feature ended.
    public var new: State? {
        switch self {
        case .initialized(let new), .actualized(_, let new), .transitioned(_, let new): new
        case .deinitialized: nil
        }
    }
}
