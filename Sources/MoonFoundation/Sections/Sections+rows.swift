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
