/// Items in sections, each under a header, as in a list with headers.
///
/// ```swift
/// let cars = Sections(grouping: ["Fiat 500", "Ford Ka", "Opel Corsa"], by: \.first)
/// cars.count                 // 3, over all sections
/// cars.count(inSection: 0)   // 2
/// cars[section: 1, row: 0]   // Optional("Opel Corsa")
/// cars[section: 1, row: 7]   // nil
/// ```
///
/// `Sections` is a collection of its items across all sections. So `next(after:)`, `firstIndex(of:)` and all other methods of
/// collections continue past the end of a section in the next one that is not empty.
public struct Sections<Header, Item> {
    /// A header, and the items under it.
    public struct Section {
        /// The header above the items.
        public var header: Header
        /// The items, in order; may be empty.
        public var items: [Item]

        /// Creates a section.
        ///
        /// - Parameters:
        ///   - header: The header above the items.
        ///   - items: The items, in order.
        public init(header: Header, items: [Item]) {
            self.header = header
            self.items = items
        }
    }

    /// The sections, in order, including empty ones.
    public var sections: [Section]

    /// Creates a collection from sections.
    ///
    /// - Parameter sections: The sections, in order.
    public init(_ sections: [Section] = []) {
        self.sections = sections
    }

    /// Creates a collection by grouping items under headers.
    ///
    /// Sections are in the order in which their first items occur; the items of a section keep their order.
    ///
    /// - Parameters:
    ///   - items: The items to group.
    ///   - header: Returns the header of an item's section.
    /// - Throws: The error of `header`.
    /// - Complexity: O(n) calls of `header` and hash operations.
    public init<Items: Sequence, Failure: Error>(
        grouping items: Items, by header: (Item) throws(Failure) -> Header
    ) throws(Failure) where Items.Element == Item, Header: Hashable {
        sections = []
        var places: [Header: Int] = [:]
        for item in items {
            let header = try header(item)
            if let place = places[header] {
                sections[place].items.append(item)
            } else {
                places[header] = sections.count
                sections.append(Section(header: header, items: [item]))
            }
        }
    }

    /// Returns the number of items in a section; 0 if there is no such section.
    ///
    /// - Parameter section: The number of the section, counted from 0.
    /// - Complexity: O(1).
    public func count(inSection section: Int) -> Int {
        sections[safe: section]?.items.count ?? 0
    }

    /// Returns the item in a row of a section; nil if there is none.
    ///
    /// - Parameters:
    ///   - section: The number of the section, counted from 0.
    ///   - row: The row in the section, counted from 0.
    /// - Complexity: O(1).
    public subscript(section section: Int, row row: Int) -> Item? {
        sections[safe: section]?.items[safe: row]
    }
}

extension Sections.Section: Equatable where Header: Equatable, Item: Equatable {}
extension Sections.Section: Hashable where Header: Hashable, Item: Hashable {}
extension Sections.Section: Sendable where Header: Sendable, Item: Sendable {}
extension Sections.Section: Encodable where Header: Encodable, Item: Encodable {}
extension Sections.Section: Decodable where Header: Decodable, Item: Decodable {}

extension Sections: Equatable where Header: Equatable, Item: Equatable {}
extension Sections: Hashable where Header: Hashable, Item: Hashable {}
extension Sections: Sendable where Header: Sendable, Item: Sendable {}
extension Sections: Encodable where Header: Encodable, Item: Encodable {}
extension Sections: Decodable where Header: Decodable, Item: Decodable {}

extension Sections: BidirectionalCollection {
    /// The position of an item: a section, and a row in it, both counted from 0.
    ///
    /// As with every collection, a change of the sections invalidates older indices.
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

    /// Returns the item at an index, or nil if there is none, for example because items were removed.
    ///
    /// - Parameter index: Any index, also of earlier sections.
    /// - Complexity: O(1).
    public subscript(safe index: Index) -> Item? { self[section: index.section, row: index.row] }

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

extension Sections {
    /// A row of a list with headers.
    public enum Row {
        /// The header of a section, with the section's number, counted from 0.
        case header(Header, section: Int)
        /// An item, with its index.
        case item(Item, at: Index)
    }

    /// The rows of the list: for each section, its header and then its items.
    ///
    /// ```swift
    /// for row in cars.rows {
    ///     switch row {
    ///     case .header(let make, _): print(make)
    ///     case .item(let car, let index): print(index == selected ? " >" : "  ", car)
    ///     }
    /// }
    /// ```
    ///
    /// - Complexity: O(n + s), where n is the number of items and s the number of sections.
    public var rows: [Row] {
        var rows: [Row] = []
        for (number, section) in sections.enumerated() {
            rows.append(.header(section.header, section: number))
            for (row, item) in section.items.enumerated() {
                rows.append(.item(item, at: Index(section: number, row: row)))
            }
        }
        return rows
    }
}

extension Sections.Row: Equatable where Header: Equatable, Item: Equatable {}
extension Sections.Row: Hashable where Header: Hashable, Item: Hashable {}
extension Sections.Row: Sendable where Header: Sendable, Item: Sendable {}
