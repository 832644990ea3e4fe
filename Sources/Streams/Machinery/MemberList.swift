/// The members of a subject, or the subscriptions that wait for a future, in the order in which they joined. A delivery walks over
/// plain pointers. A member stores its place, so that removing it takes constant time: its place becomes empty, and the list is
/// compacted once more than half of it is empty. Only one thread at a time may use it: the owner of the subject's mailbox, or the
/// one that holds the future's lock.
@usableFromInline package struct MemberList<Member: AnyObject>: ~Copyable {
    @usableFromInline package var places: UnsafeMutablePointer<Unmanaged<Member>?>
    @usableFromInline package var count = 0
    @usableFromInline var capacity = 0
    @usableFromInline var live = 0
    @inlinable init() { places = UnsafeMutablePointer(bitPattern: MemoryLayout<UInt>.alignment)! }

    /// Releases all members and the memory. Call it before the list is destroyed; it has no `deinit`, because generic code would
    /// have to look up the type there.
    @inlinable mutating func end() {
        for index in 0..<count { places[index]?.release() }
        if capacity > 0 { places.deallocate() }
        self = Self()
    }

    /// Adds a member and retains it; returns its place.
    @inlinable mutating func append(_ member: Member) -> Int {
        if count == capacity { grow() }
        (places + count).initialize(to: Unmanaged.passRetained(member))
        count += 1
        live += 1
        return count - 1
    }

    /// Removes and returns the member at a place. It is not released: the caller owns the reference.
    @inlinable package mutating func take(at place: Int) -> Unmanaged<Member>? {
        guard let member = places[place] else { return nil }
        places[place] = nil
        live -= 1
        while count > 0, places[count - 1] == nil { count -= 1 }
        return member
    }

    /// Whether so many places are empty that the list should be compacted.
    @inlinable var isSparse: Bool { count > 16 && live < count / 2 }

    /// Removes the empty places.
    ///
    /// - Parameter moved: Receives each member and its new place.
    @inlinable mutating func closeUp(_ moved: (Member, Int) -> Void) {
        var next = 0
        for index in 0..<count {
            guard let member = places[index] else { continue }
            places[index] = nil
            places[next] = member
            member._withUnsafeGuaranteedRef { moved($0, next) }
            next += 1
        }
        count = next
    }

    @inlinable mutating func grow() {
        let newCapacity = max(1, capacity * 2)
        let newPlaces = UnsafeMutablePointer<Unmanaged<Member>?>.allocate(capacity: newCapacity)
        newPlaces.moveInitialize(from: places, count: count)
        if capacity > 0 { places.deallocate() }
        places = newPlaces
        capacity = newCapacity
    }
}
