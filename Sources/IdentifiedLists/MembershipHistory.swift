import Synchronization

/// The ids that were recently removed from a list, so that a loop need not look up every child that might have been removed.
///
/// Each insertion and removal has a number that is unique among all lists. A loop stores the number of the last step that it has
/// processed. If this history contains that number, the later steps are known. If not, there were too many steps, or the list is
/// not derived from the one that the loop processed.
@usableFromInline
struct MembershipHistory<ID> {
    /// The maximum number of steps that are kept.
    private static var length: Int { 32 }

    /// The last insertions and removals, oldest first; `gone` is nil for an insertion.
    private var steps: [(number: UInt64, gone: ID?)] = []

    @usableFromInline
    init() {}

    /// Records the removal of an id, or an insertion.
    ///
    /// - Parameter gone: The removed id; nil for an insertion.
    @usableFromInline
    mutating func note(_ gone: ID?) {
        if steps.count == Self.length { steps.removeFirst(Self.length / 2) }
        steps.append((trailNumbers.add(1, ordering: .relaxed).newValue, gone))
    }

    /// Returns the ids that have been removed since a step, including those that were inserted again; nil if they are unknown.
    ///
    /// - Parameter mark: The number of the step; afterwards, that of the last step.
    func gone(since mark: inout UInt64?) -> [ID]? {
        let last = steps.last?.number ?? 0
        defer { mark = last }
        if mark == last { return last == 0 ? nil : [] }
        guard let mark, let place = steps.lastIndex(where: { $0.number == mark }) else { return nil }
        return steps[(place + 1)...].compactMap(\.gone)
    }
}

extension MembershipHistory: Sendable where ID: Sendable {}

/// The number of the last insertion or removal in any list, on any thread.
@usableFromInline package var lastMembershipStep: UInt64 { trailNumbers.load(ordering: .relaxed) }

private let trailNumbers = Atomic<UInt64>(0)
