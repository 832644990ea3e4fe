import Streams
import Synchronization

/// A list whose elements are found by their ids: children by id, rows of a table, open files.
///
/// ```swift
/// var rows = IdentifiedList([Row(id: 7), Row(id: 3)])
/// rows[id: 7]?.title          // O(log n)
/// rows.update(7) { $0.title = "seven" }
/// rows.move(7, to: 1)
/// ```
/// The order is that of insertion, until elements are moved. Copies share what they have in common: to change one of n
/// elements costs O(log n), whoever else holds the list, and so does to compare it with what it was before; to insert, move
/// or remove one costs O(√n). A state that is published at each change wants that: an array would be copied as a whole.
///
/// Ids are kept beside the elements; for elements that are `Identifiable` they need not be given. An element stays under the
/// id that it was inserted with: to put one that is `Identifiable` under another id, or to change its id in place, traps.
public struct IdentifiedList<ID: Hashable, Element> {
    @usableFromInline
    struct Entry {
        @usableFromInline let id: ID
        @usableFromInline var element: Element

        @inlinable
        init(id: ID, element: Element) { (self.id, self.element) = (id, element) }
    }

    /// By their ranks: numbers in the order of the list, with room between them.
    @usableFromInline var entries: SortedTree<Entry>
    @usableFromInline var ranks: RankIndex<ID>
    @usableFromInline var trail: MembershipHistory<ID>

    /// A list without elements.
    @inlinable
    public init() { (entries, ranks, trail) = (SortedTree(), RankIndex(), MembershipHistory()) }

    /// A list of elements with their ids. Of several with the same id the last stays, in the place of the first.
    @inlinable
    public init(_ elements: some Sequence<Element>, id: (Element) -> ID) {
        self.init()
        for element in elements { self[id: id(element)] = element }
    }

    // MARK: Finding

    @inlinable
    func rank(of id: ID) -> Int? { ranks[id] }

    /// Whether there is an element with this id. O(1).
    @inlinable
    public func contains(id: ID) -> Bool { rank(of: id) != nil }

    /// The position of an id. O(log n).
    @inlinable
    public func position(of id: ID) -> Int? { rank(of: id).map { entries.position(of: $0) } }

    /// The ids in the order of the list. O(n).
    @inlinable
    public var ids: [ID] {
        var ids: [ID] = []
        ids.reserveCapacity(count)
        entries.visit {
            ids.append($1.id)
            return true
        }
        return ids
    }

    /// The id of the element at a position. O(log n).
    @inlinable
    public func id(at position: Int) -> ID {
        let (leaf, place) = entries.find(position: position)
        return leaf.values[place].id
    }

    /// The element with this id; nil if there is none. Set it to replace the element where it is, to append one under a new
    /// id, or, by nil, to remove it. O(log n).
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
            remove(id)
            return
        }
        if change(id, { $0 = element }) == nil { append(element, id: id) }
    }

    /// Visits in order the elements that are new, or others than they were in another version: O(log n) for each, if that
    /// is the one before.
    func visitChanges(
        since other: Self, while goesOn: () -> Bool, _ body: (ID, _ before: Element?, _ after: Element) -> Void
    ) where Element: Equatable {
        entries.visit(notSharedWith: other.entries) { entry in
            guard goesOn() else { return }
            let before = other[id: entry.id]
            if before != entry.element { body(entry.id, before, entry.element) }
        }
    }

    /// Changes an element in place. O(log n).
    ///
    /// - Returns: What the closure returns; nil if there is no element with this id.
    @inlinable @discardableResult
    public mutating func update<Result>(_ id: ID, _ body: (inout Element) throws -> Result) rethrows -> Result? {
        try change(id, body)
    }

    @inlinable
    mutating func change<Result>(_ id: ID, _ body: (inout Element) throws -> Result) rethrows -> Result? {
        guard let rank = rank(of: id) else { return nil }
        return try entries.update(rank) { try body(&$0.element) }
    }

    /// Exchanges the element that has a rank for another.
    @inlinable
    mutating func exchange(_ element: inout Element, at rank: Int) {
        entries.update(rank) { swap(&$0.element, &element) }
    }
}

extension IdentifiedList.Entry: Equatable where Element: Equatable {
    @inlinable
    static func == (one: Self, other: Self) -> Bool { one.id == other.id && one.element == other.element }
}

extension IdentifiedList: Equatable where Element: Equatable {
    /// Whether two lists have equal elements, under equal ids, in the same order. O(log n) for lists of which one came from
    /// the other by changing few elements, O(n) otherwise.
    @inlinable
    public static func == (one: Self, other: Self) -> Bool { one.entries == other.entries }
}

extension IdentifiedList: Sendable where ID: Sendable, Element: Sendable {}
extension IdentifiedList.Entry: Sendable where ID: Sendable, Element: Sendable {}
