// Rules of a child as rules of its parent. They are tried at their place among the parent's rules.
extension Rule.Complete {
    /// Returns this rule for a part of a parent's state.
    ///
    /// ```swift
    /// Rule("greet").when(.becoming { (guest: Guest) in guest.isIn }).then { GuestEvent.greet($0.name) }
    ///     .scoped(to: \House.cook, event: HouseEvent.cook)
    /// ```
    ///
    /// The journal records it with the part's path: `cook/greet`.
    ///
    /// - Parameters:
    ///   - part: The key path of the part.
    ///   - event: Wraps an event of the part in one of the parent's.
    ///   - name: The part's name in a ``/LoopValues/ScopePath``; by default that of the property.
    /// - Returns: A rule of the parent.
    public func scoped<Parent, ParentEvent>(
        to part: KeyPath<Parent, State> & Sendable, event: @escaping @Sendable (Event) -> ParentEvent,
        name: String? = nil
    ) -> Rule.Complete<Parent, ParentEvent> {
        scoped(to: { $0[keyPath: part] }, event: event, name: name ?? propertyName(of: part))
    }

    /// Returns this rule for an optional part of a parent's state.
    ///
    /// While the part is nil, the rule does not apply. When the part becomes non-nil, its value counts as a first state.
    ///
    /// - Parameters:
    ///   - part: The key path of the part.
    ///   - event: Wraps an event of the part in one of the parent's.
    ///   - name: The part's name in a ``/LoopValues/ScopePath``; by default that of the property.
    /// - Returns: A rule of the parent.
    public func scoped<Parent, ParentEvent>(
        to part: KeyPath<Parent, State?> & Sendable, event: @escaping @Sendable (Event) -> ParentEvent,
        name: String? = nil
    ) -> Rule.Complete<Parent, ParentEvent> {
        scoped(to: { $0[keyPath: part] }, event: event, name: name ?? propertyName(of: part))
    }

    /// Returns this rule for a part of a parent's state that no key path leads to, such as the payload of an enum case.
    ///
    /// - Parameters:
    ///   - part: Returns the part. While it is nil, the rule does not apply; when it becomes non-nil, its value counts as a first
    ///     state.
    ///   - event: Wraps an event of the part in one of the parent's.
    ///   - name: The part's name in a ``/LoopValues/ScopePath``; without a name, the rule counts as one of the parent's own.
    /// - Returns: A rule of the parent.
    public func scoped<Parent, ParentEvent>(
        to part: @escaping @Sendable (Parent) -> State?, event: @escaping @Sendable (Event) -> ParentEvent,
        name: String? = nil
    ) -> Rule.Complete<Parent, ParentEvent> {
        let element = name.map { ScopePath.Element($0) }
        return Rule.Complete<Parent, ParentEvent> { [apply] change, place in
            guard let after = place.unlessOver({ part(change.after) }) else { return [] }
            let own = Transition(before: change.before.flatMap(part), after: after)
            return place.unlessOver { apply(own, place) }?.map(in: element, place, event) ?? []
        }
    }

    /// Returns this rule for each child in a list.
    ///
    /// ```swift
    /// Rule("greet").when(.becoming { (guest: Guest) in guest.isIn }).then { GuestEvent.greet($0.name) }
    ///     .scoped(toEach: \House.guests, event: HouseEvent.guest)
    /// ```
    ///
    /// The state of a child that is added counts as a first state. A child that is removed leads to no further events. Children
    /// that have not changed cost nothing. The rule is tried separately for each child: if it fires for one and is blocked for
    /// another, the journal records both, with their paths: `guests[ann]/greet`.
    ///
    /// - Parameters:
    ///   - children: The key path of the children.
    ///   - event: Wraps a child's id and event in an event of the parent's.
    ///   - name: The children's name in a ``/LoopValues/ScopePath``; by default that of the property.
    /// - Returns: A rule of the parent.
    public func scoped<Parent, ParentEvent, ID: Sendable>(
        toEach children: KeyPath<Parent, IdentifiedList<ID, State>> & Sendable,
        event: @escaping @Sendable (ID, Event) -> ParentEvent, name: String? = nil
    ) -> Rule.Complete<Parent, ParentEvent> where State: Equatable {
        let name = name ?? propertyName(of: children) ?? "\(State.self)"
        let applyToEach = { [apply] (change: Transition<Parent>, place: LoopPlace?) -> [Rule.Outcome<ParentEvent>] in
            var outcomes: [Rule.Outcome<ParentEvent>] = []
            let before = change.before?[keyPath: children] ?? IdentifiedList()
            change.after[keyPath: children].visitChanges(since: before) { id, before, after in
                let own = place.unlessOver { apply(Transition(before: before, after: after), place) } ?? []
                if !own.isEmpty {
                    outcomes += own.map(in: ScopePath.Element(name, id: AnyID(id)), place) { event(id, $0) }
                }
                return !place.isOver
            }
            return place.isOver ? [] : outcomes
        }
        return Rule.Complete(apply: sendable(applyToEach))
    }
}

extension Array {
    /// Converts the outcomes of a child's rule to those of its parent; none if the loop was cancelled meanwhile.
    fileprivate func map<Event, NewEvent>(
        in child: ScopePath.Element?, _ place: LoopPlace?, _ transform: (Event) -> NewEvent
    ) -> [Rule.Outcome<NewEvent>] where Element == Rule.Outcome<Event> {
        var outcomes: [Rule.Outcome<NewEvent>] = []
        for outcome in self {
            guard let result = place.unlessOver({ outcome.result.map { $0.map(transform) } }) else { return [] }
            let path = ScopePath((child.map { [$0] } ?? []) + outcome.path.elements)
            outcomes.append(.init(name: outcome.name, path: path, result: result))
        }
        return outcomes
    }
}
