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
            joinNeighbours(of: place, in: node)
        }
        return value
    }

    /// Joins a child with one of its neighbors, if both fit into one node.
    @inlinable
    static func joinNeighbours(of place: Int, in node: Node) {
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
