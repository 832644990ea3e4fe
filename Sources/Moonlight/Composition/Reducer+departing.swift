import Streams

extension Reducer {
    /// This reducer as a child that may not be there.
    ///
    /// - Parameters:
    ///   - identify: The child's id, if it has one: with another id it is another child.
    ///   - result: The event that the child's result is for its parent, once it has one; then the child is taken out.
    @inlinable
    func departing<Place: ChildPlace, ParentEvent, ParentEffect, ParentEnvironment>(
        _ place: Place, _ scope: Scope, event: CasePath<ParentEvent, Event>, effect: CasePath<ParentEffect, Effect>,
        environment: @escaping @Sendable (ParentEnvironment) -> Environment,
        identify: ((State) -> AnyID)? = nil, result: ((State) -> ParentEvent?)? = nil
    ) -> Reducer<Place.Whole, ParentEvent, ParentEffect, ParentEnvironment> where Place.Part == State {
        let hasChildren = parts.contains { $0.prune != nil }
        // What has a result may be taken out by the same effect.
        let mayCommit = commits && place.isInPlace && result == nil
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
                    region: place.region, mayThrow: mayThrow, commits: mayCommit, concerns: effect.matches,
                    fold: { [fold, extract = effect.extract] whole, parentEffect, folding in
                        guard let childEffect = extract(parentEffect) else { return .none }
                        var childFolding = Folding<Event>(inPlaceUpdate: mayCommit ? folding.inPlaceUpdate : nil)
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
