/// Elements in the order in which they were added. Each has a number, by which it can be removed.
///
/// - Complexity: O(1) to add or remove an element, O(*n* log *n*) to list *n* of them.
@usableFromInline
struct Numbered<Element> {
    @usableFromInline var elements: [Int: Element] = [:]
    @usableFromInline var last = 0

    @inlinable
    init() {}

    /// The elements, in the order in which they were added.
    @inlinable var inOrder: [Element] {
        elements.count < 2 ? Array(elements.values) : elements.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Adds an element.
    ///
    /// - Returns: Its number.
    @inlinable
    mutating func add(_ element: Element) -> Int {
        last += 1
        elements[last] = element
        return last
    }

    /// Removes the element with a number, and returns it.
    @inlinable @discardableResult
    mutating func remove(_ number: Int) -> Element? {
        let element = elements.removeValue(forKey: number)
        // Releases the memory of a burst.
        if elements.isEmpty, elements.capacity > 64 { elements = [:] }
        return element
    }
}

extension Numbered: Sendable where Element: Sendable {}
