extension IdentifiedList {
    /// Adds an element at the end. O(log n).
    ///
    /// - Returns: Whether it was added: not if there is one with this id.
    @discardableResult
    public mutating func append(_ element: Element, id: ID) -> Bool { insert(element, id: id, at: count) }

    /// Adds an element at a position. O(log n), on average.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - id: Its id.
    ///   - position: Where, from 0 to `count`.
    /// - Returns: Whether it was added: not if there is one with this id.
    @discardableResult
    public mutating func insert(_ element: Element, id: ID, at position: Int) -> Bool {
        if contains(id: id) { return false }
        place(Entry(id: id, element: element), at: position)
        trail.note(nil)
        return true
    }

    /// Takes out an element. O(log n).
    ///
    /// - Returns: The element; nil if there was none with this id.
    @discardableResult
    public mutating func remove(_ id: ID) -> Element? {
        guard let entry = takeOut(id) else { return nil }
        trail.note(id)
        return entry.element
    }

    /// Takes out the element at a position. O(log n).
    @discardableResult
    public mutating func remove(at position: Int) -> Element {
        let (leaf, place) = entries.find(position: position)
        let entry = leaf.values[place]
        remove(entry.id)
        return entry.element
    }

    /// Takes out all elements.
    public mutating func removeAll() { removeAll { _ in true } }

    /// Takes out the elements that a condition holds for. O(n).
    public mutating func removeAll(where condition: (Element) throws -> Bool) rethrows {
        var gone: [ID] = []
        try entries.visit { _, entry in
            if try condition(entry.element) { gone.append(entry.id) }
            return true
        }
        for id in gone { remove(id) }
    }

    /// Moves an element. It stays the same child. O(log n).
    ///
    /// - Parameters:
    ///   - id: Which.
    ///   - position: Its position afterwards.
    /// - Returns: Whether there was one with this id.
    @discardableResult
    public mutating func move(_ id: ID, to position: Int) -> Bool {
        guard let entry = takeOut(id) else { return false }
        place(entry, at: position)
        return true
    }

    /// Sorts the elements. They stay the same children. O(n log n).
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

    private static var gap: Int { 1 << 32 }
    /// What must be left between neighbours when ranks are given anew.
    private static var smallGap: Int { 1 << 16 }

    private mutating func place(_ entry: Entry, at position: Int) {
        precondition(position >= 0 && position <= count, "position \(position) is not in 0...\(count)")
        let rank = freeRank(at: position) ?? renumberedRank(at: position)
        entries.insert(entry, at: rank)
        setRank(rank, of: entry.id)
    }

    /// A rank between those of the neighbours; nil if there is no room left.
    private func freeRank(at position: Int) -> Int? {
        let before = position == 0 ? nil : rank(at: position - 1)
        let after = position == count ? nil : rank(at: position)
        switch (before, after) {
        case (nil, nil): return 0
        case (let before?, nil): return before > .max - Self.gap ? nil : before + Self.gap
        case (nil, let after?): return after < .min + Self.gap ? nil : after - Self.gap
        case (let before?, let after?):
            // Both halved first, as their difference may be too great for a number.
            let middle = before / 2 + after / 2 + (before % 2 + after % 2) / 2
            return middle > before && middle < after ? middle : nil
        }
    }

    private func rank(at position: Int) -> Int {
        let (leaf, place) = entries.find(position: position)
        return leaf.keys[place]
    }

    /// Makes room: gives new ranks to as few neighbours as will do, so that inserting in the same place again and again
    /// costs O(log n) each on average.
    private mutating func renumberedRank(at position: Int) -> Int {
        var radius = 4
        while true {
            let range = Swift.max(0, position - radius)..<Swift.min(count, position + radius)
            if let (start, step) = room(for: range) {
                let entries = range.map { _ in takeEntry(at: range.lowerBound) }
                var free = start
                for (index, entry) in zip(range, entries) {
                    if index == position { free += step }
                    self.entries.insert(entry, at: free)
                    setRank(free, of: entry.id)
                    free += step
                }
                return start + (position - range.lowerBound) * step
            }
            radius *= 2
        }
    }

    /// Where ranks for a range and one element more may start, and in what steps; nil if there is not enough room.
    private func room(for range: Range<Int>) -> (start: Int, step: Int)? {
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
            // One less, as both quotients are rounded.
            let step = after / needed - before / needed - 1
            return step < Self.smallGap ? nil : (before + step, step)
        }
    }

    private mutating func takeEntry(at position: Int) -> Entry { entries.remove(rank(at: position)) }

    private mutating func number(_ all: [Entry]) {
        (entries, ranks) = (SortedTree(), SortedTree())
        for (index, entry) in all.enumerated() {
            entries.insert(entry, at: index * Self.gap)
            setRank(index * Self.gap, of: entry.id)
        }
    }

    // MARK: Ids

    private mutating func setRank(_ rank: Int, of id: ID) {
        let hash = id.hashValue
        let isNew: Void? = ranks.update(hash) { bucket in
            switch bucket {
            case .one(let other, _) where other == id: bucket = .one(id, rank)
            case .one(let other, let itsRank): bucket = .several([(other, itsRank), (id, rank)])
            case .several(let all): bucket = .several(all.filter { $0.0 != id } + [(id, rank)])
            }
        }
        if isNew == nil { ranks.insert(.one(id, rank), at: hash) }
    }

    private mutating func takeOut(_ id: ID) -> Entry? {
        guard let rank = rank(of: id) else { return nil }
        let hash = id.hashValue
        if case .several(let all)? = ranks.value(hash), all.count > 1 {
            ranks.update(hash) { $0 = .several(all.filter { $0.0 != id }) }
        } else {
            _ = ranks.remove(hash)
        }
        return entries.remove(rank)
    }
}
