import Streams
import Synchronization

/// Which ids have been taken out of a list of late, so that a loop need not look for all that might have been.
///
/// Each insertion and removal has a number that no other has, in any list. Who knows the number at which he last looked finds
/// it here again if the list has come from that one by a few such steps; if not, the list may be another altogether.
@usableFromInline
struct MembershipHistory<ID> {
    private static var length: Int { 32 }

    private var steps: [(number: UInt64, gone: ID?)] = []

    @usableFromInline
    init() {}

    /// Notes an insertion, or the removal of an id.
    @usableFromInline
    mutating func note(_ gone: ID?) {
        if steps.count == Self.length { steps.removeFirst(Self.length / 2) }
        steps.append((trailNumbers.add(1, ordering: .relaxed).newValue, gone))
    }

    /// The ids that have been taken out since a number, also those that are back; nil if that cannot be told.
    @usableFromInline
    func gone(since mark: inout UInt64?) -> [ID]? {
        let last = steps.last?.number ?? 0
        defer { mark = last }
        if mark == last { return last == 0 ? nil : [] }
        guard let mark, let place = steps.lastIndex(where: { $0.number == mark }) else { return nil }
        return steps[(place + 1)...].compactMap(\.gone)
    }
}

extension MembershipHistory: Sendable where ID: Sendable {}

private let trailNumbers = Atomic<UInt64>(0)
