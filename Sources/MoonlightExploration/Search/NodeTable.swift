/// The nodes that have been found, in the order in which they were: how each is reached first, and a fingerprint of it.
///
/// A node takes 16 bytes, and a place in a hash table of 5 to 11 bytes. The first nodes are kept whole, besides, so that each
/// that is found again is compared with `==`. Fingerprints stand for the others, and with them the chance of a miss.
final class NodeTable<Key> {
    /// What becomes of a node that is added.
    enum Entry {
        case known(Int)
        case new(Int)
        /// Two nodes that are not equal have the same fingerprint, and it is too late to keep all of them whole.
        case indistinct
    }

    // Accesses are not checked for exclusivity, which would take as long as they do: none of them calls code of the user's but
    // `isSame`, which cannot reach the table.
    @exclusivity(unchecked) private var nodes: [StoredNode] = []
    @exclusivity(unchecked) private var warmth: UInt64 = 0
    /// The numbers of nodes, one more than they are, at the places that their fingerprints say; 0 where there is none.
    @exclusivity(unchecked) private var places: [UInt32] = Array(repeating: 0, count: 1 << 10)
    /// The first nodes, whole.
    @exclusivity(unchecked) private var whole: [Key] = []
    private var mostWhole: Int
    private let isSame: (Key, Key) -> Bool
    /// The number of the first node of each depth.
    private var firstOfDepth: [Int] = []

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - mostWhole: The number of nodes that are kept whole.
    ///   - isSame: Returns whether two nodes are equal.
    init(mostWhole: Int, isSame: @escaping (Key, Key) -> Bool) {
        self.mostWhole = mostWhole
        self.isSame = isSame
    }

    var count: Int { nodes.count }
    /// The number of nodes of each depth.
    var levels: [Int] {
        zip(firstOfDepth, firstOfDepth.dropFirst() + [nodes.count]).map { $1 - $0 }.filter { $0 > 0 }
    }

    /// An upper bound for the chance that two different nodes were taken for one: that of a collision among fingerprints.
    var chanceOfMiss: Double {
        let count = Double(nodes.count)
        return nodes.count <= whole.count ? 0 : count * (count - 1) / 0x1p65
    }

    /// The bytes that the table takes, without what the nodes that are kept whole hold elsewhere.
    var bytes: Int {
        nodes.count * MemoryLayout<StoredNode>.stride + places.count * MemoryLayout<UInt32>.stride
            + whole.count * MemoryLayout<Key>.stride
    }

    func print(of index: Int) -> UInt64 { nodes[index].print }

    /// Returns the number of the first node that was found with a fingerprint; nil if there is none.
    func number(of print: UInt64) -> Int? {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: print) & mask
        while places[place] != 0 {
            let index = Int(places[place]) - 1
            if nodes[index].print == print { return index }
            place = (place + 1) & mask
        }
        return nil
    }

    /// The choices that lead to a node.
    func path(to index: Int) -> [Choice] {
        var path: [Choice] = []
        var index = index
        while Int(nodes[index].parent) != index {
            path.append(Choice(packed: nodes[index].choice))
            index = Int(nodes[index].parent)
        }
        return path.reversed()
    }

    /// Notes that nodes that are added from now on are a choice further away.
    func beginDepth() { firstOfDepth.append(nodes.count) }

    /// Looks at where nodes may be, so that they lie in the processor's cache when they are added.
    ///
    /// None of these looks depends on another, so the processor waits for many at once; ``add(_:print:parent:choice:most:)`` would
    /// wait for one after the other.
    func warm(_ prints: ArraySlice<UInt64>) {
        let mask = places.count - 1
        for print in prints {
            let index = Int(places[Int(truncatingIfNeeded: print) & mask])
            if index > 0 { warmth ^= nodes[index - 1].print }
        }
    }

    /// Finds a node, or adds it if there is room.
    ///
    /// - Returns: The node's number; nil if it is new and there is no room.
    func add(_ key: @autoclosure () -> Key, print: UInt64, parent: Int, choice: UInt32, most: Int) -> Entry? {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: print) & mask
        while places[place] != 0 {
            let index = Int(places[place]) - 1
            if nodes[index].print == print {
                if index >= whole.count || isSame(whole[index], key()) { return .known(index) }
                // Equal fingerprints of different nodes are no accident, but a `hash(into:)` that leaves something out: from
                // now on, fingerprints may stand for nothing.
                if whole.count < nodes.count { return .indistinct }
                mostWhole = .max
            }
            place = (place + 1) & mask
        }
        guard nodes.count < most else { return nil }
        let index = nodes.count
        nodes.append(StoredNode(print: print, parent: UInt32(truncatingIfNeeded: parent), choice: choice))
        if index < mostWhole, whole.count == index { whole.append(key()) }
        places[place] = UInt32(truncatingIfNeeded: index + 1)
        if 4 * nodes.count > 3 * places.count { grow() }
        return .new(index)
    }

    private func grow() {
        places = Array(repeating: 0, count: 2 * places.count)
        let mask = places.count - 1
        for (index, node) in nodes.enumerated() {
            var place = Int(truncatingIfNeeded: node.print) & mask
            while places[place] != 0 { place = (place + 1) & mask }
            places[place] = UInt32(truncatingIfNeeded: index + 1)
        }
    }
}

/// What is kept of a node.
private struct StoredNode {
    let print: UInt64
    /// The node from which it was reached first, and by which choice; the initial node is its own parent.
    let parent: UInt32
    let choice: UInt32
}

/// A set of fingerprints.
struct PrintSet {
    private var places: [UInt64] = Array(repeating: 0, count: 1 << 10)
    private var hasZero = false
    private(set) var count = 0

    mutating func insert(_ print: UInt64) {
        if print == 0 {
            count += hasZero ? 0 : 1
            hasZero = true
            return
        }
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: print) & mask
        while places[place] != 0 {
            if places[place] == print { return }
            place = (place + 1) & mask
        }
        places[place] = print
        count += 1
        guard 4 * count > 3 * places.count else { return }
        let old = places
        (places, count) = (Array(repeating: 0, count: 2 * old.count), hasZero ? 1 : 0)
        for print in old where print != 0 { insert(print) }
    }
}
