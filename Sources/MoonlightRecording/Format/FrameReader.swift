/// A reader of frames in order, as they arrive: a growing file is read piece by piece.
struct FrameReader: Sendable {
    private let limits: RecordingLimits
    private var header: RecordingHeader?
    private var segments: [Segment] = []
    /// The offset in the file after the last complete frame.
    private(set) var place = 0
    /// The frames that identify a file: the header, the beginning of the last segment, and the last frame.
    private(set) var anchors: [UInt8: Anchor] = [:]

    /// A frame: its offset, and its length and checksum.
    struct Anchor: Sendable {
        let place: Int
        let head: [UInt8]
    }

    init(limits: RecordingLimits) { self.limits = limits }

    /// Reads the complete frames of the next bytes. Bytes after them must be passed again, together with more.
    ///
    /// - Parameter bytes: The bytes of the file from ``place`` on.
    mutating func read(_ bytes: ArraySlice<UInt8>) throws(RecordingError) {
        var rest = bytes
        if place == 0 {
            let magic = RecordingFormat.magic
            guard rest.count > magic.count, rest.starts(with: magic) else {
                throw .notARecording(
                    reason: rest.isEmpty ? "it is empty" : "it does not begin with \(String(decoding: magic, as: UTF8.self))")
            }
            let version = rest[rest.startIndex + magic.count]
            guard version == RecordingFormat.version else { throw .unknownVersion(version) }
            place = magic.count + 1
            rest = rest.dropFirst(place)
        }
        while let content = try content(of: rest) {
            try read(frame: content)
            let anchor = Anchor(place: place, head: Array(rest.prefix(12)))
            anchors[content.first ?? 0] = anchor
            place += 12 + content.count
            rest = rest.dropFirst(12 + content.count)
        }
    }

    /// Returns the content of the first frame; nil if it is incomplete.
    private func content(of bytes: ArraySlice<UInt8>) throws(RecordingError) -> ArraySlice<UInt8>? {
        guard bytes.count >= 12 else { return nil }
        let (length, sum) = bytes.withUnsafeBytes { bytes in
            (
                Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))),
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
            )
        }
        guard length <= limits.frame else {
            throw .tooLarge(what: "the frame at byte \(place)", size: length, limit: limits.frame)
        }
        guard bytes.count - 12 >= length else { return nil }
        let content = bytes.dropFirst(12).prefix(length)
        guard Checksum.of(content) == sum else { throw .damaged(byte: place, reason: "the checksum of a frame is wrong") }
        return content
    }

    private mutating func read(frame content: ArraySlice<UInt8>) throws(RecordingError) {
        var source = ByteSource(content, at: place + 12)
        switch (try source.byte(), header == nil) {
        case (RecordingFormat.Frame.header, true): header = try RecordingHeader(&source)
        case (RecordingFormat.Frame.segment, false):
            let segment = try Segment(&source)
            if let last = segments.last, segment.first < last.first + last.count {
                throw .damaged(byte: place, reason: "step \(segment.first) occurs twice")
            }
            segments.append(segment)
        case (RecordingFormat.Frame.steps, false) where !segments.isEmpty: try segments[segments.count - 1].append(&source)
        default: throw .damaged(byte: place, reason: "a frame is out of order")
        }
        guard source.isAtEnd else { throw source.damaged("a frame has bytes after its content") }
    }

    /// Returns the recording that was read so far.
    ///
    /// - Parameter size: The size of the file in bytes.
    func archive(size: Int) throws(RecordingError) -> Archive {
        guard let header else { throw .notARecording(reason: "it was truncated before its header was written") }
        var archive = Archive(header)
        archive.segments = segments
        archive.cut = place < size ? place : nil
        let texts = segments.reduce(0) { $0 + $1.texts.count }
        guard texts <= RecordingFormat.mostTextsInAll else {
            throw .tooLarge(what: "the list of texts", size: texts, limit: RecordingFormat.mostTextsInAll)
        }
        let last = segments.last?.first
        archive.segments.removeAll { $0.count == 0 && $0.first != last }
        return archive
    }
}
