import Moonlight
import MoonlightTesting

/// Choices: outcomes, cancellations and rejections.
extension Exploration {
    /// Returns the exploration with the outcomes of a stub's calls.
    ///
    /// An open call receives one of the outcomes in a later step, or is cancelled before.
    ///
    /// - Parameters:
    ///   - stub: The stub.
    ///   - outputs: The values that a call may answer with.
    ///   - errors: The errors that a call may fail with.
    ///   - never: True if a call may also stay open forever.
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
    ///   - never: True if a call may also stay open forever.
    ///   - mostValues: The number of values that a stream may send before it ends.
    ///   - outcomes: Returns the outcomes of a call. Must depend only on the arguments.
    @inlinable
    public func answers<Input, Output, Failure>(
        _ stub: Stub<Input, Output, Failure>, never: Bool = false, atMost mostValues: Int = 1,
        _ outcomes: @escaping @Sendable (Input) -> [CallOutcome<Output, Failure>]
    ) -> Self {
        ruled(stub.name, CallRule(stub, never: never, mostValues: mostValues, outcomes))
    }

    @usableFromInline
    func ruled(_ name: String, _ rule: CallRule) -> Self { changed { $0.rules[name] = rule } }

    /// Returns the exploration with cancellations from outside: in any step, any live effect may be cancelled, as the system
    /// cancels a task, and so may the loop.
    ///
    /// A goal of ``eventually(_:fileID:file:line:column:after:until:)`` must be reached even if an effect is cancelled, but not
    /// if the loop is.
    public func cancelsAnywhere() -> Self { changed { $0.hasCancellations = true } }

    /// Returns the exploration under the assumption that feedback depends only on the last state, as reactions (`react(to:)`
    /// and similar), rules and stateless operators do.
    ///
    /// Otherwise the future of feedback may depend on all states that it has received. Then no trace with feedback returns to
    /// an earlier node, and a program that runs forever has neither an end nor a cycle.
    ///
    /// It is an error if feedback waits for a call or a timer outside a reaction. Other memory, such as that of `scan`, is
    /// not detected.
    public func feedbackRemembersLastState() -> Self { changed { $0.feedbackForgets = true } }

    /// Returns the exploration with events and effects that may be rejected by an error of `transform` or `apply`.
    ///
    /// Otherwise, each rejection is a violation.
    ///
    /// - Parameter isExpected: Returns true for an expected error.
    public func allowingRefusals(_ isExpected: @escaping @Sendable (any Error) -> Bool = { _ in true }) -> Self {
        changed { $0.isExpectedRefusal = isExpected }
    }
}
