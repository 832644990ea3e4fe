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
