import Moonlight
import MoonlightRecording

/// The first step of a recording whose consequences differ with a reducer.
public struct RecordedDifference: Sendable, Hashable, CustomStringConvertible {
    /// The number of the step whose consequences differ: an event or an answer.
    public let step: Int
    /// The event, or the answer.
    public let action: String
    /// The difference in words, if it is not only the state.
    public let reason: String
    /// The parts of the state that differ: before is what was recorded, after is what the reducer makes of it now.
    public let changes: [RecordedStep.Change]

    /// The step and what differs, on one line.
    public var description: String {
        let parts =
            (reason.isEmpty ? [] : [reason])
            + changes.map { change in
                "\(change.path): it was \(change.before ?? "nothing"), and is now \(change.after ?? "nothing")"
            }
        return "after step \(step), \(action): \(parts.joined(separator: "; "))".escapingControls
    }
}
