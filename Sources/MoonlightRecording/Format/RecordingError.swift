/// An error in a recording, or in a query about it.
public enum RecordingError: Error, Equatable, CustomStringConvertible {
    /// The file is not a recording.
    case notARecording(reason: String)
    /// The recording was written in a format that this version of Moonlight cannot read.
    case unknownVersion(UInt8)
    /// The bytes are corrupted.
    case damaged(byte: Int, reason: String)
    /// The file, or a part of it, exceeds the limits with which it is read.
    case tooLarge(what: String, size: Int, limit: Int)
    /// A file could not be read or written.
    case file(path: String, reason: String)
    /// The recording has no such step.
    case noStep(Int, kept: ClosedRange<Int>?)
    /// A value cannot be decoded: its type is not `Codable`, or has changed.
    case undecodable(what: String, step: Int, reason: String)
    /// The query is invalid, for example a condition that cannot be parsed, or has no answer.
    case question(String)

    /// The error, its place, and the remedy, without control characters.
    public var description: String { text.escapingControlsInLines }

    private var text: String {
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

/// The limits of the size of a recording that is read.
package struct RecordingLimits: Sendable {
    /// The largest file, in bytes.
    package let file: Int
    /// The largest part of a file that is read at once, in bytes.
    package let frame: Int

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - file: The largest file, in bytes; 512 MiB unless given.
    ///   - frame: The largest part of a file that is read at once, in bytes; 64 MiB unless given.
    package init(file: Int = 512 << 20, frame: Int = 64 << 20) {
        self.file = file
        self.frame = frame
    }
}
