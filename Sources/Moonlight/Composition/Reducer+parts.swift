extension Reducer {
    /// One of those who fold effects into the state: an `apply`, or a child in its scope.
    @usableFromInline
    struct Part {
        /// Folds an effect in, in place. Gets the place of its state in the tree of scopes if any stream is live there.
        @usableFromInline typealias Fold = (inout State, Effect, inout [Event], ScopeNode?) throws -> Change
        /// Finds the children that have left, and bids them farewell.
        @usableFromInline typealias Prune = (UnsafePointer<State>, ScopeNode) -> Void

        @usableFromInline let region: Region
        @usableFromInline let mayThrow: Bool
        @usableFromInline let fold: Fold
        /// Nil for one that has no children.
        @usableFromInline let prune: Prune?

        @usableFromInline
        init(region: Region, mayThrow: Bool, fold: @escaping Fold, prune: Prune?) {
            (self.region, self.mayThrow, self.fold, self.prune) = (region, mayThrow, fold, prune)
        }
    }

    @inlinable var mayThrow: Bool { parts.contains(where: \.mayThrow) }

    /// Folds an effect into the state, in place.
    ///
    /// - Parameters:
    ///   - events: Gets the events that follow.
    ///   - node: The state's place in the tree of scopes, if any stream of it or of its children is live.
    @inlinable
    func fold(_ state: inout State, _ effect: Effect, _ events: inout [Event], _ node: ScopeNode?) throws -> Change {
        if parts.count == 1 { return try parts[0].fold(&state, effect, &events, node) }
        return try foldAll(&state, effect, &events, node)
    }

    @inlinable
    func foldAll(
        _ state: inout State, _ effect: Effect, _ events: inout [Event], _ node: ScopeNode?
    ) throws -> Change {
        // Who throws has left the state as it was, but those before it have not.
        let before = parts.dropFirst().contains(where: \.mayThrow) ? state : nil
        let eventsBefore = events.count
        var change = Change.none
        var changed: [Int] = []
        do {
            for index in parts.indices {
                let itsChange = try parts[index].fold(&state, effect, &events, node)
                if itsChange == .none { continue }
                change = change == .none ? itsChange : .possible
                if node != nil { changed.append(index) }
            }
        } catch {
            if let before { state = before }
            events.removeSubrange(eventsBefore...)
            throw error
        }
        if let node { prune(&state, node, after: changed) }
        return change
    }

    /// A child leaves by what others do to the state that it is in: its own effects cannot remove it.
    @inlinable
    func prune(_ state: UnsafePointer<State>, _ node: ScopeNode, after changed: [Int]) {
        for (index, part) in parts.enumerated() {
            guard let prune = part.prune else { continue }
            if changed.contains(where: { $0 != index && parts[$0].region.overlaps(part.region) }) { prune(state, node) }
        }
    }

    /// Looks everywhere for children that have left.
    @inlinable
    func prune(_ state: UnsafePointer<State>, _ node: ScopeNode) { for part in parts { part.prune?(state, node) } }
}
