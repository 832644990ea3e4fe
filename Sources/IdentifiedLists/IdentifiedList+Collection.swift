extension IdentifiedList: RandomAccessCollection {
    /// 0.
    @inlinable public var startIndex: Int { 0 }
    /// The number of elements.
    @inlinable public var endIndex: Int { entries.count }

    /// The element at a position. O(log n).
    ///
    /// - Precondition: The position is at least 0 and less than `count`.
    @inlinable
    public subscript(position: Int) -> Element {
        let (leaf, place) = entries.find(position: position)
        return leaf.values[place].element
    }

    /// Returns an iterator over the elements in order. Iterating over all elements is O(n).
    @inlinable
    public func makeIterator() -> some IteratorProtocol<Element> { ElementIterator(entries.root) }

    /// An iterator over the elements of a list.
    @usableFromInline
    struct ElementIterator: IteratorProtocol {
        /// The current leaf.
        @usableFromInline var leaf: SortedTree<Entry>.Node
        /// The index of the next element in the leaf.
        @usableFromInline var place = 0
        /// The inner nodes on the path to the leaf, each with the index of its next child.
        @usableFromInline var way: [(node: SortedTree<Entry>.Node, next: Int)] = []

        @inlinable
        init(_ root: SortedTree<Entry>.Node) {
            leaf = root
            descend()
        }

        /// Moves to the first leaf below the current node.
        @inlinable
        mutating func descend() {
            while !leaf.isLeaf {
                way.append((leaf, 1))
                leaf = leaf.children[0]
            }
            place = 0
        }

        /// Returns the next element; nil after the last.
        @inlinable
        mutating func next() -> Element? {
            while place == leaf.values.count {
                guard let (node, next) = way.popLast() else { return nil }
                guard next < node.children.count else { continue }
                way.append((node, next + 1))
                leaf = node.children[next]
                descend()
            }
            place += 1
            return leaf.values[place - 1].element
        }
    }
}

extension IdentifiedList: CustomStringConvertible, CustomReflectable {
    /// The elements, in the format of an array.
    public var description: String { Array(self).description }

    /// The elements.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: Array(self), displayStyle: .collection) }
}
