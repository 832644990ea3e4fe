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
    init(_ segment: FleetSegment, from position: UInt64? = nil, to end: UInt64? = nil) throws(FileFailure) {
        self.segment = segment
        self.position = position ?? segment.first
        let size = segment.position(of: max(FleetSegment.headerSize, try segment.file.size()))
        self.end = min(end ?? .max, size)
    }

    /// How many bytes are left.
    var rest: Int { position < end ? Int(end - position) : 0 }

    mutating func next() throws(FileFailure) -> Step {
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
    mutating func isProvenDamaged() throws(FileFailure) -> Bool {
        var place = position + 1
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
            if let header = try header(at: place), header.synced > position { return true }
            place += 1
        }
        return false
    }

    /// Returns the header of the frame that begins at a position, if the frame is whole.
    private mutating func header(at position: UInt64) throws(FileFailure) -> FleetFrame.Header? {
        guard position < end, end - position >= UInt64(FleetFrame.headerSize) else { return nil }
        try load(position, FleetFrame.headerSize)
        let start = windowStart
        let header = window.withUnsafeBytes { FleetFrame.Header($0, at: Int(position - start)) }
        guard header.isPossible, end - position >= UInt64(header.size) else { return nil }
        try load(position, header.size)
        let offset = Int(position - windowStart)
        return window.withUnsafeBytes { FleetFrame.header($0, at: offset, position: position) }
    }

    private mutating func reason() throws(FileFailure) -> String {
        guard rest >= FleetFrame.headerSize else { return "its header is cut off" }
        try load(position, FleetFrame.headerSize)
        let start = windowStart
        let header = window.withUnsafeBytes { [position] in FleetFrame.Header($0, at: Int(position - start)) }
        return !header.isPossible || rest < header.size ? "it is cut off" : "its checksum is wrong"
    }

    /// Makes sure that bytes are in the window. The file must have them.
    private mutating func load(_ position: UInt64, _ count: Int) throws(FileFailure) {
        if position >= windowStart, position + UInt64(count) <= windowStart + UInt64(window.count) { return }
        let wanted = min(max(count, Self.windowSize), Int(end - position))
        window = try segment.file.read(wanted, at: segment.offset(of: position))
        windowStart = position
        // The file has become shorter since it was measured.
        if window.count < count { throw FileFailure(.read, nil, .device) }
    }
}
