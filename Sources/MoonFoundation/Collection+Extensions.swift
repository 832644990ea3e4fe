extension Collection {
    /// The element at an index; nil where there is none.
    ///
    /// ```swift
    /// [1, 2, 3][safe: 7]  // nil
    /// ```
    /// - Parameter index: Any index, also one out of range.
    /// - Complexity: O(1).
    public subscript(safe index: Index) -> Element? {
        index >= startIndex && index < endIndex ? self[index] : nil
    }

    /// The part of a range that is there: the range clamped to the collection's own.
    ///
    /// What lies outside on either side is left out, as `prefix` and `suffix` do it; where nothing is left the
    /// result is empty. It never traps.
    /// ```swift
    /// [1, 2, 3][safe: 1..<9]   // [2, 3]
    /// [1, 2, 3][safe: -4..<2]  // [1, 2]
    /// [1, 2, 3][safe: 7..<9]   // []
    /// ```
    /// - Complexity: O(1).
    public subscript(safe range: Range<Index>) -> SubSequence {
        self[range.clamped(to: startIndex..<endIndex)]
    }

    /// The part of a closed range that is there.
    ///
    /// ```swift
    /// [1, 2, 3][safe: 1...Int.max]  // [2, 3]
    /// ```
    /// - Complexity: O(1).
    public subscript(safe range: ClosedRange<Index>) -> SubSequence {
        self[safe: range.lowerBound..<Swift.max(range.lowerBound, end(through: range.upperBound))]
    }

    /// What is there from an index on; everything if the index lies before the start.
    ///
    /// ```swift
    /// [1, 2, 3][safe: 7...]  // []
    /// ```
    /// - Complexity: O(1).
    public subscript(safe range: PartialRangeFrom<Index>) -> SubSequence {
        self[Swift.min(Swift.max(range.lowerBound, startIndex), endIndex)..<endIndex]
    }

    /// What is there before an index; everything if the index lies past the end.
    ///
    /// ```swift
    /// [1, 2, 3][safe: ..<7]  // [1, 2, 3]
    /// ```
    /// - Complexity: O(1).
    public subscript(safe range: PartialRangeUpTo<Index>) -> SubSequence {
        self[startIndex..<Swift.min(Swift.max(range.upperBound, startIndex), endIndex)]
    }

    /// What is there up to an index and with it; everything if the index lies past the end.
    ///
    /// ```swift
    /// [1, 2, 3][safe: ...(-1)]  // []
    /// ```
    /// - Complexity: O(1).
    public subscript(safe range: PartialRangeThrough<Index>) -> SubSequence {
        self[startIndex..<end(through: range.upperBound)]
    }

    /// Where a range ends that takes `last` along. Only an index that is there is moved on:
    /// `index(after:)` of any other may trap, and `Int.max + 1` does.
    private func end(through last: Index) -> Index {
        guard last >= startIndex else { return startIndex }
        return last < endIndex ? index(after: last) : endIndex
    }
}

extension Collection where Element: Identifiable {
    /// The first element with an id; nil if there is none.
    ///
    /// ```swift
    /// cars[id: 7]?.name
    /// ```
    /// - Complexity: O(n) in the number of elements before it.
    public subscript(id id: Element.ID) -> Element? {
        first { $0.id == id }
    }
}
