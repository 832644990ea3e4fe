import Streams

/// The index and segments of a fleet's log, shared by readers and the writer.
final class FleetContents: Sendable {
    let view = Lock(FleetView())

    subscript(id: String) -> FleetIndex.Slot? {
        let key = MemberHash(id)
        return view.withLock { $0.index[key] }
    }

    var segments: [LogSegment] { view.withLock { $0.segments } }

    /// Notes the segment that is written next. It may replace one at the same position.
    func begin(_ segment: LogSegment) {
        let old = view.withLock { view -> [LogSegment] in
            let old = view.segments
            if old.last?.first == segment.first { view.segments.removeLast() }
            view.segments.append(segment)
            return old
        }
        discard(old)
    }
}

struct FleetView: Sendable {
    var isOpen = false
    var identity: UInt64 = 0
    var index = FleetIndex()
    /// The segments in order. The last one is being written.
    var segments: [LogSegment] = []
    /// The position behind the last readable frame.
    var end: UInt64 = 0
    var tornEnd: TornEnd?
    /// The damage that was found when it was opened.
    var damage = FleetDamage()
    var cleaningFailure: DurabilityError?
}
