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
