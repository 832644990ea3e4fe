/// The format of a file, which *The format of a recording* specifies.
enum RecordingFormat {
    /// The first seven bytes of a file; the version follows.
    static let magic: [UInt8] = Array("MOONREC".utf8)
    static let version: UInt8 = 1
    /// The latest time of a step, and the longest duration of a timer, in nanoseconds: 36 years.
    static let latest = 1 << 60
    /// The maximal depth of a tree.
    static let deepest = 256
    /// The maximal number of values in the steps of one segment.
    static let mostValues = 2_000_000

    /// The maximal number of texts in one segment, and in all segments of a file.
    static let (mostTexts, mostTextsInAll) = (1 << 20, 1 << 23)
    /// The maximal size of the texts that one segment refers to, counting each reference, so that a small file cannot expand
    /// to an enormous one. A new segment begins long before that.
    static let (mostReferred, manyReferred) = (256 << 20, 32 << 20)

    /// The first byte of a frame's content.
    enum Frame {
        static let header: UInt8 = 1
        static let segment: UInt8 = 2
        static let steps: UInt8 = 3
    }

    /// Adds a frame: its length and its checksum, with four and eight bytes, lowest first, and its content.
    static func add(_ content: [UInt8], to file: inout [UInt8]) {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: content.count).littleEndian) { file.append(contentsOf: $0) }
        withUnsafeBytes(of: Checksum.of(content).littleEndian) { file.append(contentsOf: $0) }
        file.append(contentsOf: content)
    }
}
