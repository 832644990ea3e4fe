import Moonlight
import Testing

/// Records an issue with the line of source unless a condition holds. This is `#expect` of Swift Testing as a function: the
/// compiler takes 20 to 30 ms for the macro and 5 ms for a call, and there are 8,000 calls. Use the macro for thrown errors and
/// for exit tests.
package func expect(
    _ condition: Bool, _ comment: @autoclosure () -> Comment = "", filePath: StaticString = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    if condition { return }
    record("expected", comment().rawValue, filePath, sourceLocation)
}

/// Records an issue with both values unless they are equal: see ``expect(_:_:filePath:sourceLocation:)``.
package func expectEqual<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ comment: @autoclosure () -> Comment = "", filePath: StaticString = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    if actual == expected { return }
    let values = "\(String(reflecting: actual)) is not equal to \(String(reflecting: expected))"
    record(values, comment().rawValue, filePath, sourceLocation)
}

/// Records an issue if a description has characters that would steer a terminal, or is not in one line.
package func expectEscaped(_ description: String, sourceLocation: SourceLocation = #_sourceLocation) {
    expectEqual(description, description.escapingControls, sourceLocation: sourceLocation)
}

private func record(_ text: String, _ comment: String, _ path: StaticString, _ location: SourceLocation) {
    let place = SourceLine(path: path, line: UInt(location.line))
    Issue.record("\(text): \(place.text)\(comment.isEmpty ? "" : " (\(comment))")", sourceLocation: location)
}
