import Streams

extension Reducer {
    /// This reducer as a child: at work on a part of a parent's state, for that part of its events and effects.
    ///
    /// ```swift
    /// counter.scoped(
    ///     to: \App.counter,
    ///     event: CasePath(AppEvent.counter) { if case .counter(let event) = $0 { event } else { nil } },
    ///     effect: CasePath(AppEffect.counter) { if case .counter(let effect) = $0 { effect } else { nil } },
    ///     environment: \.counter)
    /// ```
    /// In its parent it behaves as it does alone. Ids of its jobs are its own: they carry its path. The rest of the parent's
    /// state is neither copied nor looked at for its sake, if the key path is one of stored properties.
    ///
    /// - Parameters:
    ///   - state: Where the child's state is.
    ///   - event: Which of the parent's events are the child's.
    ///   - effect: Which of the parent's effects are the child's.
    ///   - environment: The child's environment out of the parent's.
    ///   - name: What the child is called in a ``ScopePath``; the property, if nothing else is given.
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
                    region: place.region, mayThrow: mayThrow, commits: commits && place.offset != nil,
                    concerns: effect.matches,
                    fold: { [fold, extract = effect.extract, embed = event.embed] whole, parentEffect, folding in
                        guard let childEffect = extract(parentEffect) else { return .none }
                        var childFolding = Folding<Event>(
                            node: folding.node?.child(scope.key),
                            inPlaceUpdate: place.offset == nil ? nil : folding.inPlaceUpdate)
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
