import Moonlight
import MoonlightTesting

/// Choices: events, outcomes and cancellations.
extension Exploration {
    /// Returns the exploration with further events that can come from outside, at any moment.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - count: The number of these events that come in one trace; nil for any number.
    public func events(_ events: [Event], atMost count: Int? = nil) -> Self {
        changed { $0.sources.append(EventSource(events: { _ in events }, most: count)) }
    }

    /// Returns the exploration with further events that can come from outside, depending on the state.
    ///
    /// - Parameters:
    ///   - count: The number of these events that come in one trace; nil for any number.
    ///   - events: Returns the events that can come in a state. Must depend on nothing else.
    public func events(atMost count: Int? = nil, _ events: @escaping @Sendable (State) -> [Event]) -> Self {
        changed { $0.sources.append(EventSource(events: events, most: count)) }
    }

    /// Returns the exploration with the outcomes of a stub's calls.
    ///
    /// A call that is open gets one of the outcomes at some later moment, or is cancelled before.
    ///
    /// - Parameters:
    ///   - stub: The stub.
    ///   - outputs: The values that a call may answer with.
    ///   - errors: The errors that a call may fail with.
    ///   - never: Whether a call may also stay open for good.
    @inlinable
    public func answers<Input, Output, Failure>(
        _ stub: Stub<Input, Output, Failure>, with outputs: [Output] = [], failing errors: [Failure] = [], never: Bool = false
    ) -> Self where Output: Sendable {
        answers(stub, never: never) { _ in outputs.map { .answer($0) } + errors.map { .failure($0) } }
    }

    /// Returns the exploration with the outcomes of a stub's calls, depending on their arguments.
    ///
    /// - Parameters:
    ///   - stub: The stub.
    ///   - never: Whether a call may also stay open for good.
    ///   - mostValues: The number of values that a stream may send before it ends.
    ///   - outcomes: Returns the outcomes of a call. Must depend on nothing but the arguments.
    @inlinable
    public func answers<Input, Output, Failure>(
        _ stub: Stub<Input, Output, Failure>, never: Bool = false, atMost mostValues: Int = 1,
        _ outcomes: @escaping @Sendable (Input) -> [CallOutcome<Output, Failure>]
    ) -> Self {
        ruled(stub.name, CallRule(stub, never: never, mostValues: mostValues, outcomes))
    }

    @usableFromInline
    func ruled(_ name: String, _ rule: CallRule) -> Self { changed { $0.rules[name] = rule } }

    /// Returns the exploration with cancellations: at any moment, each live effect may be cancelled from outside, as the system
    /// cancels a task, and so may the loop.
    ///
    /// An obligation of an effect that is cancelled remains, as in a program that waits for an answer that never comes:
    /// ``eventually(_:fileID:file:line:column:after:until:)`` finds it. Of a loop that is cancelled nothing is expected.
    public func cancelsAnywhere() -> Self { changed { $0.hasCancellations = true } }

    /// Returns the exploration with the promise that feedback remembers nothing but the last state: it consists of reactions
    /// (`react(to:)` and its kind) and rules, and of operators that remember nothing, such as `map`.
    ///
    /// Otherwise what feedback does next may depend on all states that it has ever received. Then no trace with feedback comes back
    /// to a node where it has been before, and a program that goes on for good has no end, and no cycle to be found.
    ///
    /// It is an error if feedback waits for a call or a timer outside a reaction. That it remembers in another way, as with `scan`,
    /// is not noticed.
    public func feedbackRemembersLastState() -> Self { changed { $0.feedbackForgets = true } }

    /// Returns the exploration with events and effects that may be refused, by an error that `transform` or `apply` throws.
    ///
    /// Without this, each refusal is a violation.
    ///
    /// - Parameter isExpected: Returns whether an error is an expected one.
    public func allowingRefusals(_ isExpected: @escaping @Sendable (any Error) -> Bool = { _ in true }) -> Self {
        changed { $0.isExpectedRefusal = isExpected }
    }
}
