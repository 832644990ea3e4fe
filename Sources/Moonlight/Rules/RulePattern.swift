/// Two consecutive states of a loop.
public struct Transition<State> {
    /// The state before; nil if ``after`` is the first state.
    public let before: State?
    /// The state after.
    public let after: State

    /// Creates a transition.
    ///
    /// - Parameters:
    ///   - before: The state before; nil if `after` is the first state.
    ///   - after: The state after.
    public init(before: State?, after: State) {
        self.before = before
        self.after = after
    }
}

extension Transition: Sendable where State: Sendable {}
extension Transition: Equatable where State: Equatable {}

/// A condition on a change of the state: a predefined pattern, or a function of the states before and after.
public struct RulePattern<State, Match>: Sendable {
    /// Returns the match; nil for none.
    let match: @Sendable (Transition<State>) -> Match?

    /// Creates a pattern that matches when a function returns a value.
    ///
    /// - Parameter match: Returns the match; nil for none.
    public init(_ match: @escaping @Sendable (Transition<State>) -> Match?) { self.match = match }
}

extension RulePattern where Match == Transition<State> {
    /// Matches any change, and the first state.
    public static var any: RulePattern { RulePattern { $0 } }
}

extension RulePattern where Match == State {
    /// Matches when a condition becomes true, with the state after the change. It also matches if the condition is true of the
    /// first state.
    ///
    /// - Parameter condition: The condition.
    public static func becoming(_ condition: @escaping @Sendable (State) -> Bool) -> RulePattern {
        RulePattern { change in
            condition(change.after) && !(change.before.map(condition) ?? false) ? change.after : nil
        }
    }

    /// Matches when a condition becomes false, with the state after the change. It never matches the first state.
    ///
    /// - Parameter condition: The condition.
    public static func leaving(_ condition: @escaping @Sendable (State) -> Bool) -> RulePattern {
        RulePattern { change in
            guard let before = change.before else { return nil }
            return condition(before) && !condition(change.after) ? change.after : nil
        }
    }
}

/// A part of the state before and after a change: the match of `.changing`, and of the patterns of slots with two states.
///
/// It is not a tuple, because the compiler gives up on conditions of several operators if it must infer a tuple first.
public struct PartChange<From, To> {
    /// The part before the change.
    public let from: From
    /// The part after the change.
    public let to: To

    /// Creates the change of a part that is there before and after; nil if it is absent in one of them.
    init?(_ from: From?, _ to: To?) {
        guard let from, let to else { return nil }
        self.from = from
        self.to = to
    }
}

extension PartChange: Sendable where From: Sendable, To: Sendable {}
extension PartChange: Equatable where From: Equatable, To: Equatable {}

extension RulePattern where Match: Equatable {
    /// Matches when a part of the state becomes non-nil or changes to another value, with the new value. It also matches if the
    /// part is non-nil in the first state.
    ///
    /// - Parameter part: Returns the part.
    public static func appearing(_ part: @escaping @Sendable (State) -> Match?) -> RulePattern {
        parts(part, sendable(==), sendable { $1 })
    }

    /// Matches when a part of the state becomes nil or changes to another value, with the old value.
    ///
    /// - Parameter part: Returns the part.
    public static func vanishing(_ part: @escaping @Sendable (State) -> Match?) -> RulePattern {
        parts(part, sendable(==), sendable { before, _ in before })
    }
}

extension RulePattern {
    /// Matches when a part of the state changes, with the old and the new value. It never matches the first state.
    ///
    /// - Parameter part: Returns the part.
    public static func changing<Part: Equatable>(_ part: @escaping @Sendable (State) -> Part) -> RulePattern
    where Match == PartChange<Part, Part> {
        parts(part, sendable(==), sendable { PartChange($0, $1) })
    }

    /// Returns a pattern that calls `match` for each change, unless the part is there and equal in both states.
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
