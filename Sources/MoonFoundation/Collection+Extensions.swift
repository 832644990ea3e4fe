extension Collection {
    /// Returns the element at an index, or nil if the index is out of range.
    ///
    /// ```swift
    /// [1, 2, 3][safe: 7]  // nil
    /// ```
    ///
    /// - Parameter index: Any index, in range or not.
    /// - Complexity: O(1).
    public subscript(safe index: Index) -> Element? {
        index >= startIndex && index < endIndex ? self[index] : nil
    }

    /// Returns the elements in a range, which is clamped to the bounds of the collection. It never traps.
    ///
    /// Like `prefix` and `suffix`, it leaves out what is out of bounds. If nothing is in bounds, the result is empty.
    ///
    /// ```swift
    /// [1, 2, 3][safe: 1..<9]   // [2, 3]
    /// [1, 2, 3][safe: -4..<2]  // [1, 2]
    /// [1, 2, 3][safe: 7..<9]   // []
    /// ```
    ///
    /// - Parameter range: Any range.
    /// - Complexity: O(1).
    public subscript(safe range: Range<Index>) -> SubSequence {
        self[range.clamped(to: startIndex..<endIndex)]
    }

    /// Returns the elements in a closed range, which is clamped to the bounds of the collection.
    ///
    /// ```swift
    /// [1, 2, 3][safe: 1...Int.max]  // [2, 3]
    /// ```
    ///
    /// - Parameter range: Any range.
    /// - Complexity: O(1).
    public subscript(safe range: ClosedRange<Index>) -> SubSequence {
        self[safe: range.lowerBound..<Swift.max(range.lowerBound, end(through: range.upperBound))]
    }

    /// Returns the elements from an index on; all elements if the index is before the start.
    ///
    /// ```swift
    /// [1, 2, 3][safe: 7...]  // []
    /// ```
    ///
    /// - Parameter range: Any range.
    /// - Complexity: O(1).
    public subscript(safe range: PartialRangeFrom<Index>) -> SubSequence {
        self[Swift.min(Swift.max(range.lowerBound, startIndex), endIndex)..<endIndex]
    }

    /// Returns the elements before an index; all elements if the index is past the end.
    ///
    /// ```swift
    /// [1, 2, 3][safe: ..<7]  // [1, 2, 3]
    /// ```
    ///
    /// - Parameter range: Any range.
    /// - Complexity: O(1).
    public subscript(safe range: PartialRangeUpTo<Index>) -> SubSequence {
        self[startIndex..<Swift.min(Swift.max(range.upperBound, startIndex), endIndex)]
    }

    /// Returns the elements up to and including an index; all elements if the index is past the end.
    ///
    /// ```swift
    /// [1, 2, 3][safe: ...(-1)]  // []
    /// ```
    ///
    /// - Parameter range: Any range.
    /// - Complexity: O(1).
    public subscript(safe range: PartialRangeThrough<Index>) -> SubSequence {
        self[startIndex..<end(through: range.upperBound)]
    }

    /// Returns the end of a range that includes `last`, clamped to the bounds. `index(after:)` is called only for an index that
    /// is in bounds: for any other it may trap, as `Int.max + 1` does.
    private func end(through last: Index) -> Index {
        guard last >= startIndex else { return startIndex }
        return last < endIndex ? index(after: last) : endIndex
    }
}

extension Collection where Element: Identifiable {
    /// Returns the first element with an id, or nil if there is none.
    ///
    /// ```swift
    /// cars[id: 7]?.name
    /// ```
    ///
    /// - Parameter id: The id to look for.
    /// - Complexity: O(n), where n is the number of elements before it.
    public subscript(id id: Element.ID) -> Element? {
        first { $0.id == id }
    }
}
