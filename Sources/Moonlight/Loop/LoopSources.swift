/// A stream that a loop subscribes to.
@usableFromInline
protocol LoopSource: AnyObject, Sendable {
    /// Cancels the subscription.
    func cancel()
}

/// The subscriptions of a loop, which must be cancelled with it. A plain value; the loop keeps it behind a lock.
@usableFromInline
struct LoopSources: Sendable {
    /// Nil once the loop has ended, so that nothing may be added.
    @usableFromInline var members: [(any LoopSource)?]? = []
    @usableFromInline var free: [Int] = []

    @inlinable
    init() {}

    /// Adds a subscription.
    ///
    /// - Returns: Its place, for `remove(at:)`; nil if the loop has ended.
    @inlinable
    mutating func add(_ member: any LoopSource) -> Int? {
        guard let count = members?.count else { return nil }
        if let place = free.popLast() {
            members![place] = member
            return place
        }
        members!.append(member)
        return count
    }

    /// Removes the subscription at a place.
    @inlinable
    mutating func remove(at place: Int) {
        guard let count = members?.count else { return }
        members![place] = nil
        free.append(place)
        // Releases the memory that a burst has needed.
        if free.count == count, free.count > 64 { (members, free) = ([], []) }
    }

    /// Removes and returns all subscriptions. From now on, none is added.
    @inlinable
    mutating func close() -> [(any LoopSource)?] {
        defer { (members, free) = (nil, []) }
        return members ?? []
    }
}
