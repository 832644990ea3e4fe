import Moonlight

/// The error of a failed plan: the fault, its step, and the step to write if the behavior is right.
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
    /// The trace up to the failure; see ``PlanTrace``.
    public internal(set) var trace = ""

    init(_ message: String, at place: SourcePlace) {
        // Errors, descriptions and names of functions may come from anywhere, and a failure is printed.
        self.message = message.escapingControlsInLines
        self.place = place
    }

    /// The place, the message, and the trace up to the failure.
    public var description: String {
        let appendix = trace.isEmpty ? "" : "\nThe trace so far:\n\(indented(trace))"
        return "\(place): \(message)\(appendix)"
    }
}

/// Returns a text with each line indented by four spaces.
func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    \($0)" }
        .joined(separator: "\n")
}

/// A place in the source of a test, with the values that test frameworks need to report a failure there.
public struct SourcePlace: Sendable, CustomStringConvertible {
    /// The file, as `Module/File.swift`.
    public let fileID: StaticString
    /// The path of the file.
    public let file: StaticString
    /// The number of the line.
    public let line: UInt
    /// The number of the column.
    public let column: UInt

    /// Creates a place; by default that of the caller.
    @usableFromInline
    package init(
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        self.fileID = fileID
        self.file = file
        self.line = line
        self.column = column
    }

    /// `Module/File.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}
