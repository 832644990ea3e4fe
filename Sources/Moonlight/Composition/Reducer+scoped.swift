import Streams

extension Reducer {
    /// Returns this reducer as a child that handles a part of the parent's state, events and effects.
    ///
    /// ```swift
    /// counter.scoped(
    ///     to: \App.counter,
    ///     event: CasePath(AppEvent.counter) { if case .counter(let event) = $0 { event } else { nil } },
    ///     effect: CasePath(AppEffect.counter) { if case .counter(let effect) = $0 { effect } else { nil } },
    ///     environment: \.counter)
    /// ```
    /// The child behaves in its parent as it does alone. The ids of its jobs carry its path, so they do not collide with those of
    /// other children. If the key path consists of stored properties, the child's state is accessed in place, and the rest of the
    /// parent's state is neither copied nor compared.
    ///
    /// - Parameters:
    ///   - state: The key path to the child's state.
    ///   - event: The case of the parent's events that carries the child's events.
    ///   - effect: The case of the parent's effects that carries the child's effects.
    ///   - environment: Derives the child's environment from the parent's.
    ///   - name: The name of the child in a ``ScopePath``; by default, the name of the property.
    ///   - file: The file of this call, for a ``Rejection``.
    ///   - line: The line of this call, for a ``Rejection``.
    /// - Returns: A reducer of the parent's state.
    @inlinable
    public func scoped<ParentState: Equatable, ParentEvent, ParentEffect, ParentEnvironment>(
        to state: WritableKeyPath<ParentState, State> & Sendable,
        event: CasePath<ParentEvent, Event>,
        effect: CasePath<ParentEffect, Effect>,
        environment: @escaping @Sendable (ParentEnvironment) -> Environment,
        name: String? = nil, file: String = #fileID, line: Int = #line
    ) -> Reducer<ParentState, ParentEvent, ParentEffect, ParentEnvironment> {
        let place = Place(state)
        let scope = Scope(name ?? place.name, of: State.self, file: file, line: line)
        let hasChildren = parts.contains { $0.prune != nil }
        return Reducer<ParentState, ParentEvent, ParentEffect, ParentEnvironment>(
            bind: { [bind, extract = event.extract, embed = effect.embed] loop in
                let decide = bind(loop)
                return { whole, parentEvent, world, isFirst in
                    guard let childEvent = extract(parentEvent) else { return .none }
                    let effects = try scope.locating {
                        try place.read(whole) { try decide($0, childEvent, environment(world), isFirst) }
                    }
                    return effects.scoped(ChildScope(scope), mayLeave: false, isFirst: isFirst, embed)
                }
            },
            parts: [
                .init(
                    mayThrow: mayThrow,
                    fold: { [fold, extract = effect.extract, embed = event.embed] whole, parentEffect, folding in
                        guard let childEffect = extract(parentEffect) else { return .none }
                        var childFolding = Folding<Event>(node: folding.node?.child(scope.key))
                        let change = try scope.locating {
                            try place.modify(whole) { try fold($0, childEffect, &childFolding) }
                        }
                        folding.follow(childFolding, embed)
                        return change
                    },
                    prune: hasChildren
                        ? { whole, node in
                            if let child = node.child(scope.key) { place.read(whole) { self.prune($0, child) } }
                        } : nil)
            ])
    }
}
