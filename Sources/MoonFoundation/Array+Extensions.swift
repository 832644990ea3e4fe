// An index that elements go *to* is clamped: past the end means last, before the start means first. An index that elements come
// *from* is not clamped: out of range, nothing happens, because clamping would affect an element that the caller did not name.

extension Array {
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
    /// - Throws: The error of `change`.
    /// - Complexity: O(n), where n is the number of elements before it.
    @discardableResult
    public mutating func update<Result, Failure: Error>(
        id: Element.ID, _ change: (inout Element) throws(Failure) -> Result
    ) throws(Failure) -> Result? where Element: Identifiable {
        guard let index = firstIndex(where: { $0.id == id }) else { return nil }
        return try change(&self[index])
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
