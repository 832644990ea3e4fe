import Moonlight
import Streams
import SwiftText

extension PlanSteps {
    /// Sends an event. The plan fails if the event, or anything that follows from it at the same virtual time, is rejected.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - allowingRefusals: True if events and effects that follow from the event may be rejected. The event itself may not.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func when(
        _ event: Event, allowingRefusals: Bool = false,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return acting("When \(focus.title)\(ValueText.describe(event))", place) { [focus] world in
            _ = try state(in: world)
            let refusals = try world.send(focus.embed(event))
            if let first = refusals.first, !world.mayRefuse, first.isTheEvent || !allowingRefusals {
                let text = ValueText.describe(event)
                let source = SwiftSource.of(event)
                let remedy =
                    first.isTheEvent
                    ? ".rejects(\(source)) in place of .when"
                    : ".rejects(\(source), …) in place of .when, or .when(…, allowingRefusals: true)"
                throw PlanFault(
                    """
                    \(first.isTheEvent ? text : first.what) was rejected: \(located(first.error))
                    If that is right, write \(remedy)
                    """)
            }
        }
    }

    /// Sends an event that must be rejected with a given error.
    ///
    /// Two `Rejection`s are equal here if their reasons are equal, since their source locations differ. The
    /// rejection of an event or effect that follows from the event counts, too.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - error: The expected error.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func rejects<Reason: Error & Equatable>(
        _ event: Event, _ error: Reason,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return rejects(
            event,
            because: { actual in
                if let wanted = error as? Rejection, let actual = actual as? Rejection {
                    if wanted.reason == actual.reason { return nil }
                    return "it was rejected for another reason: expected \(wanted.reason), got \(actual.reason)"
                }
                if let actual = actual as? Reason {
                    if actual == error { return nil }
                    let differences = Differences.failure("the error", expected: error, got: actual)
                    return "it was rejected for another reason: \(differences.joined(separator: "; "))"
                }
                return "it was rejected with another kind of error: expected \(error), got \(located(actual))"
            }, place)
    }

    /// Sends an event that must be rejected.
    ///
    /// The rejection of an event or effect that follows from it counts, too.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - check: Receives the error, and fails the plan by throwing; by default, any error is right.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func rejects(
        _ event: Event, _ check: @escaping (any Error) throws -> Void = { _ in },
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        rejects(
            event,
            because: {
                try check($0)
                return nil
            }, SourcePlace(fileID: fileID, file: file, line: line, column: column))
    }

    private func rejects(
        _ event: Event, because fault: @escaping (any Error) throws -> String?, _ place: SourcePlace
    ) -> Self {
        acting("When \(focus.title)\(ValueText.describe(event)), which is rejected", place) { [focus] world in
            let refusals = try world.send(focus.embed(event))
            guard let refusal = refusals.first else {
                let changes = world.changesOfStep
                let what = changes.isEmpty ? "changed nothing" : "changed \(changes.joined(separator: ", "))"
                throw PlanFault("\(ValueText.describe(event)) was not rejected: it \(what)")
            }
            if let fault = try fault(refusal.error) { throw PlanFault(fault) }
        }
    }

    /// Advances virtual time, and runs everything that is due up to and including the new time: streams on the plan's
    /// scheduler and tasks that sleep on its clock.
    ///
    /// - Parameters:
    ///   - duration: The time by which to advance, zero or more.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func advance(
        by duration: Duration,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return acting("After \(duration)", place) { world in
            guard duration >= .zero else {
                throw PlanFault("advance(by: \(duration)): time does not run backwards; pass zero or more")
            }
            world.advance(by: duration)
            try world.checkRefusals()
        }
    }
}

/// Returns the text of an error for the author of the test, with the source location of a `Rejection`.
func located(_ error: any Error) -> String { (error as? Rejection)?.debugDescription ?? "\(error)" }
