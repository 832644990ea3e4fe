// Rules of a child, as rules of its parent: they keep their place among the others.
extension Rule.Complete {
    /// This rule for a part of a parent's state.
    ///
    /// - Parameters:
    ///   - part: The part. While it is nil there is nothing to follow from; when it comes, that is its first state.
    ///   - event: Makes the parent's event of the part's.
    public func scoped<Parent, ParentEvent>(
        to part: @escaping @Sendable (Parent) -> State?, event: @escaping @Sendable (Event) -> ParentEvent
    ) -> Rule.Complete<Parent, ParentEvent> {
        Rule.Complete<Parent, ParentEvent> { [apply] change in
            guard let after = part(change.after) else { return nil }
            return apply(Transition(before: change.before.flatMap(part), after: after))?.map(event)
        }
    }

    /// This rule for each of many children.
    ///
    /// ```swift
    /// Rule("greet").when(.becoming { (guest: Guest) in guest.isIn }).then { GuestEvent.greet($0.name) }
    ///     .scoped(toEach: \House.guests) { HouseEvent.guest($0, $1) }
    /// ```
    /// A child that comes, comes in its first state; from one that leaves nothing follows any more. Children that have not
    /// changed cost nothing.
    ///
    /// - Parameters:
    ///   - children: The children.
    ///   - event: Makes the parent's event of a child's.
    public func scoped<Parent, ParentEvent, ID>(
        toEach children: @escaping @Sendable (Parent) -> IdentifiedList<ID, State>,
        event: @escaping @Sendable (ID, Event) -> ParentEvent
    ) -> Rule.Complete<Parent, ParentEvent> where State: Equatable {
        let applyToEach = { [apply] (change: Transition<Parent>) -> Rule.Outcome<ParentEvent>? in
            var outcome: Rule.Outcome<ParentEvent>?
            let before = change.before.map(children) ?? IdentifiedList()
            children(change.after).visitChanges(since: before) { id, before, after in
                let own = apply(Transition(before: before, after: after))?.map { event(id, $0) }
                outcome = outcome?.joined(with: own) ?? own
            }
            return outcome
        }
        return Rule.Complete(apply: sendable(applyToEach))
    }
}

extension Rule.Outcome {
    fileprivate func map<NewEvent>(_ transform: (Event) -> NewEvent) -> Rule.Outcome<NewEvent> {
        .init(name: name, result: result.map { $0.map(transform) })
    }

    /// What came of the same rule for two children: it has fired if it has for one of them.
    fileprivate func joined(with other: Self?) -> Self {
        guard let other, case .success(let more) = other.result else { return self }
        guard case .success(let events) = result else { return other }
        return Self(name: name, result: .success(events + more))
    }
}
