import Streams

/// The index and segments of a fleet's log, shared by readers and the writer.
final class FleetContents: Sendable {
    let view = Lock(FleetView())

    subscript(id: String) -> FleetIndex.Slot? {
        let key = MemberHash(id)
        return view.withLock { $0.index[key] }
    }

    var segments: [FleetSegment] { view.withLock { $0.segments } }
}

struct FleetView: Sendable {
    var isOpen = false
    var identity: UInt64 = 0
    var index = FleetIndex()
    /// The segments in order. The last one is being written.
    var segments: [FleetSegment] = []
    /// The position behind the last readable frame.
    var end: UInt64 = 0
    var tornEnd: TornEnd?
    /// The damage that was found when it was opened.
    var damage = FleetDamage()
    var cleaningFailure: DurabilityError?
}

extension LogFolder {
    /// Opens a segment of a fleet.
    func openSegment(_ first: UInt64, _ access: FileAccess) throws(DurabilityError) -> FleetSegment {
        let name = FleetNames.segment(first)
        let file = try open(name, access)
        do throws(DurabilityError) { return try FleetSegment(file, name: name, first: first) } catch {
            file.close()
            throw error
        }
    }

    /// Creates a segment of a fleet with frames, atomically.
    func makeSegment(_ first: UInt64, identity: UInt64, frames: [UInt8] = []) throws(DurabilityError) -> FleetSegment {
        try put(SegmentHeader(.fleet, identity: identity, first: first).bytes + frames, as: FleetNames.segment(first))
        return try openSegment(first, .writing)
    }

    func removeSegment(_ first: UInt64) throws(DurabilityError) {
        try remove(FleetNames.segment(first))
        // Synced each time: if a crash brought back an older segment and not a newer one, the positions would have a gap.
        try sync()
    }
}
