/// A map from integer keys to values, in the order of the keys: a B+ tree whose versions share unchanged nodes.
///
/// Changing one of n values copies the nodes on the path to it, O(log n), if another version still references them, and copies
/// nothing otherwise. So copies of a state with a long list are cheap: an array would be copied as a whole at the first change
/// after each copy.
@usableFromInline
struct SortedTree<Value> {
    /// A leaf, which has values, or an inner node, which has children.
    ///
    /// Exclusive access to its fields is not checked at run time, because a node is changed only while it is uniquely referenced.
    @usableFromInline
    final class Node {
        /// In a leaf, the keys of its values. In an inner node, a lower bound for the keys of each child, which is greater than
        /// all keys of the child before it.
        @exclusivity(unchecked) @usableFromInline var keys: [Int]
        @exclusivity(unchecked) @usableFromInline var values: [Value]
        @exclusivity(unchecked) @usableFromInline var children: [Node]
        /// The number of values in the node and its descendants.
        @exclusivity(unchecked) @usableFromInline var count: Int
        /// Stored rather than computed, so that a descent does not access `children` for it.
        @usableFromInline let isLeaf: Bool

        @usableFromInline
        init(keys: [Int] = [], values: [Value] = [], children: [Node] = [], count: Int = 0) {
            self.keys = keys
            self.values = values
            self.children = children
            self.count = count
            isLeaf = children.isEmpty
        }

        @inlinable
        func copy() -> Node { Node(keys: keys, values: values, children: children, count: count) }

        /// Appends all values below this node, in order.
        @inlinable
        func append(to all: inout [Value]) {
            all += values
            for child in children { child.append(to: &all) }
        }

        /// Returns the child on the path to a key; nil if this node is a leaf.
        @inlinable
        func next(on key: Int) -> Unmanaged<Node>? {
            isLeaf ? nil : Unmanaged.passUnretained(children[place(of: key)])
        }

        /// Returns the index of a key in a leaf; nil if the leaf does not contain it.
        @inlinable
        func index(of key: Int) -> Int? {
            let place = place(of: key)
            return place < keys.count && keys[place] == key ? place : nil
        }

        /// Returns the last index whose key is not greater than `key`; 0 if all keys are greater.
        @inlinable
        func place(of key: Int) -> Int {
            keys.withUnsafeBufferPointer { keys in
                var place = 0
                while place + 1 < keys.count, keys[place + 1] <= key { place += 1 }
                return place
            }
        }
    }

    /// The maximum number of values in a leaf, or of children in an inner node. Small, because a change copies whole nodes.
    @inlinable static func width(_ node: Node) -> Int { node.isLeaf ? 4 : 8 }

    @usableFromInline var root: Node

    @inlinable
    init() { root = Node() }

    @inlinable var count: Int { root.count }

    // MARK: Reading

    /// Returns the leaf that contains a key, if any does.
    @inlinable @inline(__always)
    func leaf(for key: Int) -> Unmanaged<Node> {
        // The root keeps all nodes on the path alive.
        var node = Unmanaged.passUnretained(root)
        while let next = node._withUnsafeGuaranteedRef({ $0.next(on: key) }) { node = next }
        return node
    }

    /// Returns the leaf that contains a key, and the index in the leaf; nil if there is no such key.
    @inlinable
    func find(_ key: Int) -> (leaf: Node, place: Int)? {
        let leaf = leaf(for: key).takeUnretainedValue()
        return leaf.index(of: key).map { (leaf, $0) }
    }

    @inlinable
    func value(_ key: Int) -> Value? {
        leaf(for: key)._withUnsafeGuaranteedRef { leaf in leaf.index(of: key).map { leaf.values[$0] } }
    }

    /// Returns the leaf that contains the value at a position, and the index in the leaf.
    @inlinable
    func find(position: Int) -> (leaf: Node, place: Int) {
        precondition(position >= 0 && position < count, "position \(position) is not in 0..<\(count)")
        var (node, rest) = (root, position)
        while !node.isLeaf {
            var place = 0
            while rest >= node.children[place].count {
                rest -= node.children[place].count
                place += 1
            }
            node = node.children[place]
        }
        return (node, rest)
    }

    /// Returns the number of keys that are less than `key`.
    @inlinable
    func position(of key: Int) -> Int {
        var (node, position) = (root, 0)
        while !node.isLeaf {
            let place = node.place(of: key)
            for index in 0..<place { position += node.children[index].count }
            node = node.children[place]
        }
        return position + node.keys.prefix { $0 < key }.count
    }

    /// All values in order.
    @inlinable var all: [Value] {
        var all: [Value] = []
        all.reserveCapacity(count)
        root.append(to: &all)
        return all
    }

    /// Visits in order all values in nodes that another version does not share. These include some values that both share:
    /// neighbors of those that differ.
    func visit(notSharedWith other: SortedTree, _ body: (Value) -> Void) {
        Self.visit(root, notSharedWith: other.root, body)
    }

    private static func visit(_ node: Node, notSharedWith other: Node, _ body: (Value) -> Void) {
        if node === other { return }
        node.values.forEach(body)
        for (key, child) in zip(node.keys, node.children) {
            visit(child, notSharedWith: other.isLeaf ? other : other.children[other.place(of: key)], body)
        }
    }

    // MARK: Comparing

    /// Returns whether two trees have equal values in the same order, under any keys. Shared nodes are not compared.
    @inlinable
    static func == (one: SortedTree, other: SortedTree) -> Bool where Value: Equatable {
        one.count == other.count && areEqual(one.root, other.root)
    }

    /// Compares two nodes with the same number of values.
    @inlinable
    static func areEqual(_ one: Node, _ other: Node) -> Bool where Value: Equatable {
        if one === other { return true }
        if one.isLeaf, other.isLeaf { return one.values == other.values }
        if one.children.count == other.children.count,
            zip(one.children, other.children).allSatisfy({ $0.count == $1.count })
        {
            return zip(one.children, other.children).allSatisfy { areEqual($0, $1) }
        }
        // The shapes differ, after an insertion or a removal.
        var values: [Value] = []
        var others: [Value] = []
        one.append(to: &values)
        other.append(to: &others)
        return values == others
    }
}

// Sound: a node is changed only while it is uniquely referenced.
extension SortedTree: @unchecked Sendable where Value: Sendable {}

extension SortedTree {
    /// Changes a value in place.
    ///
    /// - Returns: The result of `body`; nil if there is no such key.
    @inlinable @discardableResult
    mutating func update<Result>(_ key: Int, _ body: (inout Value) throws -> Result) rethrows -> Result? {
        try Self.update(&root, key, body)
    }

    @inlinable
    static func update<Result>(
        _ node: inout Node, _ key: Int, _ body: (inout Value) throws -> Result
    ) rethrows -> Result? {
        if !isKnownUniquelyReferenced(&node) { node = node.copy() }
        let place = node.place(of: key)
        if !node.isLeaf { return try update(&node.children[place], key, body) }
        guard place < node.keys.count, node.keys[place] == key else { return nil }
        return try body(&node.values[place])
    }

    /// Inserts a value under a key that is not in the tree.
    @inlinable
    mutating func insert(_ value: Value, at key: Int) {
        guard let right = Self.insert(&root, key, value) else { return }
        root = Node(keys: [root.keys[0], right.keys[0]], children: [root, right], count: root.count + right.count)
    }

    /// Inserts a value below a node.
    ///
    /// - Returns: The right half of the node, if it had to be split.
    @inlinable
    static func insert(_ node: inout Node, _ key: Int, _ value: Value) -> Node? {
        if !isKnownUniquelyReferenced(&node) { node = node.copy() }
        node.count += 1
        if node.isLeaf {
            let place = node.keys.firstIndex { $0 > key } ?? node.keys.count
            node.keys.insert(key, at: place)
            node.values.insert(value, at: place)
            return split(node, inserted: place)
        }
        let place = node.place(of: key)
        node.keys[place] = min(node.keys[place], key)
        guard let right = insert(&node.children[place], key, value) else { return nil }
        node.keys.insert(right.keys[0], at: place + 1)
        node.children.insert(right, at: place + 1)
        return split(node, inserted: place + 1)
    }

    /// Splits a node if it is too wide.
    ///
    /// - Parameters:
    ///   - node: The node; keeps the left half.
    ///   - place: The index of the last insertion.
    /// - Returns: The right half, if the node was split.
    @inlinable
    static func split(_ node: Node, inserted place: Int) -> Node? {
        let width = width(node)
        guard node.keys.count > width else { return nil }
        // After an insertion at the end, the left half stays full: a tree that grows only at its end has full nodes.
        let middle = place == width ? width : (width + 1) / 2
        let keys = Array(node.keys[middle...])
        node.keys.removeSubrange(middle...)
        let right: Node
        if node.isLeaf {
            right = Node(keys: keys, values: Array(node.values[middle...]), count: node.values.count - middle)
            node.values.removeSubrange(middle...)
        } else {
            let children = Array(node.children[middle...])
            node.children.removeSubrange(middle...)
            right = Node(keys: keys, children: children, count: children.reduce(0) { $0 + $1.count })
        }
        node.count -= right.count
        return right
    }

    /// Removes and returns the value of a key, which must be in the tree.
    @inlinable
    mutating func remove(_ key: Int) -> Value {
        let value = Self.remove(&root, key)
        while root.children.count == 1 { root = root.children[0] }
        return value
    }

    @inlinable
    static func remove(_ node: inout Node, _ key: Int) -> Value {
        if !isKnownUniquelyReferenced(&node) { node = node.copy() }
        node.count -= 1
        let place = node.place(of: key)
        if node.isLeaf {
            precondition(place < node.keys.count && node.keys[place] == key, "the key to remove is absent")
            node.keys.remove(at: place)
            return node.values.remove(at: place)
        }
        let value = remove(&node.children[place], key)
        let child = node.children[place]
        if child.keys.isEmpty {
            node.keys.remove(at: place)
            node.children.remove(at: place)
        } else if child.keys.count < width(child) / 4 {
            joinNeighbors(of: place, in: node)
        }
        return value
    }

    /// Joins a child with one of its neighbors, if both fit into one node.
    @inlinable
    static func joinNeighbors(of place: Int, in node: Node) {
        for left in [place - 1, place] where left >= 0 && left + 1 < node.children.count {
            guard node.children[left].keys.count + node.children[left + 1].keys.count <= width(node.children[left])
            else { continue }
            let right = node.children.remove(at: left + 1)
            node.keys.remove(at: left + 1)
            let joined = node.children[left].copy()
            joined.keys += right.keys
            joined.values += right.values
            joined.children += right.children
            joined.count += right.count
            node.children[left] = joined
            return
        }
    }
}
