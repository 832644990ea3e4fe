/// The format of a file. *The format of a recording* describes it.
enum RecordingFormat {
    /// What a file begins with: eight bytes, the last of which is the version.
    static let magic: [UInt8] = Array("MOONREC".utf8)
    static let version: UInt8 = 1
    /// The latest time of a step, and the longest span of a timer, in nanoseconds: 36 years.
    static let latest = 1 << 60
    /// How deep a tree may be.
    static let deepest = 256
    /// The number of values that the steps of one segment may have in all.
    static let mostValues = 2_000_000

    /// The number of texts that one segment may have, and all segments of a file.
    static let (mostTexts, mostTextsInAll) = (1 << 20, 1 << 23)
    /// The number of bytes of the texts that the values and steps of one segment may refer to, each as often as it is referred to:
    /// so a small file cannot stand for an enormous one. A new segment begins long before that.
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
