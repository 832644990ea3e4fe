/// A list whose elements are found by their ids, such as children, rows of a table or open files.
///
/// ```swift
/// var rows = IdentifiedList([Row(id: 7), Row(id: 3)])
/// rows[id: 7]?.title          // O(log n)
/// rows.update(id: 7) { $0.title = "seven" }
/// rows.move(id: 7, to: 1)
/// ```
/// The order is that of insertion, until elements are moved. Copies share storage: changing one of n elements costs O(log n),
/// even if other copies of the list exist, and so does comparing the list with the one before the change; inserting, moving or
/// removing an element costs O(√n). This suits a state that is published at each change: an array would be copied as a whole.
///
/// Ids are stored beside the elements; for `Identifiable` elements they need not be given. An element remains under the id that
/// it was inserted with. Storing an `Identifiable` element under another id, or changing its id in place, traps.
public struct IdentifiedList<ID: Hashable, Element> {
    @usableFromInline
    struct Entry {
        @usableFromInline let id: ID
        @usableFromInline var element: Element

        @inlinable
        init(id: ID, element: Element) {
            self.id = id
            self.element = element
        }
    }

    /// The entries by rank. Ranks are numbers in the order of the list, with gaps between them.
    @usableFromInline var entries: SortedTree<Entry>
    /// The rank of each id.
    @usableFromInline var ranks: RankIndex<ID>
    /// The recent insertions and removals.
    @usableFromInline var trail: MembershipHistory<ID>

    /// Creates an empty list.
    @inlinable
    public init() {
        entries = SortedTree()
        ranks = RankIndex()
        trail = MembershipHistory()
    }

    /// Creates a list of elements with their ids. Of several elements with the same id, the last is kept, at the position of the
    /// first.
    ///
    /// - Parameters:
    ///   - elements: The elements, in the order of the list.
    ///   - id: Returns the id of an element.
    @inlinable
    public init(_ elements: some Sequence<Element>, id: (Element) -> ID) {
        self.init()
        for element in elements { self[id: id(element)] = element }
    }

    /// Returns the ids that have been removed since a version of the list, including those that were inserted again.
    ///
    /// - Parameter mark: The number of the version, nil for none; afterwards, that of the current one.
    /// - Returns: The ids; nil if they are unknown.
    package func removals(since mark: inout UInt64?) -> [ID]? { trail.gone(since: &mark) }

    // MARK: Finding

    @inlinable
    func rank(of id: ID) -> Int? { ranks[id] }

    /// Returns whether there is an element with an id. O(1).
    @inlinable
    public func contains(id: ID) -> Bool { rank(of: id) != nil }

    /// Returns the position of the element with an id; nil if there is none. O(log n).
    @inlinable
    public func position(of id: ID) -> Int? { rank(of: id).map { entries.position(of: $0) } }

    /// The ids in the order of the list. O(n).
    @inlinable
    public var ids: [ID] { entries.all.map(\.id) }

    /// Returns the id of the element at a position. O(log n).
    ///
    /// - Precondition: The position is at least 0 and less than `count`.
    @inlinable
    public func id(at position: Int) -> ID {
        let (leaf, place) = entries.find(position: position)
        return leaf.values[place].id
    }

    /// The element with an id; nil if there is none. O(log n).
    ///
    /// Setting an element replaces the one with this id in place, O(log n), or appends it if there is none, O(√n). Setting nil
    /// removes the element, O(√n).
    @inlinable
    public subscript(id id: ID) -> Element? {
        get { element(under: id) }
        set { set(newValue, under: id) }
    }

    @inlinable
    func element(under id: ID) -> Element? {
        guard let rank = rank(of: id) else { return nil }
        return entries.value(rank)?.element
    }

    @inlinable
    mutating func set(_ element: Element?, under id: ID) {
        guard let element else {
            remove(id: id)
            return
        }
        if change(id, { $0 = element }) == nil { append(element, id: id) }
    }

    /// Visits in order the elements that are new or have changed since another version of the list.
    ///
    /// - Parameters:
    ///   - other: The other version. If it is the previous one, each element that is visited costs O(log n).
    ///   - body: Receives the id, and the element in the other version and in this one. Returns whether to continue.
    package func visitChanges(
        since other: Self, _ body: (ID, _ before: Element?, _ after: Element) -> Bool
    ) where Element: Equatable {
        var goesOn = true
        entries.visit(notSharedWith: other.entries) { entry in
            guard goesOn else { return }
            let before = other[id: entry.id]
            if before != entry.element { goesOn = body(entry.id, before, entry.element) }
        }
    }

    /// Changes an element in place. O(log n).
    ///
    /// - Parameters:
    ///   - id: The element's id.
    ///   - body: Changes the element.
    /// - Returns: The result of `body`; nil if there is no element with this id.
    /// - Throws: The error of `body`.
    @inlinable @discardableResult
    public mutating func update<Result>(id: ID, _ body: (inout Element) throws -> Result) rethrows -> Result? {
        try change(id, body)
    }

    @inlinable
    mutating func change<Result>(_ id: ID, _ body: (inout Element) throws -> Result) rethrows -> Result? {
        guard let rank = rank(of: id) else { return nil }
        return try entries.update(rank) { try body(&$0.element) }
    }
}

extension IdentifiedList.Entry: Equatable where Element: Equatable {
    @inlinable
    static func == (one: Self, other: Self) -> Bool { one.id == other.id && one.element == other.element }
}

extension IdentifiedList: Equatable where Element: Equatable {
    /// Returns whether two lists have equal elements, under equal ids, in the same order. O(log n) if one list was derived from
    /// the other by changing a few elements, O(n) otherwise.
    @inlinable
    public static func == (one: Self, other: Self) -> Bool { one.entries == other.entries }
}

extension IdentifiedList: Hashable where Element: Hashable {
    /// Hashes the elements and their ids, in order. O(n).
    @inlinable
    public func hash(into hasher: inout Hasher) {
        for entry in entries.all {
            hasher.combine(entry.id)
            hasher.combine(entry.element)
        }
        hasher.combine(count)
    }
}

extension IdentifiedList: Sendable where ID: Sendable, Element: Sendable {}
extension IdentifiedList.Entry: Sendable where ID: Sendable, Element: Sendable {}
