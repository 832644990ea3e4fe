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
