/// One step of a recording, as it is stored.
package struct StepRecord: Equatable, Sendable {
    /// The outcome of a call.
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
    /// The number of the step that caused it; 0 if the cause is unknown or no longer kept; nil if it came from outside.
    package var cause: Int?
    /// Nanoseconds since the recording began.
    package var time = 0
    /// The path of the child that it belongs to; empty for the root.
    package var child = ""
    /// The description of the step, for people.
    package var text = ""
    /// The event, the arguments or the answer in Swift; empty if there is none.
    package var source = ""
    /// The event, the effect or the answer as JSON; empty if its type is not `Codable`.
    package var json = ""
    /// The name of the called function; empty for other steps.
    package var name = ""
    /// For an answer, the number of the step of its call.
    package var call = 0
    package var outcome = Outcome.value
    /// For a timer, the nanoseconds until it is due.
    package var span = 0
    /// True if an answer arrived after the call was cancelled.
    package var isLate = false
    /// The changes of the state by an effect.
    package var changes: [TreeChange] = []

    package init() {}
}
