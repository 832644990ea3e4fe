/// One step of a recording, as it is kept.
package struct StepRecord: Equatable, Sendable {
    /// What became of a call.
    package enum Outcome: UInt8, Sendable {
        /// It returned a value, or sent one and finished.
        case value
        /// It failed.
        case failure
        /// A stream sent a value, and stays open.
        case sent
        /// A stream finished.
        case finished
        /// It was cancelled.
        case cancelled
    }

    package var number = 0
    package var kind = StepKind.note
    /// The number of the step that caused it; 0 if that is not known, or no longer kept; nil if it came from outside.
    package var cause: Int?
    /// Nanoseconds since the recording began.
    package var time = 0
    /// The path of the child that it belongs to; empty for the root.
    package var child = ""
    /// What happened, for people.
    package var text = ""
    /// The event, the arguments or the answer in Swift; empty if there is nothing to write.
    package var source = ""
    /// The event, the effect or the answer as JSON; empty if its type is not `Codable`.
    package var json = ""
    /// The name of the function that was called; empty for other steps.
    package var name = ""
    /// Of an answer, the number of the step of its call.
    package var call = 0
    package var outcome = Outcome.value
    /// Of a timer, the nanoseconds until it is due.
    package var span = 0
    /// Whether an answer came after the call was cancelled.
    package var isLate = false
    /// What an effect changed.
    package var changes: [TreeChange] = []

    package init() {}
}
