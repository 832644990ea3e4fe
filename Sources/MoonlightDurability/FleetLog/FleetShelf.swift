import Streams

/// What readers and the writer of a fleet's logs share.
final class FleetShelf: Sendable {
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

/// The files in the folder of a fleet.
struct FleetFiles: Sendable {
    let folder: String
    let files: any FileSystem

    func path(_ name: String) -> String { folder + "/" + name }

    func open(_ first: UInt64, _ access: FileAccess) throws -> FleetSegment {
        let name = FleetNames.segment(first)
        return try FleetSegment(files.open(path(name), access), name: name, first: first)
    }

    /// Makes a segment that has frames already; it is whole, synced and named, or is not there.
    func make(_ first: UInt64, identity: UInt64, made: Int64, frames: [UInt8] = []) throws -> FleetSegment {
        let name = FleetNames.segment(first)
        let unfinished = path(name + FolderNames.unfinished)
        do {
            let file = try files.open(unfinished, .replacing)
            defer { file.close() }
            try file.write(FleetSegment.header(identity: identity, first: first, made: made) + frames, at: 0)
            try file.sync()
        }
        try files.rename(unfinished, to: path(name))
        try files.syncFolder(folder)
        return try open(first, .writing)
    }

    func remove(_ first: UInt64) throws {
        try files.remove(path(FleetNames.segment(first)))
        // If an older segment came back after a crash, and a newer one did not, the positions would have a gap.
        try files.syncFolder(folder)
    }
}
