import Moonlight

/// An index of members: the position of each newest frame. A member takes 32 bytes; a large table is at least 58 % full.
///
/// The ids themselves are only on the disk. A member is identified by 96 bits of its hash, with a seed for each process; a frame that is
/// read has the id, which is compared.
struct FleetIndex {
    /// The entry of a member.
    struct Slot {
        fileprivate let hash: UInt64
        /// The newest frame.
        var newest: UInt64
        /// The frame at which its chain ends; ``FleetIndex/unknown`` if that frame was not found.
        var base: UInt64
        fileprivate let check: UInt32
        /// The lowest bits of its last record.
        var last: UInt32

        /// A special value, since an optional would take eight bytes more.
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

    /// The size in bytes.
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

    /// Calls a closure with each entry.
    func forEach(_ body: (Slot) throws -> Void) rethrows { for slot in slots where !slot.isFree { try body(slot) } }

    /// Returns the place of a member, or the free one for it.
    private func place(of key: MemberHash) -> Int {
        var place = Int(key.hash.multipliedFullWidth(by: UInt64(slots.count)).high)
        while !slots[place].isFree, slots[place].hash != key.hash || slots[place].check != key.check {
            place = place + 1 == slots.count ? 0 : place + 1
        }
        return place
    }

    /// Frees a place, and moves later slots up, so that none is behind a free place.
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

    /// Grows by half: doubling would leave more than half of it empty.
    private mutating func grow() {
        let old = slots
        slots = Array(repeating: .free, count: old.count + old.count / 2)
        for slot in old where !slot.isFree { slots[place(of: MemberHash(slot.hash, slot.check))] = slot }
    }
}

/// A hash that identifies a member without its id.
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
