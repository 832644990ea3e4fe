/// Elements in the order in which they were added. Each has a number, by which it can be removed.
///
/// A removed element leaves an empty place, unless it was the first. The places are removed once they are the greater part.
///
/// - Complexity: O(1) to add an element or to remove the first, O(log *n*) to remove another (both amortized), O(*n*) to list
///   all.
@usableFromInline package struct Numbered<Element> {
    @usableFromInline var places = Queue<(number: Int, element: Element?)>()
    /// The last number that was given to an element.
    @usableFromInline var last = 0
    @usableFromInline package var count = 0

    @inlinable package init() {}

    @inlinable package var isEmpty: Bool { count == 0 }

    /// The first element and its number.
    @inlinable package var first: (number: Int, element: Element)? {
        guard let place = places[0], let element = place.element else { return nil }
        return (place.number, element)
    }

    /// Adds an element.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - number: Its number, greater than those of all earlier elements; nil for the next one.
    /// - Returns: Its number.
    @inlinable @discardableResult package mutating func add(_ element: Element, as number: Int? = nil) -> Int {
        last = number ?? last + 1
        count += 1
        places.append((last, element))
        return last
    }

    /// Removes the element with a number, and returns it; nil if there is none.
    @inlinable package mutating func remove(_ number: Int) -> Element? {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if let place = places[middle], place.number < number { low = middle + 1 } else { high = middle }
        }
        guard let place = places[low], place.number == number, let element = place.element else { return nil }
        count -= 1
        if low == 0 { _ = places.popFirst() } else { places[low] = (number, nil) }
        if places[0].map({ $0.element == nil }) == true || isSparse { removePlaces() }
        return element
    }

    /// Removes the first element, and returns it.
    @inlinable package mutating func popFirst() -> Element? { first.flatMap { remove($0.number) } }

    /// True if most places are empty.
    @inlinable var isSparse: Bool { places.count > 2 * count + 16 }

    /// Removes the empty places before the first element, and all once they are the greater part. Not inlined: it is called rarely,
    /// and each specialized copy prolongs the build of every program.
    @usableFromInline mutating func removePlaces() {
        while let place = places[0], place.element == nil { _ = places.popFirst() }
        guard isSparse else { return }
        for _ in 0..<places.count {
            if let place = places.popFirst(), place.element != nil { places.append(place) }
        }
    }
}

extension Numbered: Sequence {
    /// Passes through the elements in the order in which they were added.
    @usableFromInline package struct Iterator: IteratorProtocol {
        @usableFromInline let places: Queue<(number: Int, element: Element?)>
        @usableFromInline var place = 0

        @inlinable init(_ places: Queue<(number: Int, element: Element?)>) { self.places = places }

        @inlinable package mutating func next() -> Element? {
            while place < places.count {
                place += 1
                if let element = places[place - 1]?.element { return element }
            }
            return nil
        }
    }

    @inlinable package func makeIterator() -> Iterator { Iterator(places) }
}

extension Numbered: Sendable where Element: Sendable {}
