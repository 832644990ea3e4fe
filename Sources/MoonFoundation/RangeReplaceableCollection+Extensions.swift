extension RangeReplaceableCollection {
    /// Removes the element at an index; does nothing if the index is out of range.
    ///
    /// - Parameter index: Any index.
    /// - Returns: The removed element; nil if the index is out of range.
    /// - Complexity: O(n), as `remove(at:)`.
    @discardableResult
    public mutating func remove(safe index: Index) -> Element? {
        index >= startIndex && index < endIndex ? remove(at: index) : nil
    }

    /// Removes the first element that equals another; does nothing if there is none.
    ///
    /// ```swift
    /// var letters = ["a", "b", "a"]
    /// letters.remove("a")  // ["b", "a"]
    /// ```
    ///
    /// - Parameter element: The element to look for.
    /// - Returns: The removed element; nil if it is absent.
    /// - Complexity: O(n).
    @discardableResult
    public mutating func remove(_ element: Element) -> Element? where Element: Equatable {
        firstIndex(of: element).map { remove(at: $0) }
    }

    /// Removes the first element with an id; does nothing if no element has it.
    ///
    /// - Parameter id: The id to look for.
    /// - Returns: The removed element; nil if there was none.
    /// - Complexity: O(n).
    @discardableResult
    public mutating func remove(id: Element.ID) -> Element? where Element: Identifiable {
        firstIndex { $0.id == id }.map { remove(at: $0) }
    }

    /// Inserts an element at an index, which is clamped: before the start means first, past the end means last.
    ///
    /// ```swift
    /// var letters = ["a", "b"]
    /// letters.insert("c", clamping: 9)  // ["a", "b", "c"]
    /// ```
    ///
    /// - Parameters:
    ///   - element: The new element.
    ///   - index: Any index.
    /// - Complexity: O(n), as `insert(_:at:)`.
    public mutating func insert(_ element: Element, clamping index: Index) {
        insert(element, at: Swift.max(startIndex, Swift.min(index, endIndex)))
    }
}
