extension RangeReplaceableCollection {
    /// Removes the element at an index; does nothing where there is none.
    ///
    /// - Returns: The removed element; nil if the index is out of range.
    /// - Complexity: O(n), as `remove(at:)`.
    @discardableResult
    public mutating func remove(safe index: Index) -> Element? {
        index >= startIndex && index < endIndex ? remove(at: index) : nil
    }

    /// Removes the first element equal to another; does nothing if it is absent.
    ///
    /// ```swift
    /// var letters = ["a", "b", "a"]
    /// letters.remove("a")  // ["b", "a"]
    /// ```
    /// - Returns: The removed element; nil if it is absent.
    /// - Complexity: O(n).
    @discardableResult
    public mutating func remove(_ element: Element) -> Element? where Element: Equatable {
        firstIndex(of: element).map { remove(at: $0) }
    }

    /// Removes the first element with an id; does nothing if no element has it.
    ///
    /// - Returns: The removed element; nil if there was none.
    /// - Complexity: O(n).
    @discardableResult
    public mutating func remove(id: Element.ID) -> Element? where Element: Identifiable {
        firstIndex { $0.id == id }.map { remove(at: $0) }
    }

    /// Inserts an element so that it stands at an index; before the start means first, past the end means last.
    ///
    /// ```swift
    /// var letters = ["a", "b"]
    /// letters.insert("c", clamping: 9)  // ["a", "b", "c"]
    /// ```
    /// - Complexity: O(n), as `insert(_:at:)`.
    public mutating func insert(_ element: Element, clamping index: Index) {
        insert(element, at: Swift.max(startIndex, Swift.min(index, endIndex)))
    }
}
