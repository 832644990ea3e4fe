/// The nodes in the order of their discovery, each with its fingerprint and the choice by which it was first reached.
///
/// A node takes 16 bytes, and a slot of 5 to 11 bytes in a hash table. The first nodes are also stored as a whole, and
/// compared with `==` when they are found again. The others are compared by their fingerprints, with a probability of a miss.
final class NodeTable<Key> {
    /// The result of adding a node.
    enum Entry {
        case known(Int)
        case new(Int)
        /// Two different nodes have the same fingerprint, and it is too late to store all nodes as a whole.
        case indistinct
        /// The node is not equal to itself, so that it would be new each time.
        case unequal
    }

    // Accesses are not checked for exclusivity, which would double their time: only `isSame` calls user code, and it cannot
    // reach the table.
    @exclusivity(unchecked) private var nodes: [StoredNode] = []
    @exclusivity(unchecked) private var warmth: UInt64 = 0
    /// The numbers of the nodes, plus one, at the slots of their fingerprints; 0 for an empty slot.
    @exclusivity(unchecked) private var places: [UInt32] = Array(repeating: 0, count: 1 << 10)
    /// The first nodes, stored as a whole.
    @exclusivity(unchecked) private var whole: [Key] = []
    private var mostWhole: Int
    private let isSame: (Key, Key) -> Bool
    /// The number of the first node of each depth.
    private var firstOfDepth: [Int] = []

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - mostWhole: The number of nodes to store as a whole.
    ///   - isSame: Returns true for equal nodes.
    init(mostWhole: Int, isSame: @escaping (Key, Key) -> Bool) {
        self.mostWhole = mostWhole
        self.isSame = isSame
    }

    var count: Int { nodes.count }
    /// The number of nodes of each depth.
    var levels: [Int] {
        zip(firstOfDepth, firstOfDepth.dropFirst() + [nodes.count]).map { $1 - $0 }.filter { $0 > 0 }
    }

    /// An upper bound for the probability that two different nodes were taken for one, because their fingerprints collided.
    var chanceOfMiss: Double {
        let count = Double(nodes.count)
        return nodes.count <= whole.count ? 0 : count * (count - 1) / 0x1p65
    }

    /// The bytes that the table takes, without the storage that nodes reference.
    var bytes: Int {
        nodes.count * MemoryLayout<StoredNode>.stride + places.count * MemoryLayout<UInt32>.stride
            + whole.count * MemoryLayout<Key>.stride
    }

    func print(of index: Int) -> UInt64 { nodes[index].print }

    /// Returns the number of the first node with a fingerprint; nil if there is none.
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

    /// Returns the choices that lead to a node.
    func path(to index: Int) -> [Choice] {
        var path: [Choice] = []
        var index = index
        while Int(nodes[index].parent) != index {
            path.append(Choice(packed: nodes[index].choice))
            index = Int(nodes[index].parent)
        }
        return path.reversed()
    }

    /// Begins the next depth.
    func beginDepth() { firstOfDepth.append(nodes.count) }

    /// Reads the slots of nodes, so that they are in the processor's cache when the nodes are added.
    ///
    /// The reads do not depend on each other, so the processor waits for many at once; ``add(_:print:parent:choice:most:)``
    /// would wait for one after the other.
    func warm(_ prints: ArraySlice<UInt64>) {
        let mask = places.count - 1
        for print in prints {
            let index = Int(places[Int(truncatingIfNeeded: print) & mask])
            if index > 0 { warmth ^= nodes[index - 1].print }
        }
    }

    /// Finds a node, or adds it if there is room.
    ///
    /// - Returns: The entry; nil if the node is new and there is no room.
    func add(_ key: @autoclosure () -> Key, print: UInt64, parent: Int, choice: UInt32, most: Int) -> Entry? {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: print) & mask
        while places[place] != 0 {
            let index = Int(places[place]) - 1
            if nodes[index].print == print {
                if index >= whole.count || isSame(whole[index], key()) { return .known(index) }
                if !isSame(key(), key()) { return .unequal }
                // Equal fingerprints of different nodes are no accident: `hash(into:)` omits something. From now on,
                // fingerprints cannot be trusted.
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

/// A stored node.
private struct StoredNode {
    let print: UInt64
    /// The node from which it was first reached, and the choice; the initial node is its own parent.
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
