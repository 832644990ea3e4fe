// A place that elements go *to* is clamped: past the end means last, before the start means first. A place that they
// come *from* is not: where nothing is, nothing happens, for a clamped one would touch an element nobody named.

extension MutableCollection where Self: BidirectionalCollection {
    /// Moves the element at an index, so that it then stands at another; those between step aside.
    ///
    /// ```swift
    /// var letters = ["a", "b", "c"]
    /// letters.move(from: 0, to: 9)  // ["b", "c", "a"]
    /// ```
    /// - Parameters:
    ///   - source: Where the element is. Nothing happens if it is out of range.
    ///   - destination: Where it is to be, clamped to the first and the last place.
    /// - Returns: Whether there was an element to move.
    /// - Complexity: O(k), where k is the distance it moves; in place.
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

    /// Moves the first element equal to another, so that it then stands at an index.
    ///
    /// - Parameters:
    ///   - element: What to look for. Nothing happens if it is absent.
    ///   - destination: Where it is to be, clamped to the first and the last place.
    /// - Returns: Whether it was there.
    /// - Complexity: O(n) to find it, O(k) to move it by k places; in place.
    @discardableResult
    public mutating func move(_ element: Element, to destination: Index) -> Bool where Element: Equatable {
        guard let source = firstIndex(of: element) else { return false }
        return move(from: source, to: destination)
    }

    /// Moves the first element with an id, so that it then stands at an index.
    ///
    /// - Parameters:
    ///   - id: What to look for. Nothing happens if no element has it.
    ///   - destination: Where it is to be, clamped to the first and the last place.
    /// - Returns: Whether it was there.
    /// - Complexity: O(n) to find it, O(k) to move it by k places; in place.
    @discardableResult
    public mutating func move(id: Element.ID, to destination: Index) -> Bool where Element: Identifiable {
        guard let source = firstIndex(where: { $0.id == id }) else { return false }
        return move(from: source, to: destination)
    }
}

extension MutableCollection {
    /// Puts an element in the place of the one at an index; does nothing where there is none.
    ///
    /// - Returns: The element that was there; nil if the index is out of range.
    /// - Complexity: O(1).
    @discardableResult
    public mutating func replace(safe index: Index, with element: Element) -> Element? {
        guard index >= startIndex, index < endIndex else { return nil }
        let replaced = self[index]
        self[index] = element
        return replaced
    }

    /// Puts an element in the place of the first one equal to another; does nothing if that is absent.
    ///
    /// ```swift
    /// var letters = ["a", "b", "a"]
    /// letters.replace("a", with: "c")  // ["c", "b", "a"]
    /// ```
    /// - Returns: The element that was there; nil if it is absent.
    /// - Complexity: O(n) in the number of elements before it.
    @discardableResult
    public mutating func replace(_ old: Element, with new: Element) -> Element? where Element: Equatable {
        guard let index = firstIndex(of: old) else { return nil }
        return replace(safe: index, with: new)
    }

    /// Puts an element in the place of the first one with an id; does nothing if no element has it.
    ///
    /// The new element may have another id.
    /// - Returns: The element that was there; nil if there was none.
    /// - Complexity: O(n) in the number of elements before it.
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
    /// - Returns: What the change returns; nil if no element has the id.
    /// - Throws: What the change throws.
    /// - Complexity: O(n) in the number of elements before it.
    @discardableResult
    public mutating func update<Result, Failure: Error>(
        id: Element.ID, _ change: (inout Element) throws(Failure) -> Result
    ) throws(Failure) -> Result? where Element: Identifiable {
        guard let index = firstIndex(where: { $0.id == id }) else { return nil }
        return try change(&self[index])
    }
}
