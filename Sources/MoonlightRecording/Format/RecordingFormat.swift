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

    /// The maximal sizes of the texts of a state that is written, and of its JSON. A segment refers to the texts of two states at
    /// most beside those for which the next one begins.
    static let (mostText, mostJSON) = (mostReferred / 4, mostReferred / 4)

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

/// The header of a recording.
package struct RecordingHeader: Equatable, Sendable {
    /// The name of the loop; empty if it has none.
    package var loop = ""
    /// The beginning of the recording, in nanoseconds since 1970.
    package var start = 0
    /// The names of the types.
    package var (state, event, effect) = ("", "", "")
    package var environment = ""
    /// The place in the source where the recording was created: the path of the file, and the line.
    package var (file, line) = ("", 0)
    /// The paths of the properties of the state that are redacted, such as `user.token`.
    package var redacted: [String] = []
    /// True if something is redacted.
    package var isRedacted: Bool { !redacted.isEmpty }

    package init() {}

    var content: [UInt8] {
        var sink = ByteSink()
        sink.add(byte: RecordingFormat.Frame.header)
        sink.add(loop)
        sink.add(start)
        for text in [state, event, effect, environment, file] { sink.add(text) }
        sink.add(line)
        sink.add(redacted.count)
        for path in redacted { sink.add(path) }
        return sink.bytes
    }

    init(_ source: inout ByteSource) throws(RecordingError) {
        loop = try source.text()
        start = try source.number()
        state = try source.text()
        event = try source.text()
        effect = try source.text()
        environment = try source.text()
        file = try source.text()
        line = try source.number()
        for _ in 0..<(try source.count()) { redacted.append(try source.text()) }
    }
}
