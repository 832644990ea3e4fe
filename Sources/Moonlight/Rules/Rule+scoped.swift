// Rules of a child, as rules of its parent: they keep their place among the others.
extension Rule.Complete {
    /// This rule for a part of a parent's state.
    ///
    /// ```swift
    /// Rule("greet").when(.becoming { (guest: Guest) in guest.isIn }).then { GuestEvent.greet($0.name) }
    ///     .scoped(to: \House.cook, event: HouseEvent.cook)
    /// ```
    /// The journal tells of it with the part's path: `cook/greet`.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - event: Makes the parent's event of the part's.
    ///   - name: What the part is called in a ``ScopePath``; the property, if nothing else is given.
    public func scoped<Parent, ParentEvent>(
        to part: KeyPath<Parent, State> & Sendable, event: @escaping @Sendable (Event) -> ParentEvent,
        name: String? = nil
    ) -> Rule.Complete<Parent, ParentEvent> {
        scoped(to: { $0[keyPath: part] }, event: event, name: name ?? propertyName(of: part))
    }

    /// This rule for a part of a parent's state that may not be there.
    ///
    /// See the form for one that is always there.
    ///
    /// - Parameter part: The part. While it is nil there is nothing to follow from; when it comes, that is its first state.
    public func scoped<Parent, ParentEvent>(
        to part: KeyPath<Parent, State?> & Sendable, event: @escaping @Sendable (Event) -> ParentEvent,
        name: String? = nil
    ) -> Rule.Complete<Parent, ParentEvent> {
        scoped(to: { $0[keyPath: part] }, event: event, name: name ?? propertyName(of: part))
    }

    /// This rule for a part of a parent's state that no key path leads to: the case of an enum, say.
    ///
    /// - Parameters:
    ///   - part: The part. While it is nil there is nothing to follow from; when it comes, that is its first state.
    ///   - event: Makes the parent's event of the part's.
    ///   - name: What the part is called in a ``ScopePath``; without a name the rule counts as one of the parent's own.
    public func scoped<Parent, ParentEvent>(
        to part: @escaping @Sendable (Parent) -> State?, event: @escaping @Sendable (Event) -> ParentEvent,
        name: String? = nil
    ) -> Rule.Complete<Parent, ParentEvent> {
        let element = name.map { ScopePath.Element($0) }
        return Rule.Complete<Parent, ParentEvent> { [apply] change, course in
            guard let after = part(change.after), !course.isOver else { return [] }
            let own = Transition(before: change.before.flatMap(part), after: after)
            return course.map(course.isOver ? [] : apply(own, course)) { outcome in outcome.map(in: element, event) }
        }
    }

    /// This rule for each of many children.
    ///
    /// ```swift
    /// Rule("greet").when(.becoming { (guest: Guest) in guest.isIn }).then { GuestEvent.greet($0.name) }
    ///     .scoped(toEach: \House.guests, event: HouseEvent.guest)
    /// ```
    /// A child that comes, comes in its first state; from one that leaves nothing follows any more. Children that have not
    /// changed cost nothing. Each child's rule is its own: where it fires for one and is blocked for another, the journal
    /// tells of both, with their paths: `guests[ann]/greet`.
    ///
    /// - Parameters:
    ///   - children: The children.
    ///   - event: Makes the parent's event of a child's.
    ///   - name: What the children are called in a ``ScopePath``; the property, if nothing else is given.
    public func scoped<Parent, ParentEvent, ID: Sendable>(
        toEach children: KeyPath<Parent, IdentifiedList<ID, State>> & Sendable,
        event: @escaping @Sendable (ID, Event) -> ParentEvent, name: String? = nil
    ) -> Rule.Complete<Parent, ParentEvent> where State: Equatable {
        let name = name ?? propertyName(of: children) ?? "\(State.self)"
        let applyToEach = { [apply] (change: Transition<Parent>, course: RuleCourse) -> [Rule.Outcome<ParentEvent>] in
            var outcomes: [Rule.Outcome<ParentEvent>] = []
            let before = change.before?[keyPath: children] ?? IdentifiedList()
            change.after[keyPath: children].visitChanges(since: before, while: { !course.isOver }) { id, before, after in
                let own = apply(Transition(before: before, after: after), course)
                if own.isEmpty { return }
                let child = ScopePath.Element(name, id: AnyID(id))
                outcomes += course.map(own) { $0.map(in: child) { event(id, $0) } }
            }
            return course.isOver ? [] : outcomes
        }
        return Rule.Complete(apply: sendable(applyToEach))
    }
}

extension Rule.Outcome {
    /// What came of a child's rule, for its parent.
    fileprivate func map<NewEvent>(
        in child: ScopePath.Element?, _ transform: (Event) -> NewEvent
    ) -> Rule.Outcome<NewEvent> {
        let place = child.map { ScopePath([$0]).appending(path) } ?? path
        return .init(name: name, path: place, result: result.map { $0.map(transform) })
    }
}
