/// Items in sections, each under a header: what a list with headers shows.
///
/// ```swift
/// let cars = Sections(grouping: ["Fiat 500", "Ford Ka", "Opel Corsa"], by: \.first)
/// cars.count                 // 3, over all sections
/// cars.count(inSection: 0)   // 2
/// cars[section: 1, row: 0]   // Optional("Opel Corsa")
/// cars[section: 1, row: 7]   // nil
/// ```
/// It is a collection of its items, across all sections; so `next(after:)`, `firstIndex(of:)` and the rest of what
/// collections can do go over a section's end to the next one that is not empty.
public struct Sections<Header, Item> {
    /// Some items under a header.
    public struct Section {
        /// What stands above the items.
        public var header: Header
        /// The items, in order; there may be none.
        public var items: [Item]

        /// A section.
        public init(header: Header, items: [Item]) {
            self.header = header
            self.items = items
        }
    }

    /// The sections, in order, empty ones too.
    public var sections: [Section]

    /// Items in the sections given.
    public init(_ sections: [Section] = []) {
        self.sections = sections
    }

    /// Groups items by what a function says of each. Sections stand in the order in which their first item comes,
    /// items within a section in the order in which they come.
    ///
    /// - Parameters:
    ///   - items: What to group.
    ///   - header: The header of an item's section.
    /// - Throws: What `header` throws.
    /// - Complexity: O(n) calls of `header` and of hashing.
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

    /// How many items a section has; 0 for a section that is not there.
    ///
    /// - Complexity: O(1).
    public func count(inSection section: Int) -> Int {
        sections[safe: section]?.items.count ?? 0
    }

    /// The item in a row of a section; nil where there is none.
    ///
    /// - Complexity: O(1).
    public subscript(section section: Int, row row: Int) -> Item? {
        sections[safe: section]?.items[safe: row]
    }

    /// Where the item in a row of a section is; nil if there is none.
    ///
    /// - Complexity: O(1).
    public func index(section: Int, row: Int) -> Index? {
        self[section: section, row: row] == nil ? nil : Index(section: section, row: row)
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
