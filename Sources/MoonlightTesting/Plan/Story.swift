/// What happened when a plan was run, told so that people can read it who do not write Swift.
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
/// Kept as text beside a test, it shows in a review what a change does to the behaviour: see `run(telling:)`.
public struct Story: Equatable, CustomStringConvertible, @unchecked Sendable {
    // Sound: what is yet to be put into words are values that nobody changes.
    private var parts: [(depth: Int, tell: () -> [String])] = []
    var depth = 0

    /// The lines. They are put into words when they are asked for, which takes time in proportion to the states.
    public var lines: [String] {
        parts.flatMap { depth, tell in tell().map { String(repeating: "    ", count: depth) + $0 } }
    }

    /// The lines as one text, without a line break at the end.
    public var description: String { lines.joined(separator: "\n") }

    /// Whether two stories are told in the same words.
    public static func == (lhs: Story, rhs: Story) -> Bool { lhs.lines == rhs.lines }

    /// Tells of a step; nothing if there is nothing to say.
    mutating func tell(_ title: @escaping () -> String) {
        parts.append((depth, { [title()].filter { !$0.isEmpty } }))
    }

    /// Tells what came of it.
    mutating func tell(details: @escaping () -> [String]) { parts.append((depth + 1, details)) }
}
