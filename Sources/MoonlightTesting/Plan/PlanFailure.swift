/// What a plan throws: which step did not go as planned, where it stands, and what to write if it is right after all.
///
/// It needs no test framework: thrown out of a test it fails it in any of them. To have it shown at its line, hand it on:
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
    /// What went wrong.
    public let message: String
    /// The step.
    public let place: SourcePlace
    /// What had happened up to there; see ``Story``.
    public internal(set) var story = ""

    init(_ message: String, at place: SourcePlace) { (self.message, self.place) = (message, place) }

    /// The place, the message and the story that led there.
    public var description: String {
        let told = story.isEmpty ? "" : "\nThe story so far:\n\(indented(story))"
        return "\(place): \(message)\(told)"
    }
}

/// A text, each line moved to the right.
func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    \($0)" }
        .joined(separator: "\n")
}
