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
    ///   - wrapping: True if the first element follows the last.
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
    ///   - wrapping: True if the last element precedes the first.
    /// - Returns: The previous element; nil if there is none or `element` is absent.
    /// - Complexity: O(n), where n is the number of elements before it.
    public func previous(before element: Element, wrapping: Bool = false) -> Element? {
        guard let index = firstIndex(of: element) else { return nil }
        if index != startIndex { return self[self.index(before: index)] }
        return wrapping ? last : nil
    }
}

extension Array where Element: Equatable {
    /// Moves the first element that equals another to an index; the elements between the two shift by one.
    ///
    /// ```swift
    /// var letters = ["a", "b", "c"]
    /// letters.move("a", to: 9)  // ["b", "c", "a"]
    /// ```
    ///
    /// - Parameters:
    ///   - element: The element to look for. Nothing happens if it is absent.
    ///   - destination: The index of the element after the move, clamped to that of the first and the last element.
    /// - Returns: True if the element was found.
    /// - Complexity: O(n) to find it, O(k) to move it by k places. Works in place.
    @discardableResult
    public mutating func move(_ element: Element, to destination: Index) -> Bool {
        guard var place = firstIndex(of: element) else { return false }
        let goal = Swift.max(startIndex, Swift.min(destination, index(before: endIndex)))
        while place < goal {
            let next = index(after: place)
            swapAt(place, next)
            place = next
        }
        while place > goal {
            let previous = index(before: place)
            swapAt(place, previous)
            place = previous
        }
        return true
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
    public mutating func remove(_ element: Element) -> Element? {
        firstIndex(of: element).map { remove(at: $0) }
    }
}
