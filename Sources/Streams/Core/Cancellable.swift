/// Something under way that can be stopped.
public protocol Cancellable {
    /// Stops it. Safe from any thread and more than once.
    func cancel()
}
extension Cancellable {
    /// Keeps this alive in a collection, and with it what it would cancel.
    @inlinable public func store<C: RangeReplaceableCollection<AnyCancellable>>(in collection: inout C) {
        collection.append(AnyCancellable(self))
    }
    /// Keeps this alive in a set, and with it what it would cancel.
    @inlinable public func store(in set: inout Set<AnyCancellable>) { set.insert(AnyCancellable(self)) }
}
