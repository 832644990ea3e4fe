/// The error that a failed plan throws: what went wrong, in which step, and what to write if the behavior is right.
///
/// It depends on no test framework: thrown out of a test, it fails the test in any of them. To have the framework show it at the
/// line of the step, report it:
///
/// ```swift
/// plan.run { failure in                                    // Swift Testing
///     Issue.record(
///         "\(failure.message)",
///         sourceLocation: SourceLocation(
///             fileID: "\(failure.place.fileID)", filePath: "\(failure.place.file)",
///             line: Int(failure.place.line), column: Int(failure.place.column)))
/// }
/// plan.run { XCTFail($0.message, file: $0.place.file, line: $0.place.line) }  // XCTest
/// ```
public struct PlanFailure: Error, Sendable, CustomStringConvertible {
    /// The fault, and often the step to write if the behavior is right.
    public let message: String
    /// The place of the step in the source.
    public let place: SourcePlace
    /// The story up to the failure; see ``Story``.
    public internal(set) var story = ""

    init(_ message: String, at place: SourcePlace) {
        self.message = message
        self.place = place
    }

    /// The place, the message, and the story up to the failure.
    public var description: String {
        let told = story.isEmpty ? "" : "\nThe story so far:\n\(indented(story))"
        return "\(place): \(message)\(told)"
    }
}

/// Returns a text with each line indented by four spaces.
func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    \($0)" }
        .joined(separator: "\n")
}
