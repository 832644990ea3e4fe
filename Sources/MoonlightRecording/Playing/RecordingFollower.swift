/// Reads a recording that a program still writes with `Recording.follow(in:)`.
///
/// Each look reads only what was added. A file that was replaced, as the program does when it has grown too large, or that was cut, is
/// read anew.
package actor RecordingFollower {
    /// What a look has found.
    package enum Finding: Sendable {
        /// Steps were added: the recording with them.
        case grown(RecordingReader)
        /// Another recording is there.
        case anew(RecordingReader)
    }

    /// What was added to the file: maybe no whole frame yet.
    private struct More { let finding: Finding? }

    private let path: String
    private let limits: RecordingLimits
    private var frames: FrameReader
    /// What was read last: the file, as it was just before. Nil if that was of no use.
    private var read: (file: GrowingFile, version: GrowingFile.Version?)?
    /// A file that cannot be read, which is not read again before it has changed.
    private var failed: (file: GrowingFile, version: GrowingFile.Version?, error: RecordingError)?

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limits: How large it may be.
    /// - Throws: What is wrong with the file.
    package init(_ path: String, limits: RecordingLimits = RecordingLimits()) throws(RecordingError) {
        self.path = path
        self.limits = limits
        let file = try GrowingFile(path)
        read = (file, try file.version())
        (frames, opened) = try Self.read(file, limits)
        recording = opened
    }

    private static func read(
        _ file: GrowingFile, _ limits: RecordingLimits
    ) throws(RecordingError) -> (FrameReader, RecordingReader) {
        let bytes = try file.read(from: 0, limit: limits.file)
        var frames = FrameReader(limits: limits)
        try frames.read(bytes[...])
        return (frames, RecordingReader(try frames.archive(size: bytes.count)))
    }

    /// The recording as it was when the file was opened.
    package nonisolated let opened: RecordingReader
    /// The recording as it was when it was read last.
    package private(set) var recording: RecordingReader

    /// Looks whether there is something new.
    ///
    /// - Returns: What was found; nil for nothing.
    /// - Throws: What is wrong with the file. What was read before stays as it was; the next look begins with the whole file.
    package func look() throws(RecordingError) -> Finding? {
        if let failed, let version = failed.version, try failed.file.version() == version { throw failed.error }
        failed = nil
        if let (file, version) = read {
            let now = try file.version()
            if now == version, now != nil { return nil }
            if let now, let more = try more(of: file, now) { return more.finding }
        }
        return try whole()
    }

    /// Reads what was added; nil if it does not continue what was read.
    private func more(of file: GrowingFile, _ version: GrowingFile.Version) throws(RecordingError) -> More? {
        for anchor in frames.anchors.values {
            guard try file.read(from: anchor.place, count: anchor.head.count) == anchor.head else { return nil }
        }
        let bytes = try file.read(from: frames.place, limit: limits.file)
        var longer = frames
        do throws(RecordingError) { try longer.read(bytes[...]) } catch { return nil }
        read = (file, version)
        // A frame that is not whole yet is read again.
        if longer.place == frames.place { return More(finding: nil) }
        recording = RecordingReader(try longer.archive(size: frames.place + bytes.count))
        frames = longer
        return More(finding: .grown(recording))
    }

    private func whole() throws(RecordingError) -> Finding {
        read = nil
        let file = try GrowingFile(path)
        let version = try file.version()
        do throws(RecordingError) { (frames, recording) = try Self.read(file, limits) } catch {
            failed = (file, version, error)
            throw error
        }
        read = (file, version)
        return .anew(recording)
    }
}
