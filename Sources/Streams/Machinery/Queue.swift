/// A queue in a ring buffer. Appending and removing at either end take constant time (amortized); elements are never shifted.
@usableFromInline package struct Queue<Element> {
    @usableFromInline var ring: [Element?] = []
    @usableFromInline var head = 0
    @usableFromInline package var count = 0
    @inlinable package init() {}
    @inlinable package var isEmpty: Bool { count == 0 }

    /// The element at an offset from the first; nil beyond the last. Set only existing places.
    @inlinable package subscript(place: Int) -> Element? {
        get { 0 <= place && place < count ? ring[(head + place) & (ring.count - 1)] : nil }
        set { ring[(head + place) & (ring.count - 1)] = newValue }
    }

    @inlinable package mutating func append(_ element: Element) {
        if count == ring.count { grow() }
        ring[(head + count) & (ring.count - 1)] = element
        count += 1
    }

    @inlinable package mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = ring[head].take()
        head = (head + 1) & (ring.count - 1)
        count -= 1
        if count == 0 { shrink() }
        return element
    }

    /// Removes and returns the element at a place; nil if there is none. Takes time for each element before it.
    @inlinable package mutating func remove(at place: Int) -> Element? {
        let element = self[place]
        if element == nil { return nil }
        for place in stride(from: place, to: 0, by: -1) { self[place] = self[place - 1] }
        _ = popFirst()
        return element
    }

    @inlinable package mutating func popLast() -> Element? {
        guard count > 0 else { return nil }
        count -= 1
        let element = ring[(head + count) & (ring.count - 1)].take()
        if count == 0 { shrink() }
        return element
    }

    /// Releases the memory of an empty ring of more than 2 KB, after a burst.
    @inlinable @inline(__always) mutating func shrink() { if ring.count * MemoryLayout<Element?>.stride > 2048 { ring = [] } }

    /// Doubles the ring. Its size is a power of two.
    @inlinable mutating func grow() {
        ring = (0..<max(4, ring.count * 2)).map { self[$0] }
        head = 0
    }
}

extension Queue: Sendable where Element: Sendable {}
