extension IdentifiedList {
    /// Adds an element at the end. O(√n).
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - id: Its id.
    /// - Returns: Whether the element was added; false if the id is in the list already.
    @inlinable @discardableResult
    public mutating func append(_ element: Element, id: ID) -> Bool { insert(element, id: id, at: count) }

    /// Adds an element at a position. O(√n), on average.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - id: Its id.
    ///   - position: Its position, from 0 to `count`.
    /// - Returns: Whether the element was added; false if the id is in the list already.
    @inlinable @discardableResult
    public mutating func insert(_ element: Element, id: ID, at position: Int) -> Bool {
        if contains(id: id) { return false }
        place(Entry(id: id, element: element), at: position)
        trail.note(nil)
        return true
    }

    /// Removes an element. O(√n).
    ///
    /// - Parameter id: The element's id.
    /// - Returns: The element; nil if there is none with this id.
    @inlinable @discardableResult
    public mutating func remove(id: ID) -> Element? {
        guard let entry = takeOut(id) else { return nil }
        trail.note(id)
        return entry.element
    }

    /// Removes the element at a position. O(√n).
    ///
    /// - Precondition: The position is at least 0 and less than `count`.
    /// - Parameter position: The element's position.
    /// - Returns: The element.
    @inlinable @discardableResult
    public mutating func remove(at position: Int) -> Element {
        let (leaf, place) = entries.find(position: position)
        let entry = leaf.values[place]
        remove(id: entry.id)
        return entry.element
    }

    /// Removes all elements.
    @inlinable
    public mutating func removeAll() { removeAll { _ in true } }

    /// Removes the elements that fulfill a condition. O(n), plus O(log n) for each of them.
    ///
    /// - Parameter condition: Returns whether to remove an element.
    /// - Throws: The error of `condition`. The list is then unchanged.
    @inlinable
    public mutating func removeAll(where condition: (Element) throws -> Bool) rethrows {
        for entry in try entries.all.filter({ try condition($0.element) }) { remove(id: entry.id) }
    }

    /// Moves an element, which remains the same child. O(√n).
    ///
    /// - Parameters:
    ///   - id: The element's id.
    ///   - position: The position after the move, from 0 to `count - 1`.
    /// - Returns: Whether there is an element with this id.
    @inlinable @discardableResult
    public mutating func move(id: ID, to position: Int) -> Bool {
        guard let entry = takeOut(id) else { return false }
        place(entry, at: position)
        return true
    }

    /// Sorts the elements, which remain the same children. O(n log n).
    ///
    /// - Parameter areInOrder: Returns whether the first element is to precede the second.
    /// - Throws: The error of `areInOrder`. The list is then unchanged.
    @inlinable
    public mutating func sort(by areInOrder: (Element, Element) throws -> Bool) rethrows {
        var all = entries.all
        try all.sort { try areInOrder($0.element, $1.element) }
        number(all)
    }

    // MARK: Ranks

    /// The difference between the ranks of neighbors at first. An insertion between two of them halves it, so that thirty at the
    /// same place are possible before all elements get new ranks.
    @inlinable static var gap: Int { 1 << 32 }

    /// Inserts an entry at a position, under a new rank.
    @inlinable
    mutating func place(_ entry: Entry, at position: Int) {
        precondition(position >= 0 && position <= count, "position \(position) is not in 0...\(count)")
        guard let rank = freeRank(at: position) else {
            var all = entries.all
            all.insert(entry, at: position)
            return number(all)
        }
        entries.insert(entry, at: rank)
        ranks.set(rank, of: entry.id)
    }

    /// Returns a rank for a new element at a position, between the ranks of its neighbors; nil if there is none.
    @inlinable
    func freeRank(at position: Int) -> Int? {
        let before = position == 0 ? nil : rank(at: position - 1)
        let after = position == count ? nil : rank(at: position)
        switch (before, after) {
        case (nil, nil): return 0
        case (let before?, nil): return before > .max - Self.gap ? nil : before + Self.gap
        case (nil, let after?): return after < .min + Self.gap ? nil : after - Self.gap
        case (let before?, let after?):
            // Halved separately, as neither their sum nor their difference need fit into an `Int`.
            let middle = before / 2 + after / 2 + (before % 2 + after % 2) / 2
            return middle > before && middle < after ? middle : nil
        }
    }

    /// Returns the rank of the element at a position.
    @inlinable
    func rank(at position: Int) -> Int {
        let (leaf, place) = entries.find(position: position)
        return leaf.keys[place]
    }

    /// Replaces the content by these entries, with new ranks.
    @inlinable
    mutating func number(_ all: [Entry]) {
        entries = SortedTree()
        ranks = RankIndex()
        for (index, entry) in all.enumerated() {
            entries.insert(entry, at: index * Self.gap)
            ranks.set(index * Self.gap, of: entry.id)
        }
    }

    // MARK: Ids

    /// Removes the entry of an id, without a note in the history.
    @inlinable
    mutating func takeOut(_ id: ID) -> Entry? {
        guard let rank = ranks[id] else { return nil }
        ranks.remove(id)
        return entries.remove(rank)
    }
}
