import Moonlight

/// Where the newest frame of each member is: 32 bytes for a member, of which at least 58 % are in use once there are many.
///
/// The ids themselves are only on the disk. A member is known by 96 bits of its hash, which is seeded anew in each process; what is read
/// by a position has the id in it, and is compared.
struct FleetIndex {
    /// What is known of a member.
    struct Slot {
        fileprivate let hash: UInt64
        /// The newest frame.
        var newest: UInt64
        /// The frame at which reading it ends; ``FleetIndex/unknown`` if that frame was not found.
        var base: UInt64
        fileprivate let check: UInt32
        /// The lowest bits of its last record.
        var last: UInt32

        /// Not an optional, which would take eight bytes more.
        fileprivate var isFree: Bool { newest == FleetIndex.unknown }
        fileprivate static var free: Slot { Slot(MemberHash(0, 0), newest: unknown, base: unknown, last: 0) }

        init(_ key: MemberHash, newest: UInt64, base: UInt64, last: UInt64) {
            (hash, check) = (key.hash, key.check)
            self.newest = newest
            self.base = base
            self.last = UInt32(truncatingIfNeeded: last)
        }
    }

    /// A position that no frame has.
    static let unknown = UInt64.max

    private var slots = [Slot](repeating: .free, count: 16)
    private(set) var count = 0

    /// How many bytes it takes.
    var size: Int { slots.capacity * MemoryLayout<Slot>.stride }

    subscript(key: MemberHash) -> Slot? {
        get {
            let slot = slots[place(of: key)]
            return slot.isFree ? nil : slot
        }
        set {
            let place = place(of: key)
            guard let newValue else { return remove(at: place) }
            if slots[place].isFree {
                count += 1
                // Seven eighths.
                if count * 8 > slots.count * 7 {
                    grow()
                    slots[self.place(of: key)] = newValue
                    return
                }
            }
            slots[place] = newValue
        }
    }

    /// Calls a closure with what is known of each member.
    func forEach(_ body: (Slot) throws -> Void) rethrows { for slot in slots where !slot.isFree { try body(slot) } }

    /// The place of a member, or the free one where it would be.
    private func place(of key: MemberHash) -> Int {
        var place = Int(key.hash.multipliedFullWidth(by: UInt64(slots.count)).high)
        while !slots[place].isFree, slots[place].hash != key.hash || slots[place].check != key.check {
            place = place + 1 == slots.count ? 0 : place + 1
        }
        return place
    }

    /// Frees a place. The slots behind it that would be there move up, so that none of them is behind a free one.
    private mutating func remove(at place: Int) {
        if slots[place].isFree { return }
        count -= 1
        var free = place
        var next = place
        while true {
            next = next + 1 == slots.count ? 0 : next + 1
            if slots[next].isFree { break }
            let wanted = Int(slots[next].hash.multipliedFullWidth(by: UInt64(slots.count)).high)
            // Both counted from the free place on, around the end.
            let reach = next >= free ? next - free : next - free + slots.count
            let way = next >= wanted ? next - wanted : next - wanted + slots.count
            if way < reach { continue }
            slots[free] = slots[next]
            free = next
        }
        slots[free] = .free
    }

    /// Makes it half as large again: twice would leave more than half of it empty.
    private mutating func grow() {
        let old = slots
        slots = Array(repeating: .free, count: old.count + old.count / 2)
        for slot in old where !slot.isFree { slots[place(of: MemberHash(slot.hash, slot.check))] = slot }
    }
}

/// What tells one id from another, without the id.
struct MemberHash {
    fileprivate let hash: UInt64
    fileprivate let check: UInt32

    init(_ id: String) {
        let id = ExactText(id)
        var hasher = Hasher()
        hasher.combine(id)
        hash = UInt64(bitPattern: Int64(hasher.finalize()))
        hasher = Hasher()
        hasher.combine(0)
        hasher.combine(id)
        check = UInt32(truncatingIfNeeded: hasher.finalize())
    }

    fileprivate init(_ hash: UInt64, _ check: UInt32) {
        self.hash = hash
        self.check = check
    }
}
