/// One step of a recording, as it is stored.
package struct StepRecord: Equatable, Sendable {
    /// The outcome of a call.
    package enum Outcome: UInt8, Sendable {
        /// The call returned a value, or its stream sent one and finished.
        case value
        /// The call failed.
        case failure
        /// The stream sent a value, and stays open.
        case sent
        /// The stream finished.
        case finished
        /// The call was cancelled.
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
    /// The description of the step for readers.
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

    /// The number of the step that caused it, or of the call that it answers; 0 if it came from outside or is unknown.
    package var origin: Int { kind == .answer || kind == .fired ? call : cause ?? 0 }
}

/// The kind of a step of a recording.
public enum StepKind: Sendable {
    // A file stores the index of a case: append new ones at the end.

    /// An event was accepted.
    case event
    /// An effect was applied.
    case effect
    /// A job began, ended, or was cancelled.
    case job
    /// A rule fired, or was blocked.
    case rule
    /// An event was rejected.
    case rejected
    /// An effect was rejected.
    case effectRejected
    /// A function of the environment was called, which answers later.
    case call
    /// A function of the environment answered.
    case answer
    /// A function of the environment was called, and answered at once.
    case result
    /// A timer was set.
    case timer
    /// A timer was due.
    case fired
    /// Another record, such as one of lost events.
    case note
    /// The loop ended.
    case ended

    /// All kinds, in the order of their bytes.
    static let all: [Self] = [
        .event, .effect, .job, .rule, .rejected, .effectRejected, .call, .answer, .result, .timer, .fired, .note, .ended,
    ]

    /// Returns the kind for a byte of a file; nil if there is none.
    init?(byte: UInt8) {
        guard Self.all.indices.contains(Int(byte)) else { return nil }
        self = Self.all[Int(byte)]
    }

    /// The byte of the kind in a file.
    var byte: UInt8 { UInt8(Self.all.firstIndex(of: self) ?? 0) }
}
