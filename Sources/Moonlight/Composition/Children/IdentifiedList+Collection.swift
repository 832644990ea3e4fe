extension IdentifiedList: RandomAccessCollection {
    /// 0.
    @inlinable public var startIndex: Int { 0 }
    /// How many elements there are.
    @inlinable public var endIndex: Int { entries.count }

    /// The element at a position. O(log n).
    @inlinable
    public subscript(position: Int) -> Element {
        let (leaf, place) = entries.find(position: position)
        return leaf.values[place].element
    }

    /// An iterator over the elements in order; to go through all is O(n).
    @inlinable
    public func makeIterator() -> Iterator { Iterator(entries.root) }

    /// Goes through the elements of a list.
    public struct Iterator: IteratorProtocol {
        @usableFromInline var leaf: SortedTree<Entry>.Node
        @usableFromInline var place = 0
        /// The inner nodes on the way, each with the place of the next child.
        @usableFromInline var way: [(node: SortedTree<Entry>.Node, next: Int)] = []

        @inlinable
        init(_ root: SortedTree<Entry>.Node) {
            leaf = root
            descend()
        }

        @inlinable
        mutating func descend() {
            while !leaf.isLeaf {
                way.append((leaf, 1))
                leaf = leaf.children[0]
            }
            place = 0
        }

        /// The next element; nil after the last.
        @inlinable
        public mutating func next() -> Element? {
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

extension IdentifiedList: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The elements, as an array describes itself.
    public var description: String { Array(self).description }

    /// The elements, as an array describes itself.
    public var debugDescription: String { Array(self).debugDescription }

    /// The elements.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: Array(self), displayStyle: .collection) }
}
