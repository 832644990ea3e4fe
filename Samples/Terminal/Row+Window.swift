extension Array where Element == Row {
    /// As many of the rows as there is room for, so that one of them is among them: a list that scrolls.
    ///
    /// - Parameters:
    ///   - room: How many rows there is room for.
    ///   - index: The row that must be seen; it is in the middle where that is possible.
    public func window(_ room: Int, around index: Int) -> [Row] {
        guard count > room else { return self }
        let first = Swift.min(Swift.max(0, index - room / 2), count - Swift.max(0, room))
        return Array(self[first..<Swift.min(count, first + Swift.max(0, room))])
    }
}
