import Moonlight
import SwiftText

/// An entry that is recorded while the loop runs, and encoded later.
///
/// Rare cases are references: an entry is about as large as a record of the journal, and has a fixed layout, so that it can
/// be copied without looking up its type.
@usableFromInline
enum RecordingEntry<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    /// The loop's journal.
    case journal(JournalRecord<State, Event, Effect>)
    /// A loop began.
    case begin(LoopBeginning<State>)
    /// A call, an answer or a timer.
    case world(WorldEntry)

    /// The state after the entry; nil if it has none.
    @inlinable var stateAfter: State? {
        switch self {
        case .journal(let record): if case .effect(_, _, let after) = record.step { after } else { nil }
        case .begin(let beginning): beginning.state
        case .world: nil
        }
    }

    @inlinable var isBeginning: Bool { if case .begin = self { true } else { false } }
}

/// The initial state of a loop, and the time of its beginning.
@usableFromInline
final class LoopBeginning<State: Sendable>: Sendable {
    @usableFromInline let state: State
    let time: ContinuousClock.Instant

    init(_ state: State, at time: ContinuousClock.Instant) {
        self.state = state
        self.time = time
    }
}

/// A call, an answer or a timer.
@usableFromInline
final class WorldEntry: Sendable {
    enum What: Sendable {
        case call(RecordedCall)
        case answer(call: Int, RecordedAnswer, isLate: Bool)
        case result(RecordedCall, RecordedAnswer)
        case timer(Duration)
        case fired
        case withdrawn
    }

    /// The number of the call or timer.
    let id: Int
    let what: What
    /// The number of the record in the journal that caused it; nil if it came from outside the loop.
    let cause: Int?
    let time: ContinuousClock.Instant

    init(id: Int, what: What, cause: Int?, time: ContinuousClock.Instant) {
        self.id = id
        self.what = what
        self.cause = cause
        self.time = time
    }
}

/// A call of a function, to be described later.
struct RecordedCall: Sendable {
    let name: String
    /// The description of the call: `find("mo")`.
    let text: @Sendable () -> String
    /// The arguments in Swift, in parentheses.
    let source: @Sendable () -> String

    init<each Argument: Sendable>(_ name: String, _ arguments: repeat each Argument) {
        let all = (repeat each arguments)
        self.name = name
        text = {
            var texts: [String] = []
            for argument in repeat each all { texts.append(ValueText.describe(argument)) }
            return "\(name)(\(texts.joined(separator: ", ")))"
        }
        source = { SwiftSource.arguments(of: all) }
    }
}

/// An answer of the environment, to be described and encoded later.
struct RecordedAnswer: Sendable {
    let outcome: StepRecord.Outcome
    /// The value or error; nil if there is none.
    let value: (any Sendable)?
    /// True if the compiler knows the type of the value at its place in a plan.
    let isTypeKnown: Bool

    init(_ outcome: StepRecord.Outcome, _ value: (any Sendable)? = nil, isTypeKnown: Bool = true) {
        self.outcome = outcome
        self.value = value
        self.isTypeKnown = isTypeKnown
    }
}
