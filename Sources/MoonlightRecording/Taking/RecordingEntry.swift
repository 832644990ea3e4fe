import Moonlight
import MoonlightTesting

/// What is taken down while the loop runs, and made into steps elsewhere.
enum RecordingEntry<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    /// A loop began.
    case begin(State, at: ContinuousClock.Instant)
    /// The loop's journal.
    case journal(JournalRecord<State, Event, Effect>)
    /// Something at the border to the world.
    case world(WorldEntry)
}

/// What happened at the border to the world.
struct WorldEntry: Sendable {
    enum What: Sendable {
        case call(RecordedCall)
        case answer(call: Int, RecordedAnswer, isLate: Bool)
        case result(RecordedCall, RecordedAnswer)
        case timer(Duration)
        case fired
    }

    /// The number of the call or timer.
    let id: Int
    let what: What
    /// The number of the record in the journal that caused it; nil if it came from outside the loop.
    let cause: Int?
    let time: ContinuousClock.Instant
}

/// A call of a function, to be described later.
struct RecordedCall: Sendable {
    let name: String
    /// The call as failures and stories show it: `find("mo")`.
    let text: @Sendable () -> String
    /// The arguments in Swift, in parentheses.
    let source: @Sendable () -> String

    init<Input: Sendable, Output, Failure>(_ call: StubCall<Input, Output, Failure>) {
        let input = call.input
        let stub = UncheckedStub(call.stub)
        name = call.stub.name
        text = { stub.value(input).description }
        source = { SwiftSource.arguments(of: input) }
    }
}

/// A stub, whose type of output need not be Sendable to make a description.
private struct UncheckedStub<Input, Output, Failure: Error>: @unchecked Sendable {
    // Sound: a stub is Sendable whatever its types are.
    let value: Stub<Input, Output, Failure>
    init(_ value: Stub<Input, Output, Failure>) { self.value = value }
}

/// What the world answered, to be described and encoded later.
struct RecordedAnswer: Sendable {
    let outcome: StepRecord.Outcome
    /// The value or error; nil if there is none.
    let value: (any Sendable)?
    /// Whether the compiler knows the type of the value where it stands in a plan.
    let isTypeKnown: Bool

    init(_ outcome: StepRecord.Outcome, _ value: (any Sendable)? = nil, isTypeKnown: Bool = true) {
        (self.outcome, self.value, self.isTypeKnown) = (outcome, value, isTypeKnown)
    }
}
