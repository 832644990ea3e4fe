import Streams

extension Reducer {
    /// Returns this reducer as a collection of children, each identified by its id.
    ///
    /// ```swift
    /// row.scoped(
    ///     toEach: \Table.rows,
    ///     event: CasePath(TableEvent.row) { if case .row(let id, let event) = $0 { (id, event) } else { nil } },
    ///     effect: CasePath(TableEffect.row) { if case .row(let id, let effect) = $0 { (id, effect) } else { nil } },
    ///     environment: \.row)
    /// ```
    /// Effects find their child by its id, wherever it has been moved to. When a child is removed, its effects in flight are
    /// cancelled; those of the other children go on. An event for an absent child is rejected with a ``Rejection`` that
    /// contains the child's path. In an ``IdentifiedList``, a child that is removed and inserted again is a new child, even
    /// within one effect. A dictionary does not record removals: there, a child that is removed and inserted within one effect
    /// stays the same.
    ///
    /// An event for one child calls only that child; what it costs to find the child depends on the collection, see
    /// ``ChildCollection``.
    ///
    /// - Parameters:
    ///   - children: The key path to the collection of the children's states.
    ///   - event: The case of the parent's events that carries a child's id and event.
    ///   - effect: The case of the parent's effects that carries a child's id and effect.
    ///   - environment: Derives a child's environment from the parent's.
    ///   - name: The name of the children in a ``ScopePath``; by default, the name of the property.
    ///   - result: Returns a child's result as an event of the parent; nil while there is none. When it returns an event after
    ///     one of the child's own effects has changed its state, the child is removed and the parent receives the event, exactly
    ///     once.
    ///   - file: The file of this call, for a ``Rejection``.
    ///   - line: The line of this call, for a ``Rejection``.
    /// - Returns: A reducer of the parent's state.
    @inlinable
    public func scoped<
        ParentState: Equatable, ParentEvent, ParentEffect, ParentEnvironment, Children: ChildCollection
    >(
        toEach children: WritableKeyPath<ParentState, Children> & Sendable,
        event: CasePath<ParentEvent, (Children.ID, Event)>,
        effect: CasePath<ParentEffect, (Children.ID, Effect)>,
        environment: @escaping @Sendable (ParentEnvironment) -> Environment,
        name: String? = nil, result: (@Sendable (Children.ID, State) -> ParentEvent?)? = nil,
        file: String = #fileID, line: Int = #line
    ) -> Reducer<ParentState, ParentEvent, ParentEffect, ParentEnvironment>
    where Children.Child == State, Children.ID: Sendable {
        let place = Place(children)
        let scope = Scope(name ?? place.name, of: State.self, file: file, line: line)
        return Reducer<ParentState, ParentEvent, ParentEffect, ParentEnvironment>(
            bind: { [bind, extract = event.extract, embed = effect.embed] loop in
                let decide = bind(loop)
                return { whole, parentEvent, world, isFirst in
                    guard let (id, childEvent) = extract(parentEvent) else { return .none }
                    guard var child = place.read(whole, { $0.pointee[id: id] }) else { throw scope.absence(AnyID(id)) }
                    let effects = try scope.locating(AnyID(id)) {
                        try withUnsafeMutablePointer(to: &child) { try decide($0, childEvent, environment(world), isFirst) }
                    }
                    return effects.scoped(
                        ChildScope(scope, AnyID(id), mark: place.read(whole) { $0.pointee.version }),
                        mayLeave: true, isFirst: isFirst, { embed((id, $0)) })
                }
            },
            parts: [
                .init(
                    mayThrow: mayThrow,
                    fold: { [fold, extract = effect.extract] whole, parentEffect, folding in
                        guard let (id, childEffect) = extract(parentEffect) else { return .none }
                        let childNode = folding.node?.child(scope.key)?.child(scope.key(AnyID(id)))
                        var childFolding = Folding<Event>(node: childNode)
                        var end: ParentEvent?
                        let change = try place.modify(whole) { children -> Change? in
                            let change = try children.pointee.update(id) { child in
                                let change = try scope.locating(AnyID(id)) {
                                    try withUnsafeMutablePointer(to: &child) {
                                        try fold($0, childEffect, &childFolding)
                                    }
                                }
                                if change != .none, let result { end = result(id, child) }
                                return change
                            }
                            if end != nil { children.pointee.remove(id) }
                            return change
                        }
                        folding.follow(childFolding) { event.embed((id, $0)) }
                        if let end {
                            childNode?.leave()
                            folding.follow(end)
                        }
                        return change ?? .none
                    },
                    prune: { whole, node in
                        guard let scopeNode = node.child(scope.key) else { return }
                        place.read(whole) { self.prune($0.pointee, scope, scopeNode) }
                    })
            ])
    }

    /// Notes in the tree of scopes the children that have been removed from the collection.
    ///
    /// - Parameters:
    ///   - children: The collection after the change.
    ///   - scope: The scope of the children.
    ///   - node: The node of that scope.
    @inlinable
    func prune<Children: ChildCollection>(_ children: Children, _ scope: Scope, _ node: ScopeNode)
    where Children.Child == State, Children.ID: Sendable {
        let hasChildren = parts.contains { $0.prune != nil }
        let gone = children._departures(since: &node.mark)
        for id in gone ?? [] { node.child(scope.key(AnyID(id)))?.leave() }
        // Only if the removals are not known, or if children have children of their own, the children in flight are looked up.
        if gone != nil, !hasChildren { return }
        for (key, childNode) in node.children {
            guard let id = key.id?.base as? Children.ID, var child = children[id: id] else {
                childNode.leave()
                continue
            }
            if hasChildren { withUnsafeMutablePointer(to: &child) { prune($0, childNode) } }
        }
    }
}
