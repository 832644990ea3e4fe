extension Sections: BidirectionalCollection {
    /// The position of an item: a section, and a row in it, both counted from 0.
    ///
    /// Only a ``Sections`` makes an index, for an item that exists or for its end; ``Sections/index(section:row:)`` returns nil
    /// if there is no such item. As with every collection, a change of the sections invalidates older indices.
    public struct Index: Comparable, Hashable, Sendable {
        /// The section, counted from 0.
        public let section: Int
        /// The row in the section, counted from 0.
        public let row: Int

        /// Returns whether one index is before another. Sections are compared first, then rows.
        public static func < (left: Self, right: Self) -> Bool {
            (left.section, left.row) < (right.section, right.row)
        }
    }

    /// The index of the first item; ``endIndex`` if there is no item.
    ///
    /// - Complexity: O(e), where e is the number of empty sections before it.
    public var startIndex: Index { start(fromSection: 0) }

    /// The index past the last section.
    public var endIndex: Index { Index(section: sections.count, row: 0) }

    /// The number of items in all sections.
    ///
    /// - Complexity: O(s), where s is the number of sections.
    public var count: Int { sections.reduce(0) { $0 + $1.items.count } }

    /// Returns the item at an index.
    ///
    /// - Complexity: O(1).
    public subscript(position: Index) -> Item { sections[position.section].items[position.row] }

    /// Returns the index of the next item, in this section or a later one.
    ///
    /// - Complexity: O(e + 1), where e is the number of empty sections between the two.
    public func index(after index: Index) -> Index {
        let row = index.row + 1
        return row < sections[index.section].items.count
            ? Index(section: index.section, row: row) : start(fromSection: index.section + 1)
    }

    /// Returns the index of the previous item, in this section or an earlier one.
    ///
    /// - Complexity: O(e + 1), where e is the number of empty sections between the two.
    public func index(before index: Index) -> Index {
        if index.row > 0 { return Index(section: index.section, row: index.row - 1) }
        guard let section = sections[..<index.section].lastIndex(where: { !$0.items.isEmpty }) else {
            preconditionFailure("There is no item before the first: compare with startIndex before stepping back")
        }
        return Index(section: section, row: sections[section].items.count - 1)
    }

    /// Returns the index of the first item in a section or a later one.
    private func start(fromSection first: Int) -> Index {
        let section = sections[first...].firstIndex { !$0.items.isEmpty }
        return Index(section: section ?? sections.count, row: 0)
    }
}
