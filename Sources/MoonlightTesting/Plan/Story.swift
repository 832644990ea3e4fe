/// A text of what happened when a plan was run, for readers who do not write Swift.
///
/// ```
/// Given
///     count 0, isBusy false
/// When tapped
///     count: 0 → 1
///     isBusy: false → true
///     calls post(1)
/// Then count is 1
/// post(1) answers 7
///     count: 1 → 7
/// ```
///
/// Kept as text next to a test, it shows in a review how a change affects the behavior: see `run(telling:)`.
public struct Story: Equatable, CustomStringConvertible, @unchecked Sendable {
    // Sound: the closures that make the text capture only values that nobody changes.
    private var parts: [(depth: Int, tell: () -> [String])] = []
    /// The current indentation, in levels of four spaces.
    var depth = 0

    /// The lines of the story. They are formatted at each access, in time proportional to the size of the states.
    public var lines: [String] {
        parts.flatMap { depth, tell in tell().map { String(repeating: "    ", count: depth) + $0 } }
    }

    /// The lines joined by line breaks, without one at the end.
    public var description: String { lines.joined(separator: "\n") }

    /// Returns whether two stories have the same lines.
    public static func == (lhs: Story, rhs: Story) -> Bool { lhs.lines == rhs.lines }

    /// Adds the line of a step; no line if the title is empty.
    mutating func tell(_ title: @escaping () -> String) {
        parts.append((depth, { [title()].filter { !$0.isEmpty } }))
    }

    /// Adds the results of a step, indented below its line.
    mutating func tell(details: @escaping () -> [String]) { parts.append((depth + 1, details)) }
}
