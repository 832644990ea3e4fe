import Streams

extension Reducer {
    /// This reducer as many children, each with its id.
    ///
    /// ```swift
    /// row.scoped(
    ///     toEach: \Table.rows,
    ///     event: Case(TableEvent.row) { if case .row(let id, let event) = $0 { (id, event) } else { nil } },
    ///     effect: Case(TableEffect.row) { if case .row(let id, let effect) = $0 { (id, effect) } else { nil } },
    ///     environment: \.row)
    /// ```
    /// Each is a child of its own: effects find it wherever it has been moved to; when it is removed, its effects in flight
    /// are cancelled, and those of the others left alone. An event for a child that is not there is refused with a
    /// ``Rejection`` that names it. In an ``IdentifiedList`` a child that is removed and inserted again is a new one, also
    /// within one effect; elsewhere, that cannot be seen from before and after.
    ///
    /// What an event to one child costs does not depend on how many there are; see ``ChildCollection``.
    ///
    /// - Parameters:
    ///   - children: Where the children are.
    ///   - event: Which of the parent's events are a child's, and whose.
    ///   - effect: Which of the parent's effects are a child's, and whose.
    ///   - environment: A child's environment out of the parent's.
    ///   - name: What the children are called in a ``ScopePath``; the property, if nothing else is given.
    ///   - result: A child's result, as the parent's event, once it has one after an effect of its own; then the child is
    ///     taken out and the parent gets the event, exactly once.
    @inlinable
    public func scoped<
        ParentState: Equatable, ParentEvent, ParentEffect, ParentEnvironment, Children: ChildCollection
    >(
        toEach children: WritableKeyPath<ParentState, Children> & Sendable,
        event: Case<ParentEvent, (Children.ID, Event)>,
        effect: Case<ParentEffect, (Children.ID, Effect)>,
        environment: @escaping @Sendable (ParentEnvironment) -> Environment,
        name: String? = nil, result: (@Sendable (Children.ID, State) -> ParentEvent?)? = nil,
        file: String = #fileID, line: Int = #line
    ) -> Reducer<ParentState, ParentEvent, ParentEffect, ParentEnvironment>
    where Children.Child == State, Children.ID: Sendable {
        let place = Place(children)
        let scope = Scope(name ?? place.name, of: State.self, file: file, line: line)
        return Reducer<ParentState, ParentEvent, ParentEffect, ParentEnvironment>(
            decide: { [decide] whole, parentEvent, parentEnvironment in
                guard let (id, childEvent) = event.extract(parentEvent) else { return .nothing }
                guard let child = place.read(whole, { $0.pointee.child(id) }) else { throw scope.absence(JobID(id)) }
                let effects = try scope.locating(JobID(id)) {
                    try withUnsafePointer(to: child) { try decide($0, childEvent, environment(parentEnvironment)) }
                }
                return effects.scoped(scope, JobID(id), mayLeave: true, embed(effect, id))
            },
            parts: [
                .init(
                    region: place.region, mayThrow: mayThrow,
                    fold: { whole, parentEffect, events, node in
                        guard let (id, childEffect) = effect.extract(parentEffect) else { return .none }
                        let childNode = node?.child(scope.key)?.child(scope.key(JobID(id)))
                        var childEvents: [Event] = []
                        var end: ParentEvent?
                        let change = try place.modify(&whole) { children in
                            let change = try children.updateChild(id) { child in
                                let change = try scope.locating(JobID(id)) {
                                    try self.fold(&child, childEffect, &childEvents, childNode)
                                }
                                if change != .none, let result { end = result(id, child) }
                                return change
                            }
                            if end != nil { children.removeChild(id) }
                            return change
                        }
                        if !childEvents.isEmpty { events += childEvents.map { event.embed((id, $0)) } }
                        if let end {
                            childNode?.leave()
                            events.append(end)
                        }
                        return change ?? .none
                    },
                    prune: { whole, node in
                        guard let scopeNode = node.child(scope.key) else { return }
                        place.read(whole) { self.prune($0.pointee, scope, scopeNode) }
                    })
            ])
    }

    /// Finds the children that have left.
    @inlinable
    func prune<Children: ChildCollection>(_ children: Children, _ scope: Scope, _ node: ScopeNode)
    where Children.Child == State, Children.ID: Sendable {
        let hasChildren = parts.contains { $0.prune != nil }
        let gone = children.departures(since: &node.mark)
        for id in gone ?? [] { node.child(scope.key(JobID(id)))?.leave() }
        // Who is in flight need only be looked at if it is not known who has gone, or for children of children.
        if gone != nil, !hasChildren { return }
        for (key, childNode) in node.children {
            guard let id = key.id?.base as? Children.ID, let child = children.child(id) else {
                childNode.leave()
                continue
            }
            if hasChildren { withUnsafePointer(to: child) { prune($0, childNode) } }
        }
    }
}

/// Makes the parent's effect of that of the child with an id.
@inlinable
func embed<Whole, ID: Sendable, Effect>(
    _ effect: Case<Whole, (ID, Effect)>, _ id: ID
) -> @Sendable (Effect) -> Whole { { effect.embed((id, $0)) } }
