import Streams

extension Reducer {
    /// This reducer as many children, each with its id.
    ///
    /// ```swift
    /// row.scoped(
    ///     toEach: \Table.rows,
    ///     event: CasePath(TableEvent.row) { if case .row(let id, let event) = $0 { (id, event) } else { nil } },
    ///     effect: CasePath(TableEffect.row) { if case .row(let id, let effect) = $0 { (id, effect) } else { nil } },
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
        event: CasePath<ParentEvent, (Children.ID, Event)>,
        effect: CasePath<ParentEffect, (Children.ID, Effect)>,
        environment: @escaping @Sendable (ParentEnvironment) -> Environment,
        name: String? = nil, result: (@Sendable (Children.ID, State) -> ParentEvent?)? = nil,
        file: String = #fileID, line: Int = #line
    ) -> Reducer<ParentState, ParentEvent, ParentEffect, ParentEnvironment>
    where Children.Child == State, Children.ID: Sendable {
        let place = Place(children)
        let scope = Scope(name ?? place.name, of: State.self, file: file, line: line)
        typealias List = IdentifiedList<Children.ID, State>
        return Reducer<ParentState, ParentEvent, ParentEffect, ParentEnvironment>(
            bind: { [bind, extract = event.extract, embed = effect.embed] loop in
                let decide = bind(loop)
                return { whole, parentEvent, world, isFirst in
                    guard let (id, childEvent) = extract(parentEvent) else { return .none }
                    guard var child = place.read(whole, { $0.pointee.child(id) }) else { throw scope.absence(AnyID(id)) }
                    let effects = try scope.locating(AnyID(id)) {
                        try withUnsafeMutablePointer(to: &child) { try decide($0, childEvent, environment(world), isFirst) }
                    }
                    return effects.scoped(
                        ChildScope(scope, AnyID(id), mark: place.read(whole) { $0.pointee.departureMark }),
                        mayLeave: true, isFirst: isFirst, { embed((id, $0)) })
                }
            },
            parts: [
                .init(
                    region: place.region, mayThrow: mayThrow,
                    commits: place.offset != nil && result == nil && Children.self == List.self,
                    concerns: effect.matches,
                    fold: { [fold, extract = effect.extract] whole, parentEffect, folding in
                        guard let (id, childEffect) = extract(parentEffect) else { return .none }
                        let inPlaceUpdate = result == nil ? folding.inPlaceUpdate : nil
                        let childNode = folding.node?.child(scope.key)?.child(scope.key(AnyID(id)))
                        var childFolding = Folding<Event>(node: childNode)
                        var end: ParentEvent?
                        let change = try place.modify(whole) { children -> Change? in
                            // What has a result may be taken out by the same effect: then there is no update in place.
                            if let inPlaceUpdate, Children.self == List.self {
                                let list = UnsafeMutableRawPointer(children).assumingMemoryBound(to: List.self)
                                return try Self.change(id, of: list, inPlaceUpdate) { child in
                                    try scope.locating(AnyID(id)) {
                                        try fold(child, childEffect, &childFolding)
                                    }
                                }
                            }
                            let change = try children.pointee.updateChild(id) { child in
                                let change = try scope.locating(AnyID(id)) {
                                    try withUnsafeMutablePointer(to: &child) {
                                        try fold($0, childEffect, &childFolding)
                                    }
                                }
                                if change != .none, let result { end = result(id, child) }
                                return change
                            }
                            if end != nil { children.pointee.removeChild(id) }
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

    /// Changes a child outside of its list, which is then committed with the child in the place of the old one.
    @inlinable
    static func change<ID>(
        _ id: ID, of list: UnsafeMutablePointer<IdentifiedList<ID, State>>, _ inPlaceUpdate: InPlaceUpdate,
        by fold: (UnsafeMutablePointer<State>) throws -> Change
    ) rethrows -> Change? {
        guard let rank = list.pointee.rank(of: id), var child = list.pointee.entries.value(rank)?.element else {
            return nil
        }
        let change = try withUnsafeMutablePointer(to: &child, fold)
        if change == .none { return change }
        // The old child is let go of when that is done.
        if inPlaceUpdate.commit({ list.pointee.exchange(&child, at: rank) }) { return .committed }
        list.pointee.exchange(&child, at: rank)
        return change
    }

    /// Finds the children that have left.
    @inlinable
    func prune<Children: ChildCollection>(_ children: Children, _ scope: Scope, _ node: ScopeNode)
    where Children.Child == State, Children.ID: Sendable {
        let hasChildren = parts.contains { $0.prune != nil }
        let gone = children._departures(since: &node.mark)
        for id in gone ?? [] { node.child(scope.key(AnyID(id)))?.leave() }
        // Who is in flight need only be looked at if it is not known who has gone, or for children of children.
        if gone != nil, !hasChildren { return }
        for (key, childNode) in node.children {
            guard let id = key.id?.base as? Children.ID, var child = children.child(id) else {
                childNode.leave()
                continue
            }
            if hasChildren { withUnsafeMutablePointer(to: &child) { prune($0, childNode) } }
        }
    }
}
