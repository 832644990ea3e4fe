import Moonlight

/// The trace of a plan's run, in words.
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
/// Stored as text next to the test, it shows reviewers how a change affects the behavior: see `run(matching:)`.
public struct PlanTrace: CustomStringConvertible, @unchecked Sendable {
    // Sound: the closures that create the text capture only immutable values.
    private var parts: [(depth: Int, make: () -> [String])] = []
    /// The current indentation, in levels of four spaces.
    var depth = 0

    /// The lines of the trace. They are formatted at each access, in time proportional to the size of the states.
    public var lines: [String] {
        parts.flatMap { depth, make in make().map { String(repeating: "    ", count: depth) + $0.escapingControlsInLines } }
    }

    /// The lines joined by line breaks, without one at the end. They are formatted at each access, in time proportional to the
    /// size of the states.
    public var description: String { lines.joined(separator: "\n") }

    /// Adds the line of a step; no line if the title is empty.
    mutating func add(_ title: @escaping () -> String) {
        parts.append((depth, { [title()].filter { !$0.isEmpty } }))
    }

    /// Adds the results of a step, indented below its line.
    mutating func add(details: @escaping () -> [String]) { parts.append((depth + 1, details)) }
}

extension RuleRecord {
    /// The reason why the rule did not fire, as a line of a trace: `rule pay blocked by: the basket is not empty`. Nil if it fired.
    package var obstacle: String? {
        let rule = "rule \(path.isRoot ? name : "\(path)/\(name)")"
        return switch step {
        case .fired: nil
        case .blocked(let given): "\(rule) blocked by\(given.text == nil ? "" : ":") \(given)"
        case .failed(let given, let error): "\(rule) failed in \(given.text.map { "\"\($0)\"" } ?? given.description): \(error)"
        }
    }
}
