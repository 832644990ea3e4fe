// An index that elements go *to* is clamped: past the end means last, before the start means first. An index that elements come
// *from* is not clamped: out of range, nothing happens, because clamping would affect an element that the caller did not name.

extension MutableCollection where Self: BidirectionalCollection {
    /// Moves the element at one index to another; the elements between the two shift by one.
    ///
    /// ```swift
    /// var letters = ["a", "b", "c"]
    /// letters.move(from: 0, to: 9)  // ["b", "c", "a"]
    /// ```
    ///
    /// - Parameters:
    ///   - source: The index of the element. Nothing happens if it is out of range.
    ///   - destination: The index of the element after the move, clamped to that of the first and the last element.
    /// - Returns: Whether there was an element to move.
    /// - Complexity: O(k), where k is the distance of the move. Works in place.
    @discardableResult
    public mutating func move(from source: Index, to destination: Index) -> Bool {
        guard source >= startIndex, source < endIndex else { return false }
        let goal = Swift.max(startIndex, Swift.min(destination, index(before: endIndex)))
        var place = source
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

    /// Moves the first element that equals another to an index.
    ///
    /// - Parameters:
    ///   - element: The element to look for. Nothing happens if it is absent.
    ///   - destination: The index of the element after the move, clamped to that of the first and the last element.
    /// - Returns: Whether the element was found.
    /// - Complexity: O(n) to find it, O(k) to move it by k places. Works in place.
    @discardableResult
    public mutating func move(_ element: Element, to destination: Index) -> Bool where Element: Equatable {
        guard let source = firstIndex(of: element) else { return false }
        return move(from: source, to: destination)
    }

    /// Moves the first element with an id to an index.
    ///
    /// - Parameters:
    ///   - id: The id to look for. Nothing happens if no element has it.
    ///   - destination: The index of the element after the move, clamped to that of the first and the last element.
    /// - Returns: Whether the element was found.
    /// - Complexity: O(n) to find it, O(k) to move it by k places. Works in place.
    @discardableResult
    public mutating func move(id: Element.ID, to destination: Index) -> Bool where Element: Identifiable {
        guard let source = firstIndex(where: { $0.id == id }) else { return false }
        return move(from: source, to: destination)
    }
}

extension MutableCollection {
    /// Replaces the element at an index; does nothing if the index is out of range.
    ///
    /// - Parameters:
    ///   - index: Any index.
    ///   - element: The new element.
    /// - Returns: The old element; nil if the index is out of range.
    /// - Complexity: O(1).
    @discardableResult
    public mutating func replace(safe index: Index, with element: Element) -> Element? {
        guard index >= startIndex, index < endIndex else { return nil }
        let replaced = self[index]
        self[index] = element
        return replaced
    }

    /// Replaces the first element that equals another; does nothing if there is none.
    ///
    /// ```swift
    /// var letters = ["a", "b", "a"]
    /// letters.replace("a", with: "c")  // ["c", "b", "a"]
    /// ```
    ///
    /// - Parameters:
    ///   - old: The element to look for.
    ///   - new: The new element.
    /// - Returns: The old element; nil if it is absent.
    /// - Complexity: O(n), where n is the number of elements before it.
    @discardableResult
    public mutating func replace(_ old: Element, with new: Element) -> Element? where Element: Equatable {
        guard let index = firstIndex(of: old) else { return nil }
        return replace(safe: index, with: new)
    }

    /// Replaces the first element with an id; does nothing if no element has it.
    ///
    /// - Parameters:
    ///   - id: The id to look for.
    ///   - element: The new element, which may have another id.
    /// - Returns: The old element; nil if there was none.
    /// - Complexity: O(n), where n is the number of elements before it.
    @discardableResult
    public mutating func replace(id: Element.ID, with element: Element) -> Element? where Element: Identifiable {
        guard let index = firstIndex(where: { $0.id == id }) else { return nil }
        return replace(safe: index, with: element)
    }

    /// Changes the first element with an id in place; does nothing if no element has it.
    ///
    /// ```swift
    /// items.update(id: 7) { $0.count += 1 }
    /// ```
    ///
    /// - Parameters:
    ///   - id: The id to look for.
    ///   - change: Changes the element.
    /// - Returns: The result of `change`; nil if no element has the id.
    /// - Throws: What `change` throws.
    /// - Complexity: O(n), where n is the number of elements before it.
    @discardableResult
    public mutating func update<Result, Failure: Error>(
        id: Element.ID, _ change: (inout Element) throws(Failure) -> Result
    ) throws(Failure) -> Result? where Element: Identifiable {
        guard let index = firstIndex(where: { $0.id == id }) else { return nil }
        return try change(&self[index])
    }
}
