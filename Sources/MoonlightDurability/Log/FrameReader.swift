/// Reads the frames of one segment, one after another. Only a window of the file is in memory.
struct FrameReader {
    /// The next item of the segment.
    enum Step {
        case frame(LogFrame.Header, id: String)
        case end
        /// Bytes that are not the next frame.
        case bad(reason: String)
    }

    let segment: LogSegment
    /// The position of the next frame.
    private(set) var position: UInt64
    /// The position at which the reading ends.
    let end: UInt64
    private var window: FileWindow

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - segment: The segment.
    ///   - position: The first position to read; nil for the first frame.
    ///   - end: The position at which to stop; nil for the end of the file.
    init(_ segment: LogSegment, from position: UInt64? = nil, to end: UInt64? = nil) throws(DurabilityError) {
        self.segment = segment
        self.position = position ?? segment.first
        let size = segment.position(of: max(SegmentHeader.size, try segment.file.size()))
        self.end = min(end ?? .max, size)
        window = FileWindow(segment.file, to: segment.offset(of: self.end))
    }

    /// The number of bytes left.
    var rest: Int { position < end ? Int(end - position) : 0 }

    mutating func next() throws(DurabilityError) -> Step {
        guard rest > 0 else { return .end }
        guard let header = try header(at: position) else { return .bad(reason: try reason()) }
        let id = try read(LogFrame.headerSize + header.idCount, at: position) {
            String(validating: $0[LogFrame.headerSize...], as: UTF8.self)
        }
        guard let id else { return .bad(reason: "its id is not UTF-8") }
        position += UInt64(header.size)
        return .frame(header, id: id)
    }

    /// Returns the content of a frame that was read; nil if it is malformed.
    mutating func log(of header: LogFrame.Header) throws(DurabilityError) -> MemberLog? {
        try read(header.size, at: header.position) { bytes in
            LogFrame.log(Array(bytes[(LogFrame.headerSize + header.idCount)...])[...])
        }
    }

    /// Returns whether a later frame proves that the bad one had been durable: an intact one that was written when the bad one had been
    /// synced. A disk may keep a later write and lose an earlier one while neither is synced.
    mutating func isProvenDamaged() throws(DurabilityError) -> Bool {
        var place = position + 1
        while let (next, header) = try frame(from: place) {
            if header.synced > position { return true }
            place = next + 1
        }
        return false
    }

    /// Skips damage up to the next intact frame or the end.
    ///
    /// - Parameter owner: Returns the id of the frame at a position, if it is its member's newest one so far.
    /// - Returns: The damage, with the affected members.
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

    /// Returns the member and the size of a damaged frame at a position, if they are certain.
    private mutating func whose(
        _ place: UInt64, before next: UInt64, _ owner: (UInt64) -> String?
    ) throws(DurabilityError) -> (id: String, size: Int)? {
        let room = Int(next - place)
        guard room >= LogFrame.headerSize else { return nil }
        let found = try read(LogFrame.headerSize, at: place) { LogFrame.Header($0, at: 0) }
        // An intact checksum of the id proves the id and the size. If the size is damaged, the frame may fill the room.
        for size in [found.size, room] where size <= room && found.idCount <= min(size - LogFrame.headerSize, 1 << 16) {
            let id = try read(LogFrame.headerSize + found.idCount, at: place) { bytes -> String? in
                let id = UnsafeRawBufferPointer(rebasing: bytes[LogFrame.headerSize...])
                let checksum = LogFrame.idChecksum(id, position: place, count: size - LogFrame.headerSize)
                return checksum == found.idChecksum ? String(validating: id, as: UTF8.self) : nil
            }
            if let id { return (id, size) }
        }
        // If only the id is damaged, it is that of the member with the previous frame.
        guard room <= LogFrame.largestSize, let id = found.previous.flatMap(owner),
            id.utf8.count <= room - LogFrame.headerSize
        else { return nil }
        var frame = try read(room, at: place) { Array($0) }
        frame.replaceSubrange(LogFrame.headerSize..<LogFrame.headerSize + id.utf8.count, with: id.utf8)
        let checksum = frame.withUnsafeMutableBytes { LogFrame.name($0, idCount: id.utf8.count, position: place) }
        return checksum == found.checksum ? (id, room) : nil
    }

    /// Returns the first intact frame from a position on.
    private mutating func frame(
        from position: UInt64
    ) throws(DurabilityError) -> (position: UInt64, header: LogFrame.Header)? {
        let segment = segment
        var offset = segment.offset(of: position)
        // The position alone rules out nearly all offsets.
        while let found = try window.firstHeader(
            of: LogFrame.headerSize, from: offset, where: { number, offset in number == segment.position(of: offset) })
        {
            let place = segment.position(of: found)
            if let header = try header(at: place) { return (place, header) }
            offset = found + 1
        }
        return nil
    }

    /// Returns the header of the frame at a position, if the frame is intact.
    private mutating func header(at position: UInt64) throws(DurabilityError) -> LogFrame.Header? {
        guard let header = try possibleHeader(at: position) else { return nil }
        return try read(header.size, at: position) { LogFrame.header($0, at: 0, position: position) }
    }

    /// Returns the header at a position, if the file has a frame of its size.
    private mutating func possibleHeader(at position: UInt64) throws(DurabilityError) -> LogFrame.Header? {
        guard position < end, end - position >= UInt64(LogFrame.headerSize) else { return nil }
        let header = try read(LogFrame.headerSize, at: position) { LogFrame.Header($0, at: 0) }
        return header.isPossible && end - position >= UInt64(header.size) ? header : nil
    }

    private mutating func reason() throws(DurabilityError) -> String {
        guard rest >= LogFrame.headerSize else { return "its header is cut off" }
        return try possibleHeader(at: position) == nil ? "it is cut off" : "its checksum is wrong"
    }

    private mutating func read<Result>(
        _ count: Int, at position: UInt64, _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(DurabilityError) -> Result {
        try window.read(count, at: segment.offset(of: position), body)
    }
}

/// A damaged part of a segment.
struct FrameDamage {
    let segment: LogSegment
    let start: UInt64
    let end: UInt64
    /// The members that had a frame there.
    let ids: [String]
    /// True if other members may have had frames there.
    let isOthers: Bool
    let reason: String

    var error: DurabilityError { segment.damage(at: start, reason) }
}

/// A file of which only a window is in memory, for reading it from the beginning to the end.
struct FileWindow {
    private let file: any OpenFile
    /// The offset at which the reading ends.
    let end: Int
    private var bytes: [UInt8] = []
    private var start = 0
    private static let size = 1 << 18

    init(_ file: any OpenFile, to end: Int) {
        self.file = file
        self.end = end
    }

    /// Calls a closure with bytes of the file, which must have them.
    mutating func read<Result>(
        _ count: Int, at offset: Int, _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(DurabilityError) -> Result {
        try load(count, at: offset)
        let first = offset - start
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[first..<first + count])) }
    }

    /// Returns the first offset of a header from one on whose number, behind its first eight bytes, satisfies a predicate.
    mutating func firstHeader(
        of size: Int, from offset: Int, where isFound: (_ number: UInt64, _ offset: Int) -> Bool
    ) throws(DurabilityError) -> Int? {
        var offset = offset
        while end - offset >= size {
            try load(size, at: offset)
            let start = start
            let last = start + bytes.count - size
            let found = bytes.withUnsafeBytes { bytes -> Int? in
                for place in offset...last {
                    let number = bytes.loadUnaligned(fromByteOffset: place - start + 8, as: UInt64.self)
                    if isFound(UInt64(littleEndian: number), place) { return place }
                }
                return nil
            }
            if let found { return found }
            offset = last + 1
        }
        return nil
    }

    private mutating func load(_ count: Int, at offset: Int) throws(DurabilityError) {
        if offset >= start, offset + count <= start + bytes.count { return }
        bytes = try file.read(min(max(count, Self.size), end - offset), at: offset)
        start = offset
        // The file has become shorter since it was measured.
        if bytes.count < count { throw .shortFile }
    }
}
