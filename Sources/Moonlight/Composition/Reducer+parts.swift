extension Reducer {
    /// One of those who fold effects into the state: an `apply`, or a child in its scope.
    @usableFromInline
    struct Part {
        /// Folds an effect into the state, in place.
        @usableFromInline typealias Fold = (UnsafeMutablePointer<State>, Effect, inout Folding<Event>) throws -> Change
        /// Finds the children that have left, and bids them farewell.
        @usableFromInline typealias Prune = (UnsafeMutablePointer<State>, ScopeNode) -> Void

        @usableFromInline let region: Region
        @usableFromInline let mayThrow: Bool
        /// Whether there is anything in it that may commit.
        @usableFromInline let commits: Bool
        /// Whether an effect is for it; nil if that cannot be told.
        @usableFromInline let concerns: ((Effect) -> Bool)?
        @usableFromInline let fold: Fold
        /// Nil for one that has no children.
        @usableFromInline let prune: Prune?

        @usableFromInline
        init(
            region: Region, mayThrow: Bool, commits: Bool = false, concerns: ((Effect) -> Bool)? = nil,
            fold: @escaping Fold, prune: Prune?
        ) {
            (self.region, self.mayThrow, self.commits) = (region, mayThrow, commits)
            (self.concerns, self.fold, self.prune) = (concerns, fold, prune)
        }
    }

    @inlinable var mayThrow: Bool { parts.contains(where: \.mayThrow) }
    @inlinable var commits: Bool { parts.contains(where: \.commits) }

    /// How several parts fold an effect: one after the other.
    @inlinable
    static func fold(_ parts: [Part]) -> Part.Fold {
        if parts.count == 1 { return parts[0].fold }
        let goesBack = parts.dropFirst().contains(where: \.mayThrow)
        return { state, effect, folding in
            // Who throws has left the state as it was, but those before it have not.
            let before = goesBack ? state.pointee : nil
            let (eventsBefore, inPlaceUpdate) = (folding.events, folding.inPlaceUpdate)
            defer { folding.inPlaceUpdate = inPlaceUpdate }
            var changed: [Int] = []
            var change = Change.none
            do {
                for index in parts.indices {
                    let own = before == nil && change == .none ? inPlaceUpdate : nil
                    folding.inPlaceUpdate = own.flatMap { mayCommit(parts, index, effect) ? $0 : nil }
                    let itsChange = try parts[index].fold(state, effect, &folding)
                    if itsChange == .none { continue }
                    change = change == .none ? itsChange : .possible
                    if folding.node != nil { changed.append(index) }
                    if itsChange == .committed { break }
                }
            } catch {
                if let before { state.pointee = before }
                folding.events = eventsBefore
                throw error
            }
            if let node = folding.node { prune(parts, state, node, after: changed) }
            return change
        }
    }

    /// Whether an effect is for one part and none of those after it.
    @inlinable
    static func mayCommit(_ parts: [Part], _ index: Int, _ effect: Effect) -> Bool {
        guard parts[index].commits, parts[index].concerns?(effect) == true else { return false }
        for other in parts[(index + 1)...] {
            guard let concerns = other.concerns, !concerns(effect) else { return false }
        }
        return true
    }

    /// A child leaves by what others do to the state that it is in: its own effects cannot remove it.
    @inlinable
    static func prune(_ parts: [Part], _ state: UnsafeMutablePointer<State>, _ node: ScopeNode, after changed: [Int]) {
        for (index, part) in parts.enumerated() {
            guard let prune = part.prune else { continue }
            if changed.contains(where: { $0 != index && parts[$0].region.overlaps(part.region) }) { prune(state, node) }
        }
    }

    /// Looks everywhere for children that have left.
    @inlinable
    func prune(_ state: UnsafeMutablePointer<State>, _ node: ScopeNode) { for part in parts { part.prune?(state, node) } }
}
