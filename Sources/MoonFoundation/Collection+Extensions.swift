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
}
