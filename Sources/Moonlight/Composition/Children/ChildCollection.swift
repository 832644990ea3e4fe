/// What children by id may be kept in: an ``IdentifiedList``, a dictionary, an array of what is `Identifiable`, or one's own.
///
/// Events and effects find their child by its id, so that what counts is how long that takes: O(1) in a dictionary, O(log n)
/// in an ``IdentifiedList``, O(n) in an array. A list is changed where it lies unless somebody has kept the state before; what
/// is copied then is the way to the child. A dictionary or an array is copied as a whole at each change, as the stream of
/// states keeps the last one: for many children take an ``IdentifiedList``.
public protocol ChildCollection<ID, Child>: Equatable {
    /// What a child is found by.
    associatedtype ID: Hashable
    /// The state of a child.
    associatedtype Child: Equatable

    /// The child with this id.
    func child(_ id: ID) -> Child?

    /// Changes a child where it is.
    ///
    /// - Returns: What the closure returns; nil if there is no such child.
    mutating func updateChild<Result>(_ id: ID, _ body: (inout Child) throws -> Result) rethrows -> Result?

    /// Takes a child out.
    mutating func removeChild(_ id: ID)

    /// Whether there is a child with this id.
    func hasChild(_ id: ID) -> Bool

    /// The ids that have been taken out since the collection was last asked, if it knows; see `_DepartureMark`. Nil, which
    /// is the default, if it does not: then each child with effects in flight is looked up.
    func _departures(since mark: inout _DepartureMark) -> [ID]?
}

/// Until when it is known who has left a collection of children.
public struct _DepartureMark: Sendable, Hashable {
    /// A number that the collection finds its way by; nil at first.
    public var number: UInt64?

    /// A mark before everything.
    public init() {}
}

extension ChildCollection {
    /// Whether there is a child with this id.
    public func hasChild(_ id: ID) -> Bool { child(id) != nil }

    /// Nil: it is not known.
    public func _departures(since mark: inout _DepartureMark) -> [ID]? { nil }

    /// A mark of now.
    @usableFromInline var departureMark: _DepartureMark {
        var mark = _DepartureMark()
        _ = _departures(since: &mark)
        return mark
    }
}

extension IdentifiedList: ChildCollection where Element: Equatable {
    /// The child with this id. O(log n).
    @inlinable public func child(_ id: ID) -> Element? { self[id: id] }

    /// Changes a child where it is. O(log n).
    @inlinable
    public mutating func updateChild<Result>(
        _ id: ID, _ body: (inout Element) throws -> Result
    ) rethrows -> Result? { try update(id, body) }

    /// Takes a child out. O(√n).
    public mutating func removeChild(_ id: ID) { remove(id) }

    /// Whether there is a child with this id. O(1).
    public func hasChild(_ id: ID) -> Bool { contains(id: id) }

    /// The ids that have been taken out, also those that are back: they are other children.
    public func _departures(since mark: inout _DepartureMark) -> [ID]? { trail.gone(since: &mark.number) }
}

extension Dictionary: ChildCollection where Value: Equatable {
    /// The child with this id.
    @inlinable public func child(_ id: Key) -> Value? { self[id] }

    /// Changes a child where it is.
    @inlinable
    public mutating func updateChild<Result>(_ id: Key, _ body: (inout Value) throws -> Result) rethrows -> Result? {
        guard let index = index(forKey: id) else { return nil }
        return try body(&values[index])
    }

    /// Takes a child out.
    public mutating func removeChild(_ id: Key) { self[id] = nil }
}

extension Array: ChildCollection where Element: Identifiable & Equatable {
    /// The first element with this id. O(n).
    public func child(_ id: Element.ID) -> Element? { first { $0.id == id } }

    /// Changes a child where it is. O(n).
    public mutating func updateChild<Result>(
        _ id: Element.ID, _ body: (inout Element) throws -> Result
    ) rethrows -> Result? {
        guard let index = firstIndex(where: { $0.id == id }) else { return nil }
        return try body(&self[index])
    }

    /// Takes a child out. O(n).
    public mutating func removeChild(_ id: Element.ID) { removeAll { $0.id == id } }
}
