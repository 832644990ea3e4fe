/// The kind of a step of a recording.
public enum StepKind: String, Sendable, Hashable, CaseIterable {
    // A file has the place of a case in this list: new ones are added at the end.

    /// An event was taken.
    case event
    /// An effect was applied.
    case effect
    /// A job began, ended, or was cancelled.
    case job
    /// A rule fired, or was kept from it.
    case rule
    /// An event was rejected.
    case rejected
    /// An effect was rejected.
    case effectRejected
    /// The world was asked something, which it answers later.
    case call
    /// The world answered.
    case answer
    /// The world was asked something, and answered at once.
    case result
    /// A timer was set.
    case timer
    /// A timer was due.
    case fired
    /// Something else, such as events that were lost.
    case note
    /// The loop ended.
    case ended

    /// Returns the kind that a byte of a file stands for; nil if there is none.
    init?(byte: UInt8) {
        guard Self.allCases.indices.contains(Int(byte)) else { return nil }
        self = Self.allCases[Int(byte)]
    }

    /// What stands for it in a file.
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
