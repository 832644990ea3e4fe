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

    /// Returns an iterator over the elements in order. O(n).
    @inlinable
    public func makeIterator() -> some IteratorProtocol<Element> { entries.all.lazy.map(\.element).makeIterator() }
}

extension IdentifiedList: CustomStringConvertible, CustomReflectable {
    /// The elements, in the format of an array.
    public var description: String { Array(self).description }

    /// The elements.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: Array(self), displayStyle: .collection) }
}
