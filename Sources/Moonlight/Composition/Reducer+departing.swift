import Streams

extension Reducer {
    /// Returns this reducer as a child that may be absent.
    ///
    /// - Parameters:
    ///   - identify: Returns the child's id, if children have one: with another id, it is another child.
    ///   - result: Returns the child's result as an event of the parent; nil while there is none. A child with a result is
    ///     removed.
    @inlinable
    func departing<Place: ChildPlace, ParentEvent, ParentEffect, ParentEnvironment>(
        _ place: Place, _ scope: Scope, event: CasePath<ParentEvent, Event>, effect: CasePath<ParentEffect, Effect>,
        environment: @escaping @Sendable (ParentEnvironment) -> Environment,
        identify: ((State) -> AnyID)? = nil, result: ((State) -> ParentEvent?)? = nil
    ) -> Reducer<Place.Whole, ParentEvent, ParentEffect, ParentEnvironment> where Place.Part == State {
        let hasChildren = parts.contains { $0.prune != nil }
        return Reducer<Place.Whole, ParentEvent, ParentEffect, ParentEnvironment>(
            bind: { [bind, extract = event.extract, embed = effect.embed] loop in
                let decide = bind(loop)
                return { whole, parentEvent, world, isFirst in
                    guard let childEvent = extract(parentEvent) else { return .none }
                    let effects = try place.read(whole) { state in
                        let effects = try scope.locating { try decide(state, childEvent, environment(world), isFirst) }
                        return effects.scoped(
                            ChildScope(scope, identify?(state.pointee)), mayLeave: true, isFirst: isFirst, embed)
                    }
                    guard let effects else { throw scope.absence(nil) }
                    return effects
                }
            },
            parts: [
                .init(
                    mayThrow: mayThrow,
                    fold: { [fold, extract = effect.extract] whole, parentEffect, folding in
                        guard let childEffect = extract(parentEffect) else { return .none }
                        var childFolding = Folding<Event>()
                        var end: ParentEvent?
                        let scopeNode = folding.node?.child(scope.key)
                        let change = try place.modify(whole) { state in
                            let id = scopeNode == nil ? nil : identify?(state.pointee)
                            let child = id.map { scopeNode?.child(scope.key($0)) } ?? scopeNode
                            childFolding.node = child
                            let change = try scope.locating { try fold(state, childEffect, &childFolding) }
                            if change == .none { return change }
                            if let result { end = result(state.pointee) }
                            if let id, identify?(state.pointee) != id { child?.leave() }
                            return change
                        }
                        folding.follow(childFolding, event.embed)
                        if let end {
                            place.remove(from: whole)
                            scopeNode?.leave()
                            folding.follow(end)
                        }
                        return change ?? .none
                    },
                    prune: { whole, node in
                        guard let scopeNode = node.child(scope.key) else { return }
                        let isThere: Void? = place.read(whole) { state in
                            var child = Optional(scopeNode)
                            if let identify {
                                let key = scope.key(identify(state.pointee))
                                child = scopeNode.child(key)
                                scopeNode.leaveAll(but: key)
                            }
                            if hasChildren, let child { self.prune(state, child) }
                        }
                        if isThere == nil { scopeNode.leave() }
                    })
            ])
    }
}
