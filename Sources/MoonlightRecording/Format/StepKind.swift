/// The kind of a step of a recording.
public enum StepKind: String, Sendable, Hashable, CaseIterable {
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

    /// Returns the kind for a byte of a file; nil if there is none.
    init?(byte: UInt8) {
        guard Self.allCases.indices.contains(Int(byte)) else { return nil }
        self = Self.allCases[Int(byte)]
    }

    /// The byte of the kind in a file.
    var byte: UInt8 {
        switch self {
        case .event: 0
        case .effect: 1
        case .job: 2
        case .rule: 3
        case .rejected: 4
        case .effectRejected: 5
        case .call: 6
        case .answer: 7
        case .result: 8
        case .timer: 9
        case .fired: 10
        case .note: 11
        case .ended: 12
        }
    }
}
