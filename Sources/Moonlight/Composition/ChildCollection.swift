/// A collection of children by id: an `IdentifiedList`, a dictionary, or a type of your own.
///
/// Events and effects find their child by its id: in O(log n) in an `IdentifiedList`, in O(1) in a dictionary. An `IdentifiedList`
/// is changed in place unless a previous state is still referenced; then only the path to the child is copied. A dictionary is copied
/// as a whole at each change, because the stream of states holds the previous state. For many children, use an `IdentifiedList`.
public protocol ChildCollection<ID, Child>: Equatable {
    /// The type of the children's ids.
    associatedtype ID: Hashable
    /// The type of a child's state.
    associatedtype Child: Equatable

    /// The child with an id; nil if there is none.
    subscript(id id: ID) -> Child? { get }

    /// Changes a child in place.
    ///
    /// - Parameters:
    ///   - id: The child's id.
    ///   - body: Changes the child.
    /// - Returns: The result of `body`; nil if the child is absent.
    /// - Throws: The error of `body`.
    mutating func update<Result>(id: ID, _ body: (inout Child) throws -> Result) rethrows -> Result?

    /// Removes a child. Does nothing if the child is absent.
    ///
    /// - Returns: The child, if it was there.
    @discardableResult
    mutating func remove(id: ID) -> Child?

    /// Returns the ids that have been removed since a version of the collection, and moves the mark to the current version.
    ///
    /// - Parameter mark: The number of the version, nil for none; afterwards, that of the current one.
    /// - Returns: The ids; nil, the default, if they are unknown. Then each child with effects in flight is looked up.
    func _departures(since mark: inout UInt64?) -> [ID]?
}

extension ChildCollection {
    /// Returns nil: the removals are unknown.
    public func _departures(since mark: inout UInt64?) -> [ID]? { nil }

    /// The number of the current version; nil if it has none.
    @usableFromInline var version: UInt64? {
        var mark: UInt64?
        _ = _departures(since: &mark)
        return mark
    }
}

extension IdentifiedList: ChildCollection where Element: Equatable {
    /// Returns the ids that have been removed, including those that were inserted again: these are new children.
    public func _departures(since mark: inout UInt64?) -> [ID]? { removals(since: &mark) }
}

extension Dictionary: ChildCollection where Value: Equatable {
    /// The child with an id; nil if there is none.
    @inlinable public subscript(id id: Key) -> Value? { self[id] }

    /// Changes a child in place.
    ///
    /// - Parameters:
    ///   - id: The child's id.
    ///   - body: Changes the child.
    /// - Returns: The result of `body`; nil if the child is absent.
    /// - Throws: The error of `body`.
    @inlinable
    public mutating func update<Result>(id: Key, _ body: (inout Value) throws -> Result) rethrows -> Result? {
        guard let index = index(forKey: id) else { return nil }
        return try body(&values[index])
    }

    /// Removes a child.
    ///
    /// - Returns: The child, if it was there.
    @inlinable @discardableResult
    public mutating func remove(id: Key) -> Value? { removeValue(forKey: id) }
}
