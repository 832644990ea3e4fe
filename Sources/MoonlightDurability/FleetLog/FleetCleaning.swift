import Streams

/// Finds the logs in the oldest segments that are still needed. A pass begins when the log is twice as large as after the pass before, and
/// goes through all segments that are complete then.
struct FleetCleaning {
    enum Step {
        /// A frame that is not needed, or not the base of a chain, with its size.
        case over(Int)
        /// The base of a chain, which must be moved.
        case needed(String, FrameChain, Int)
        /// The oldest segment has no more frames.
        case segmentEnds(LogSegment)
        case ends
    }

    /// The position at which the pass ends; nil between passes.
    private var passEnd: UInt64?
    private var reader: FrameReader?
    /// The number of bytes of the log after the last pass.
    private var needed: UInt64 = 0

    /// Begins a pass if it is time, and returns whether one is running.
    mutating func isDue(end: UInt64, segments: [LogSegment], segmentSize: UInt64) -> Bool {
        if passEnd != nil { return true }
        guard let first = segments.first, let last = segments.last, first !== last else { return false }
        guard end - first.first > max(2 * needed, 2 * segmentSize) else { return false }
        passEnd = last.first
        return true
    }

    mutating func next(_ view: borrowing Lock<FleetView>) throws -> Step {
        let segments = view.withLock { $0.segments }
        guard let passEnd, segments.count > 1, segments[0].first < passEnd else { return .ends }
        let segment = segments[0]
        var reader = try self.reader ?? FrameReader(segment, to: segments[1].first)
        let place = reader.position
        let step = try reader.next()
        self.reader = reader
        switch step {
        case .end:
            self.reader = nil
            return .segmentEnds(segment)
        case .bad(let reason):
            throw segment.damage(at: place, reason)
        case .frame(let header, let id):
            guard let slot = view.withLock({ $0.index[MemberHash(id)] }), slot.base == place else { return .over(header.size) }
            let chain = try FrameChain(of: id, from: slot.newest, to: slot.base, in: segments)
            return .needed(id, chain, header.size)
        }
    }

    /// Ends the pass if it has reached its end.
    mutating func endStep(end: UInt64, segments: [LogSegment]) {
        guard let passEnd, let first = segments.first?.first, first >= passEnd else { return }
        self.passEnd = nil
        needed = end - first
    }
}
