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
    /// Like `prefix` and `suffix`, it omits elements that are out of bounds. If none is in bounds, the result is empty.
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

extension BidirectionalCollection where Element: Equatable {
    /// Returns the element after the first occurrence of another.
    ///
    /// ```swift
    /// [1, 2, 3].next(after: 2)                  // 3
    /// [1, 2, 3].next(after: 3)                  // nil
    /// [1, 2, 3].next(after: 3, wrapping: true)  // 1
    /// ```
    ///
    /// - Parameters:
    ///   - element: The element to look for; its first occurrence counts.
    ///   - wrapping: Whether the first element follows the last.
    /// - Returns: The next element; nil if there is none or `element` is absent.
    /// - Complexity: O(n), where n is the number of elements before it.
    public func next(after element: Element, wrapping: Bool = false) -> Element? {
        guard let index = firstIndex(of: element) else { return nil }
        let next = self.index(after: index)
        if next != endIndex { return self[next] }
        return wrapping ? first : nil
    }

    /// Returns the element before the first occurrence of another.
    ///
    /// ```swift
    /// [1, 2, 3].previous(before: 2)                  // 1
    /// [1, 2, 3].previous(before: 1)                  // nil
    /// [1, 2, 3].previous(before: 1, wrapping: true)  // 3
    /// ```
    ///
    /// - Parameters:
    ///   - element: The element to look for; its first occurrence counts.
    ///   - wrapping: Whether the last element precedes the first.
    /// - Returns: The previous element; nil if there is none or `element` is absent.
    /// - Complexity: O(n), where n is the number of elements before it.
    public func previous(before element: Element, wrapping: Bool = false) -> Element? {
        guard let index = firstIndex(of: element) else { return nil }
        if index != startIndex { return self[self.index(before: index)] }
        return wrapping ? last : nil
    }
}
