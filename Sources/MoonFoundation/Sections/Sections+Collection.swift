extension Sections: BidirectionalCollection {
    /// Where an item is: the section, and the row in it, each counted from 0.
    ///
    /// Only a ``Sections`` makes one, of an item that is there (and of its own end); so one that was asked for in vain
    /// is nil, not out of range. As with every collection, changing the sections makes older ones invalid.
    public struct Index: Comparable, Hashable, Sendable {
        /// The section, counted from 0.
        public let section: Int
        /// The row in the section, counted from 0.
        public let row: Int

        init(section: Int, row: Int) {
            self.section = section
            self.row = row
        }

        /// Sections count first, then rows.
        public static func < (left: Self, right: Self) -> Bool {
            (left.section, left.row) < (right.section, right.row)
        }
    }

    /// The first item's place; the end's if there is no item.
    ///
    /// - Complexity: O(e), where e is the number of empty sections before it.
    public var startIndex: Index { start(fromSection: 0) }

    /// Behind the last section.
    public var endIndex: Index { Index(section: sections.count, row: 0) }

    /// How many items there are in all sections.
    ///
    /// - Complexity: O(s), where s is the number of sections.
    public var count: Int { sections.reduce(0) { $0 + $1.items.count } }

    /// The item at a place.
    ///
    /// - Complexity: O(1).
    public subscript(position: Index) -> Item { sections[position.section].items[position.row] }

    /// The next item's place, in this section or a later one.
    ///
    /// - Complexity: O(1), and one step for each empty section between the two.
    public func index(after index: Index) -> Index {
        let row = index.row + 1
        return row < sections[index.section].items.count
            ? Index(section: index.section, row: row) : start(fromSection: index.section + 1)
    }

    /// The previous item's place, in this section or an earlier one.
    ///
    /// - Complexity: O(1), and one step for each empty section between the two.
    public func index(before index: Index) -> Index {
        if index.row > 0 { return Index(section: index.section, row: index.row - 1) }
        guard let section = sections[..<index.section].lastIndex(where: { !$0.items.isEmpty }) else {
            preconditionFailure("There is no item before the first: compare with startIndex before stepping back")
        }
        return Index(section: section, row: sections[section].items.count - 1)
    }

    private func start(fromSection first: Int) -> Index {
        let section = sections[first...].firstIndex { !$0.items.isEmpty }
        return Index(section: section ?? sections.count, row: 0)
    }
}
