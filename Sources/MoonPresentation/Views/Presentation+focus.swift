extension Presentation {
    /// The dialog that gets input.
    var scope: Int { scopes.last ?? Identities.root }

    /// The views that can have the focus now, in the order of the ring.
    var ring: [Int] {
        let scope = scope
        var ring: [Int] = []
        for region in regions where region.scope == scope && region.focusing != .none && ring.last != region.node {
            ring.append(region.node)
        }
        return ring
    }

    /// Gives the focus to a view that asked for it, or else to the first one in it that can have it.
    mutating func grant(_ wish: Int) {
        let granted = regions.first { region in
            guard region.focusing != .none else { return false }
            var next: Int? = region.node
            while let node = next {
                if node == wish { return true }
                next = identities.parent(of: node)
            }
            return false
        }
        if let granted { focus[granted.scope] = granted.node }
    }

    /// Chooses a view for the focus if none of those that are there has it.
    ///
    /// - Returns: Whether a frame has been drawn with another focus.
    mutating func settleFocus() -> Bool {
        let before = drawnFocus
        let scope = scope
        for old in focus.keys where !scopes.contains(old) { focus[old] = nil }
        let ring = ring
        if let focused = focus[scope], ring.contains(focused) {
            drawnFocus = focused
        } else {
            let text = regions.first { $0.scope == scope && $0.focusing == .text }
            drawnFocus = text?.node ?? ring.first
            focus[scope] = drawnFocus
        }
        return drawnFocus != before
    }

    /// Moves the focus to the next view of the ring, or to the one before.
    ///
    /// - Returns: Whether there is another one.
    mutating func moveFocus(_ step: Int) -> Bool {
        let ring = ring
        guard ring.count > 1 else { return false }
        let place = focus[scope].flatMap(ring.firstIndex) ?? 0
        setFocus(ring[(place + step + ring.count) % ring.count])
        return true
    }

    mutating func setFocus(_ node: Int) {
        guard focus[scope] != node else { return }
        focus[scope] = node
        needsFrame = true
    }
}
