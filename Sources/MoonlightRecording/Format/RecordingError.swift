/// An error in a recording, or in a question about it.
public enum RecordingError: Error, Equatable, CustomStringConvertible {
    /// The file is no recording.
    case notARecording(reason: String)
    /// The recording was written in a later format than this version of Moonlight reads.
    case unknownVersion(UInt8)
    /// The bytes are not what was written.
    case damaged(byte: Int, reason: String)
    /// The file, or something in it, is larger than the limits allow; see ``RecordingLimits``.
    case tooLarge(what: String, size: Int, limit: Int)
    /// A file could not be read or written.
    case file(path: String, reason: String)
    /// The recording has no such step.
    case noStep(Int, kept: ClosedRange<Int>?)
    /// A value cannot be decoded: its type is not `Codable`, or is no longer what it was.
    case undecodable(what: String, step: Int, reason: String)
    /// The question is not one that can be answered, for example a predicate that cannot be read.
    case question(String)

    /// The error, its place, and the remedy.
    public var description: String {
        switch self {
        case .notARecording(let reason): "this is not a recording: \(reason)"
        case .unknownVersion(let version):
            "the recording has format \(version), and this version of Moonlight reads format \(RecordingFormat.version) only"
        case .damaged(let byte, let reason): "the recording is damaged at byte \(byte): \(reason)"
        case .tooLarge(let what, let size, let limit): "\(what) is too large: \(size), and the limit is \(limit)"
        case .file(let path, let reason): "\(path): \(reason)"
        case .noStep(let number, let kept):
            if let kept {
                "there is no step \(number): the recording keeps steps \(kept.lowerBound) to \(kept.upperBound)"
            } else {
                "there is no step \(number): the recording is empty"
            }
        case .undecodable(let what, let step, let reason): "\(what) of step \(step) cannot be decoded: \(reason)"
        case .question(let text): text
        }
    }
}

/// Limits of the size of a recording that is read.
public struct RecordingLimits: Sendable, Hashable {
    /// The largest file, in bytes.
    public var file: Int
    /// The largest part of a file that is read at once, in bytes.
    public var frame: Int

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - file: The largest file, in bytes; 512 MiB unless given.
    ///   - frame: The largest part of a file that is read at once, in bytes; 64 MiB unless given.
    public init(file: Int = 512 << 20, frame: Int = 64 << 20) {
        self.file = file
        self.frame = frame
    }
}
