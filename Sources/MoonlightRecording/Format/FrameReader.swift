/// Reads the frames of a file in order, as they arrive: a file that still grows is read piece by piece.
struct FrameReader: Sendable {
    private let limits: RecordingLimits
    private var header: RecordingHeader?
    private var segments: [Segment] = []
    /// The place in the file behind the last whole frame.
    private(set) var place = 0
    /// The frames by which a file is known again: the header, the beginning of the last segment, and the last one.
    private(set) var anchors: [UInt8: Anchor] = [:]

    /// A frame: its place, and its length and checksum.
    struct Anchor: Sendable {
        let place: Int
        let head: [UInt8]
    }

    init(limits: RecordingLimits) { self.limits = limits }

    /// Reads the whole frames of the next bytes. What follows them is to come again, with more bytes behind it.
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

    /// The content of the first frame; nil if it is not whole.
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
                throw .damaged(byte: place, reason: "step \(segment.first) comes twice")
            }
            segments.append(segment)
        case (RecordingFormat.Frame.steps, false) where !segments.isEmpty: try segments[segments.count - 1].append(&source)
        default: throw .damaged(byte: place, reason: "a frame stands where it cannot stand")
        }
        guard source.isAtEnd else { throw source.damaged("a frame goes on behind its end") }
    }

    /// What has been read so far.
    ///
    /// - Parameter size: The number of bytes that the file has.
    func archive(size: Int) throws(RecordingError) -> Archive {
        guard let header else { throw .notARecording(reason: "it was cut off before its header was written") }
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
