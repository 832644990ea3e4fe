/// Values in the order of their keys: a B+ tree whose versions share what they have in common.
///
/// To change one of n values copies the way to it, O(log n), where other versions still hold that, and nothing at all where
/// none does. So a state that keeps a long list in here can be held by whoever likes: an array would be copied as a whole at
/// the first change after each.
@usableFromInline
struct SortedTree<Value> {
    /// A leaf, which has values, or an inner node, which has children.
    ///
    /// Its fields go without the check for exclusive access, as who changes one has the node alone: see below.
    @usableFromInline
    final class Node {
        /// In a leaf, the keys of its values; else, for each child, a bound: its keys are not below it, those of the child
        /// before it are.
        @exclusivity(unchecked) @usableFromInline var keys: [Int]
        @exclusivity(unchecked) @usableFromInline var values: [Value]
        @exclusivity(unchecked) @usableFromInline var children: [Node]
        /// How many values there are in it and below.
        @exclusivity(unchecked) @usableFromInline var count: Int
        /// Stored, so that on the way down no array is looked into for it.
        @usableFromInline let isLeaf: Bool

        @usableFromInline
        init(keys: [Int] = [], values: [Value] = [], children: [Node] = [], count: Int = 0) {
            (self.keys, self.values, self.children, self.count) = (keys, values, children, count)
            isLeaf = children.isEmpty
        }

        @inlinable
        func copy() -> Node { Node(keys: keys, values: values, children: children, count: count) }

        /// The child on the way to a key; nil if this is a leaf.
        @inlinable
        func next(on key: Int) -> Unmanaged<Node>? {
            isLeaf ? nil : Unmanaged.passUnretained(children[place(of: key)])
        }

        /// The place of a key in a leaf; nil if it has none such.
        @inlinable
        func index(of key: Int) -> Int? {
            let place = place(of: key)
            return place < keys.count && keys[place] == key ? place : nil
        }

        /// The last place whose key is not above this one; the first, if all are above.
        @inlinable
        func place(of key: Int) -> Int {
            keys.withUnsafeBufferPointer { keys in
                var place = 0
                while place + 1 < keys.count, keys[place + 1] <= key { place += 1 }
                return place
            }
        }
    }

    /// How many values a leaf has at most, and how many children any other node. Narrow, as it is nodes that are copied.
    @inlinable static func width(_ node: Node) -> Int { node.isLeaf ? 4 : 8 }

    @usableFromInline var root: Node

    @inlinable
    init() { root = Node() }

    @inlinable var count: Int { root.count }

    // MARK: Reading

    /// The leaf in which a key is, if it is anywhere.
    @inlinable @inline(__always)
    func leaf(for key: Int) -> Unmanaged<Node> {
        // The root holds all that is passed on the way.
        var node = Unmanaged.passUnretained(root)
        while let next = node._withUnsafeGuaranteedRef({ $0.next(on: key) }) { node = next }
        return node
    }

    /// The leaf in which a key is, and its place there.
    @inlinable
    func find(_ key: Int) -> (leaf: Node, place: Int)? {
        let leaf = leaf(for: key).takeUnretainedValue()
        return leaf.index(of: key).map { (leaf, $0) }
    }

    @inlinable
    func value(_ key: Int) -> Value? {
        leaf(for: key)._withUnsafeGuaranteedRef { leaf in leaf.index(of: key).map { leaf.values[$0] } }
    }

    /// The leaf in which a position is, and the place there.
    @inlinable
    func find(position: Int) -> (leaf: Node, place: Int) {
        precondition(position >= 0 && position < count, "position \(position) is not among the \(count) there are")
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

    /// How many keys are below this one.
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

    /// Visits all values in order, until told to stop.
    ///
    /// - Returns: Whether it came to the end.
    @inlinable @discardableResult
    func visit(_ body: (Int, Value) throws -> Bool) rethrows -> Bool { try Self.visit(root, body) }

    @inlinable
    static func visit(_ node: Node, _ body: (Int, Value) throws -> Bool) rethrows -> Bool {
        for index in node.values.indices where try !body(node.keys[index], node.values[index]) { return false }
        for child in node.children where try !visit(child, body) { return false }
        return true
    }

    /// Visits in order all values that another version does not share, and some that it does: those beside them.
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

    /// Whether two trees have equal values in the same order, whatever their keys. What both share is not looked at.
    @inlinable
    static func == (one: SortedTree, other: SortedTree) -> Bool where Value: Equatable {
        one.count == other.count && areEqual(one.root, other.root)
    }

    /// Nodes with as many values each.
    @inlinable
    static func areEqual(_ one: Node, _ other: Node) -> Bool where Value: Equatable {
        if one === other { return true }
        if one.isLeaf, other.isLeaf { return one.values == other.values }
        if one.children.count == other.children.count,
            zip(one.children, other.children).allSatisfy({ $0.count == $1.count })
        {
            return zip(one.children, other.children).allSatisfy { areEqual($0, $1) }
        }
        // Of different shape, after inserting or removing.
        var values: [Value] = []
        values.reserveCapacity(one.count)
        _ = visit(one) {
            values.append($1); return true
        }
        var index = 0
        return visit(other) {
            index += 1
            return values[index - 1] == $1
        }
    }
}

// Sound: a node is changed only by who alone has it.
extension SortedTree: @unchecked Sendable where Value: Sendable {}
