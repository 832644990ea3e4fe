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
    public mutating func remove(_ id: ID) -> Element? {
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
        remove(entry.id)
        return entry.element
    }

    /// Removes all elements.
    @inlinable
    public mutating func removeAll() { removeAll { _ in true } }

    /// Removes the elements that fulfill a condition. O(n), plus O(log n) for each of them.
    ///
    /// - Parameter condition: Returns whether to remove an element.
    /// - Throws: What `condition` throws. The list is then unchanged.
    @inlinable
    public mutating func removeAll(where condition: (Element) throws -> Bool) rethrows {
        var gone: [ID] = []
        try entries.visit { _, entry in
            if try condition(entry.element) { gone.append(entry.id) }
            return true
        }
        for id in gone { remove(id) }
    }

    /// Moves an element, which remains the same child. O(√n).
    ///
    /// - Parameters:
    ///   - id: The element's id.
    ///   - position: The position after the move, from 0 to `count - 1`.
    /// - Returns: Whether there is an element with this id.
    @inlinable @discardableResult
    public mutating func move(_ id: ID, to position: Int) -> Bool {
        guard let entry = takeOut(id) else { return false }
        place(entry, at: position)
        return true
    }

    /// Sorts the elements, which remain the same children. O(n log n).
    ///
    /// - Parameter areInOrder: Returns whether the first element is to precede the second.
    /// - Throws: What `areInOrder` throws. The list is then unchanged.
    @inlinable
    public mutating func sort(by areInOrder: (Element, Element) throws -> Bool) rethrows {
        var all: [Entry] = []
        entries.visit {
            all.append($1)
            return true
        }
        try all.sort { try areInOrder($0.element, $1.element) }
        number(all)
    }

    // MARK: Ranks

    /// The difference between the ranks of neighbors where there is no shortage of room.
    @inlinable static var gap: Int { 1 << 32 }
    /// The minimum difference between the ranks of neighbors after renumbering.
    @inlinable static var smallGap: Int { 1 << 16 }

    /// Inserts an entry at a position, under a new rank.
    @inlinable
    mutating func place(_ entry: Entry, at position: Int) {
        precondition(position >= 0 && position <= count, "position \(position) is not in 0...\(count)")
        let rank = freeRank(at: position) ?? renumberedRank(at: position)
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

    /// Makes room for an element at a position, and returns a rank for it.
    ///
    /// Gives new ranks to as few neighbors as suffice, so that repeated insertion at the same position costs little more each
    /// time.
    @inlinable
    mutating func renumberedRank(at position: Int) -> Int {
        var radius = 4
        while true {
            let range = Swift.max(0, position - radius)..<Swift.min(count, position + radius)
            if let (start, step) = room(for: range) {
                let entries = range.map { _ in takeEntry(at: range.lowerBound) }
                var free = start
                for (index, entry) in zip(range, entries) {
                    if index == position { free += step }
                    self.entries.insert(entry, at: free)
                    ranks.set(free, of: entry.id)
                    free += step
                }
                return start + (position - range.lowerBound) * step
            }
            radius *= 2
        }
    }

    /// Returns new ranks for the elements of a range and one more: the first rank and the step between them; nil if there is not
    /// enough room between the neighbors of the range.
    @inlinable
    func room(for range: Range<Int>) -> (start: Int, step: Int)? {
        let needed = range.count + 2
        switch (range.lowerBound == 0, range.upperBound == count) {
        case (true, true): return (0, Self.gap)
        case (false, true):
            let before = rank(at: range.lowerBound - 1)
            return before > .max - needed * Self.gap ? nil : (before + Self.gap, Self.gap)
        case (true, false):
            let after = rank(at: range.upperBound)
            return after < .min + needed * Self.gap ? nil : (after - (needed - 1) * Self.gap, Self.gap)
        case (false, false):
            let (before, after) = (rank(at: range.lowerBound - 1), rank(at: range.upperBound))
            // Minus one, as both quotients are rounded.
            let step = after / needed - before / needed - 1
            return step < Self.smallGap ? nil : (before + step, step)
        }
    }

    @inlinable
    mutating func takeEntry(at position: Int) -> Entry { entries.remove(rank(at: position)) }

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
