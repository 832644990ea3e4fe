/// A collection of children by id: an ``IdentifiedList``, a dictionary, an array of `Identifiable` elements, or a type of your
/// own.
///
/// Events and effects find their child by its id: in O(1) in a dictionary, O(log n) in an ``IdentifiedList``, O(n) in an array.
/// An ``IdentifiedList`` is changed in place unless a previous state is still referenced; then only the path to the child is
/// copied. A dictionary or an array is copied as a whole at each change, because the stream of states holds the previous state.
/// For many children, use an ``IdentifiedList``.
public protocol ChildCollection<ID, Child>: Equatable {
    /// The type of the children's ids.
    associatedtype ID: Hashable
    /// The type of a child's state.
    associatedtype Child: Equatable

    /// Returns the child with an id; nil if there is none.
    func child(_ id: ID) -> Child?

    /// Changes a child in place.
    ///
    /// - Parameters:
    ///   - id: The child's id.
    ///   - body: Changes the child.
    /// - Returns: The result of `body`; nil if the child is absent.
    /// - Throws: What `body` throws.
    mutating func updateChild<Result>(_ id: ID, _ body: (inout Child) throws -> Result) rethrows -> Result?

    /// Removes a child. Does nothing if the child is absent.
    mutating func removeChild(_ id: ID)

    /// Returns whether there is a child with an id.
    func hasChild(_ id: ID) -> Bool

    /// Returns the ids that have been removed since a version of the collection, and moves the mark to the current version.
    ///
    /// - Parameter mark: The version; afterwards, the current one.
    /// - Returns: The ids; nil, the default, if they are not known. Then each child with effects in flight is looked up.
    func _departures(since mark: inout _DepartureMark) -> [ID]?
}

/// The version of a collection of children up to which removals have been processed.
public struct _DepartureMark: Sendable, Hashable {
    /// A number by which the collection identifies the version; nil initially.
    public var number: UInt64?

    /// Creates a mark that stands for no version.
    public init() {}
}

extension ChildCollection {
    /// Returns whether there is a child with an id.
    public func hasChild(_ id: ID) -> Bool { child(id) != nil }

    /// Returns nil: the removals are not known.
    public func _departures(since mark: inout _DepartureMark) -> [ID]? { nil }

    /// A mark of the current version.
    @usableFromInline var departureMark: _DepartureMark {
        var mark = _DepartureMark()
        _ = _departures(since: &mark)
        return mark
    }
}

extension IdentifiedList: ChildCollection where Element: Equatable {
    /// Returns the child with an id; nil if there is none. O(log n).
    @inlinable public func child(_ id: ID) -> Element? { self[id: id] }

    /// Changes a child in place. O(log n).
    @inlinable
    public mutating func updateChild<Result>(
        _ id: ID, _ body: (inout Element) throws -> Result
    ) rethrows -> Result? { try update(id, body) }

    /// Removes a child. O(√n).
    public mutating func removeChild(_ id: ID) { remove(id) }

    /// Returns whether there is a child with an id. O(1).
    public func hasChild(_ id: ID) -> Bool { contains(id: id) }

    /// Returns the ids that have been removed, including those that were inserted again: these are new children.
    public func _departures(since mark: inout _DepartureMark) -> [ID]? { trail.gone(since: &mark.number) }
}

extension Dictionary: ChildCollection where Value: Equatable {
    /// Returns the child with an id; nil if there is none.
    @inlinable public func child(_ id: Key) -> Value? { self[id] }

    /// Changes a child in place.
    @inlinable
    public mutating func updateChild<Result>(_ id: Key, _ body: (inout Value) throws -> Result) rethrows -> Result? {
        guard let index = index(forKey: id) else { return nil }
        return try body(&values[index])
    }

    /// Removes a child.
    public mutating func removeChild(_ id: Key) { self[id] = nil }
}

extension Array: ChildCollection where Element: Identifiable & Equatable {
    /// Returns the first element with an id; nil if there is none. O(n).
    public func child(_ id: Element.ID) -> Element? { first { $0.id == id } }

    /// Changes the first element with an id in place. O(n).
    public mutating func updateChild<Result>(
        _ id: Element.ID, _ body: (inout Element) throws -> Result
    ) rethrows -> Result? {
        guard let index = firstIndex(where: { $0.id == id }) else { return nil }
        return try body(&self[index])
    }

    /// Removes all elements with an id. O(n).
    public mutating func removeChild(_ id: Element.ID) { removeAll { $0.id == id } }
}
