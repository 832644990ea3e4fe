/// A stream that a loop subscribes to.
@usableFromInline
protocol LoopSource: AnyObject, Sendable {
    /// Cancels the subscription.
    func cancel()
}

/// The subscriptions of a loop, which must be cancelled with it. A plain value; the loop keeps it behind a lock.
@usableFromInline
struct LoopSources: Sendable {
    @usableFromInline var members: [(any LoopSource)?] = []
    @usableFromInline var free: [Int] = []
    /// Whether the loop has ended, so that nothing may be added.
    @usableFromInline var isClosed = false

    @inlinable
    init() {}

    /// Adds a subscription.
    ///
    /// - Returns: Its place, for `remove(at:)`.
    @inlinable
    mutating func add(_ member: any LoopSource) -> Int {
        if let place = free.popLast() {
            members[place] = member
            return place
        }
        members.append(member)
        return members.count - 1
    }

    /// Removes the subscription at a place.
    @inlinable
    mutating func remove(at place: Int) {
        guard !isClosed else { return }
        members[place] = nil
        free.append(place)
        // Releases the memory that a burst has needed.
        if free.count == members.count, free.count > 64 { (members, free) = ([], []) }
    }
}
