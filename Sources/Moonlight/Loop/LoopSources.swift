/// A stream that a loop listens to.
@usableFromInline
protocol LoopSource: AnyObject, Sendable {
    /// Nothing more is wanted from it.
    func cancel()
}

/// The subscriptions of a loop that must be cancelled with it. A plain value; the loop keeps it behind a lock.
@usableFromInline
struct LoopSources: Sendable {
    @usableFromInline var members: [(any LoopSource)?] = []
    @usableFromInline var free: [Int] = []
    /// Whether the loop has ended, so that nothing may be added.
    @usableFromInline var isClosed = false

    @inlinable
    init() {}

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

    /// Lets go of a stream of effects.
    @inlinable
    mutating func remove(at place: Int) {
        guard !isClosed else { return }
        members[place] = nil
        free.append(place)
        // What a burst has needed goes back.
        if free.count == members.count, free.count > 64 { (members, free) = ([], []) }
    }
}
