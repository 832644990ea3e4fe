import Streams

/// The part of a fleet's logs that readers and the writer share.
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
    /// In order. The last one is being written.
    var segments: [FleetSegment] = []
    /// The position behind the last frame that may be read.
    var end: UInt64 = 0
    var tornEnd: TornEnd?
    /// What was damaged when it was opened.
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

    /// Makes a segment of a fleet that has frames already; it is whole, synced and named, or is not there.
    func makeSegment(_ first: UInt64, identity: UInt64, frames: [UInt8] = []) throws(DurabilityError) -> FleetSegment {
        try put(SegmentHeader(.fleet, identity: identity, first: first).bytes + frames, as: FleetNames.segment(first))
        return try openSegment(first, .writing)
    }

    func removeSegment(_ first: UInt64) throws(DurabilityError) {
        try remove(FleetNames.segment(first))
        // If an older segment came back after a crash, and a newer one did not, the positions would have a gap.
        try sync()
    }
}
