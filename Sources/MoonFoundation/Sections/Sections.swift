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
    /// - Throws: What `header` throws.
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

    /// Returns the index of the item in a row of a section; nil if there is none.
    ///
    /// - Parameters:
    ///   - section: The number of the section, counted from 0.
    ///   - row: The row in the section, counted from 0.
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
