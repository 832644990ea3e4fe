extension Reducer {
    /// A component of a reducer that folds effects into the state: an `apply`, or a child in its scope.
    @usableFromInline
    struct Part {
        /// Folds an effect into the state, in place.
        @usableFromInline typealias Fold = (UnsafeMutablePointer<State>, Effect, inout Folding<Event>) throws -> Change
        /// Finds the children that have been removed from the state, and notes that in the tree of scopes.
        @usableFromInline typealias Prune = (UnsafeMutablePointer<State>, ScopeNode) -> Void

        /// The bytes of the state that it may change.
        @usableFromInline let region: Region
        /// Whether `fold` may throw.
        @usableFromInline let mayThrow: Bool
        /// Whether it may commit changes with an ``InPlaceUpdate``.
        @usableFromInline let commits: Bool
        /// Whether an effect is for this part; nil if that cannot be determined.
        @usableFromInline let concerns: ((Effect) -> Bool)?
        @usableFromInline let fold: Fold
        /// Nil if the part has no children that may be removed.
        @usableFromInline let prune: Prune?

        @usableFromInline
        init(
            region: Region, mayThrow: Bool, commits: Bool = false, concerns: ((Effect) -> Bool)? = nil,
            fold: @escaping Fold, prune: Prune?
        ) {
            self.region = region
            self.mayThrow = mayThrow
            self.commits = commits
            self.concerns = concerns
            self.fold = fold
            self.prune = prune
        }
    }

    @inlinable var mayThrow: Bool { parts.contains(where: \.mayThrow) }
    @inlinable var commits: Bool { parts.contains(where: \.commits) }

    /// Returns a function that folds an effect with all parts, one after the other.
    @inlinable
    static func fold(_ parts: [Part]) -> Part.Fold {
        if parts.count == 1 { return parts[0].fold }
        let goesBack = parts.dropFirst().contains(where: \.mayThrow)
        return { state, effect, folding in
            // A part that throws has not changed the state, but the parts before it may have.
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

    /// Whether the part at `index` may commit the changes of an effect: the effect must be for that part and for none after it.
    @inlinable
    static func mayCommit(_ parts: [Part], _ index: Int, _ effect: Effect) -> Bool {
        guard parts[index].commits, parts[index].concerns?(effect) == true else { return false }
        for other in parts[(index + 1)...] {
            guard let concerns = other.concerns, !concerns(effect) else { return false }
        }
        return true
    }

    /// Prunes the children of each part whose region another part has changed.
    ///
    /// The changes of a part itself need no pruning: if a child's own effect ends the child, `fold` notes that.
    @inlinable
    static func prune(_ parts: [Part], _ state: UnsafeMutablePointer<State>, _ node: ScopeNode, after changed: [Int]) {
        for (index, part) in parts.enumerated() {
            guard let prune = part.prune else { continue }
            if changed.contains(where: { $0 != index && parts[$0].region.overlaps(part.region) }) { prune(state, node) }
        }
    }

    /// Prunes the children of all parts.
    @inlinable
    func prune(_ state: UnsafeMutablePointer<State>, _ node: ScopeNode) { for part in parts { part.prune?(state, node) } }
}
