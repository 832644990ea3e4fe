/// A bound of the steps and bytes that a recording keeps.
public struct RecordingBound: Sendable, Hashable {
    /// The number of steps that are kept at least, if there were so many. Up to an eighth more may be kept.
    public let steps: Int
    /// The number of bytes that are kept at most, about; the steps of a single segment are kept whatever they take.
    public let bytes: Int

    /// The number of steps in a segment, with a full state at its beginning.
    var segment: Int { min(512, max(1, steps / 8)) }

    /// Keeps the last steps.
    ///
    /// - Parameters:
    ///   - steps: The number of steps, at least 1.
    ///   - bytes: The number of bytes, at least 1; 64 MiB unless given.
    public static func last(_ steps: Int, bytes: Int = 64 << 20) -> RecordingBound {
        precondition(steps > 0 && bytes > 0, "RecordingBound.last(\(steps), bytes: \(bytes)): both must be at least 1")
        return RecordingBound(steps: steps, bytes: bytes)
    }
}
