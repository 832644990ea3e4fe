/// Two states in a row.
public struct Transition<State> {
    /// The state before; nil for the first state, which nothing comes before.
    public let before: State?
    /// The state after.
    public let after: State

    /// Two states in a row.
    public init(before: State?, after: State) { (self.before, self.after) = (before, after) }
}

extension Transition: Sendable where State: Sendable {}
extension Transition: Equatable where State: Equatable {}

/// What a rule looks for in a change of the state: ready-made, or any function of the states before and after.
public struct RulePattern<State, Match>: Sendable {
    /// What it finds: nothing or one thing, and where several have happened in one change, each.
    let matches: @Sendable (Transition<State>) -> [Match]

    /// A pattern that matches where the function returns a value.
    public init(_ match: @escaping @Sendable (Transition<State>) -> Match?) {
        matches = { change in match(change).map { [$0] } ?? [] }
    }

    init(matches: @escaping @Sendable (Transition<State>) -> [Match]) { self.matches = matches }
}

extension RulePattern where Match == Transition<State> {
    /// Any change, and the first state.
    public static var any: RulePattern { RulePattern { $0 } }
}

extension RulePattern where Match == State {
    /// Something becomes true that was not. The first state counts, too.
    public static func becoming(_ condition: @escaping @Sendable (State) -> Bool) -> RulePattern {
        RulePattern { change in
            condition(change.after) && !(change.before.map(condition) ?? false) ? change.after : nil
        }
    }

    /// Something is no longer true that was.
    public static func leaving(_ condition: @escaping @Sendable (State) -> Bool) -> RulePattern {
        RulePattern { change in
            guard let before = change.before else { return nil }
            return condition(before) && !condition(change.after) ? change.after : nil
        }
    }
}

extension RulePattern where Match: Equatable {
    /// Something is there that was not: a part of the state becomes non-nil, or another value. The first state counts, too.
    public static func appearing(_ part: @escaping @Sendable (State) -> Match?) -> RulePattern {
        partIsNew(part, areEqual: sendable(==))
    }

    /// Something is gone that was there: a part of the state becomes nil, or another value. Matches what was there.
    public static func vanishing(_ part: @escaping @Sendable (State) -> Match?) -> RulePattern {
        partIsGone(part, areEqual: sendable(==))
    }
}

extension RulePattern {
    /// A part of the state becomes another; the first state does not count. Matches both.
    public static func changing<Part: Equatable>(_ part: @escaping @Sendable (State) -> Part) -> RulePattern
    where Match == (from: Part, to: Part) {
        bothParts(part, areEqual: sendable(==))
    }

    // Closures are formed where nothing is known of the types: a closure that knew them to be Equatable would carry a
    // conformance, of which the compiler cannot tell that it is not bound to an actor.

    private static func partIsNew(
        _ part: @escaping @Sendable (State) -> Match?, areEqual: @escaping @Sendable (Match, Match) -> Bool
    ) -> RulePattern { parts(part, areEqual) { $1 } }

    private static func partIsGone(
        _ part: @escaping @Sendable (State) -> Match?, areEqual: @escaping @Sendable (Match, Match) -> Bool
    ) -> RulePattern { parts(part, areEqual) { before, _ in before } }

    private static func bothParts<Part>(
        _ part: @escaping @Sendable (State) -> Part, areEqual: @escaping @Sendable (Part, Part) -> Bool
    ) -> RulePattern where Match == (from: Part, to: Part) {
        parts(part, areEqual) { before, after in
            if let before, let after { (before, after) } else { nil }
        }
    }

    /// A pattern over a part of the state that has become another.
    private static func parts<Part>(
        _ part: @escaping @Sendable (State) -> Part?, _ areEqual: @escaping @Sendable (Part, Part) -> Bool,
        _ match: @escaping @Sendable (_ before: Part?, _ after: Part?) -> Match?
    ) -> RulePattern {
        RulePattern { change in
            let (before, after) = (change.before.flatMap(part), part(change.after))
            if let before, let after, areEqual(before, after) { return nil }
            return match(before, after)
        }
    }
}
