/// Reads the frames of one segment, one after another. Only a window of the file is in memory.
struct FrameReader {
    /// What stands next in the segment.
    enum Step {
        case frame(FleetFrame.Header, id: String)
        case end
        /// Something that is not the next frame.
        case bad(reason: String)
    }

    let segment: FleetSegment
    /// Where the next frame begins.
    private(set) var position: UInt64
    /// Where the reading ends.
    private let end: UInt64
    private var window: [UInt8] = []
    private var windowStart: UInt64 = 0
    private static let windowSize = 1 << 18

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - segment: The segment.
    ///   - position: Where to begin; nil for its first frame.
    ///   - end: Where to end; nil for the end of the file.
    init(_ segment: FleetSegment, from position: UInt64? = nil, to end: UInt64? = nil) throws(DurabilityError) {
        self.segment = segment
        self.position = position ?? segment.first
        let size = segment.position(of: max(FleetSegment.headerSize, try segment.file.size()))
        self.end = min(end ?? .max, size)
    }

    /// How many bytes are left.
    var rest: Int { position < end ? Int(end - position) : 0 }

    mutating func next() throws(DurabilityError) -> Step {
        guard rest > 0 else { return .end }
        guard let header = try header(at: position) else { return .bad(reason: try reason()) }
        let start = Int(position - windowStart) + FleetFrame.headerSize
        guard let id = String(validating: window[start..<start + header.idCount], as: UTF8.self) else {
            return .bad(reason: "its id is no text")
        }
        position += UInt64(header.size)
        return .frame(header, id: id)
    }

    /// Returns whether something after the bad place proves that the frame which should be there had been durable: a whole later frame
    /// that was written when that one had been synced. (A disk may keep a later write and lose an earlier one, as long as neither was
    /// synced.)
    mutating func isProvenDamaged() throws(DurabilityError) -> Bool {
        var place = position + 1
        while let (next, header) = try frame(from: place) {
            if header.synced > position { return true }
            place = next + 1
        }
        return false
    }

    /// Goes past what is damaged, to the next whole frame or the end.
    ///
    /// - Parameter owner: Returns the id of the frame at a position, if that is the newest one of its member so far.
    /// - Returns: The damage, and whose frames were there.
    mutating func skipDamage(_ reason: String, _ owner: (UInt64) -> String?) throws(DurabilityError) -> FrameDamage {
        let start = position
        let next = try frame(from: start + 1)?.position ?? max(end, start)
        var (place, ids): (UInt64, [String]) = (start, [])
        while place < next, let (id, size) = try whose(place, before: next, owner) {
            ids.append(id)
            place += UInt64(size)
        }
        position = next
        return FrameDamage(segment: segment, start: start, end: next, ids: ids, isOthers: place < next, reason: reason)
    }

    /// Returns whose frame begins at a position that is not a whole one, and its size, if that is certain.
    private mutating func whose(
        _ place: UInt64, before next: UInt64, _ owner: (UInt64) -> String?
    ) throws(DurabilityError) -> (id: String, size: Int)? {
        let room = Int(next - place)
        guard room >= FleetFrame.headerSize else { return nil }
        try load(place, FleetFrame.headerSize)
        let offset = Int(place - windowStart)
        let found = window.withUnsafeBytes { FleetFrame.Header($0, at: offset) }
        // The name is whole, and with it the size, unless the size is what is damaged.
        for size in [found.size, room] where size <= room && found.idCount <= min(size - FleetFrame.headerSize, 1 << 16) {
            try load(place, FleetFrame.headerSize + found.idCount)
            let first = Int(place - windowStart) + FleetFrame.headerSize
            let id = window[first..<first + found.idCount]
            let checksum = id.withUnsafeBytes {
                FleetFrame.idChecksum($0, position: place, count: size - FleetFrame.headerSize)
            }
            if checksum == found.idChecksum, let id = String(validating: id, as: UTF8.self) { return (id, size) }
        }
        // The name is damaged. It is that of the member whose frame is before it, if everything else is whole.
        guard room <= FleetFrame.largestSize, let id = found.previous.flatMap(owner),
            id.utf8.count <= room - FleetFrame.headerSize
        else { return nil }
        try load(place, room)
        let start = Int(place - windowStart)
        var frame = Array(window[start..<start + room])
        frame.replaceSubrange(FleetFrame.headerSize..<FleetFrame.headerSize + id.utf8.count, with: id.utf8)
        let checksum = frame.withUnsafeMutableBytes { FleetFrame.name($0, idCount: id.utf8.count, position: place) }
        return checksum == found.checksum ? (id, room) : nil
    }

    /// Returns the first whole frame from a position on.
    private mutating func frame(
        from position: UInt64
    ) throws(DurabilityError) -> (position: UInt64, header: FleetFrame.Header)? {
        var place = position
        while place < end, end - place >= UInt64(FleetFrame.headerSize) {
            try load(place, FleetFrame.headerSize)
            let first = Int(place - windowStart)
            let last = window.count - FleetFrame.headerSize
            let start = windowStart
            // The position alone rules out nearly all places.
            let found = window.withUnsafeBytes { bytes -> Int? in
                for offset in first...last {
                    let position = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
                    if position == start + UInt64(offset) { return offset }
                }
                return nil
            }
            guard let found else {
                place = windowStart + UInt64(last) + 1
                continue
            }
            place = windowStart + UInt64(found)
            if let header = try header(at: place) { return (place, header) }
            place += 1
        }
        return nil
    }

    /// Returns the header of the frame that begins at a position, if the frame is whole.
    private mutating func header(at position: UInt64) throws(DurabilityError) -> FleetFrame.Header? {
        guard position < end, end - position >= UInt64(FleetFrame.headerSize) else { return nil }
        try load(position, FleetFrame.headerSize)
        let start = windowStart
        let header = window.withUnsafeBytes { FleetFrame.Header($0, at: Int(position - start)) }
        guard header.isPossible, end - position >= UInt64(header.size) else { return nil }
        try load(position, header.size)
        let offset = Int(position - windowStart)
        return window.withUnsafeBytes { FleetFrame.header($0, at: offset, position: position) }
    }

    private mutating func reason() throws(DurabilityError) -> String {
        guard rest >= FleetFrame.headerSize else { return "its header is cut off" }
        try load(position, FleetFrame.headerSize)
        let start = windowStart
        let header = window.withUnsafeBytes { [position] in FleetFrame.Header($0, at: Int(position - start)) }
        return !header.isPossible || rest < header.size ? "it is cut off" : "its checksum is wrong"
    }

    /// Makes sure that bytes are in the window. The file must have them.
    private mutating func load(_ position: UInt64, _ count: Int) throws(DurabilityError) {
        if position >= windowStart, position + UInt64(count) <= windowStart + UInt64(window.count) { return }
        let wanted = min(max(count, Self.windowSize), Int(end - position))
        window = try segment.file.read(wanted, at: segment.offset(of: position))
        windowStart = position
        // The file has become shorter since it was measured.
        if window.count < count { throw DurabilityError.file(.read, path: nil, .device) }
    }
}

/// A part of a segment that is not what was written.
struct FrameDamage {
    let segment: FleetSegment
    let start: UInt64
    let end: UInt64
    /// The members that had a frame there.
    let ids: [String]
    /// Whether other members may have had one.
    let isOthers: Bool
    let reason: String

    var error: DurabilityError {
        .damaged(
            file: FleetNames.segment(segment.first), offset: segment.offset(of: start), sequence: start, reason: reason)
    }
}
