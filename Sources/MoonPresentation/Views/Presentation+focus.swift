extension Presentation {
    /// The dialog that gets input.
    var scope: Int { scopes.last ?? Identities.root }

    /// The views that can have the focus now, in the order of the ring.
    var ring: [Int] {
        let scope = scope
        var ring: [Int] = []
        for region in regions where region.scope == scope && region.mayFocus && ring.last != region.node {
            ring.append(region.node)
        }
        return ring
    }

    /// Gives the focus to a view that asked for it, or else to the first one in it that can have it.
    mutating func grant(_ wish: Int) {
        let granted = regions.first { region in
            guard region.mayFocus else { return false }
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
        focus.keep(scopes)
        let focused = focus[scope]
        if let focused, regions.contains(where: { $0.node == focused && $0.scope == scope && $0.mayFocus }) {
            drawnFocus = focused
        } else {
            let text = regions.first { $0.scope == scope && $0.mayFocus && $0.focusing == .text }
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

/// Which view has the focus in each dialog. There are few dialogs, so nothing is hashed.
struct FocusTable: Sendable {
    private var entries: [(scope: Int, node: Int)] = []

    /// In how many dialogs a view has the focus.
    var count: Int { entries.count }

    subscript(scope: Int) -> Int? {
        get { entries.first { $0.scope == scope }?.node }
        set {
            let index = entries.firstIndex { $0.scope == scope }
            if let index, let newValue {
                entries[index].node = newValue
            } else if let index {
                entries.remove(at: index)
            } else if let newValue {
                entries.append((scope, newValue))
            }
        }
    }

    /// Forgets dialogs that are not there any more.
    mutating func keep(_ scopes: [Int]) {
        if entries.contains(where: { !scopes.contains($0.scope) }) { entries.removeAll { !scopes.contains($0.scope) } }
    }
}
