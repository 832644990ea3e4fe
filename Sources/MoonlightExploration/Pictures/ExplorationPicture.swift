import Moonlight

/// The graph of an exploration, with a label for each state: as text to compare in a test, or as a diagram.
///
/// ```swift
/// let report = try exploration.drawn { "\($0.phase)" }.run()
/// #expect(report.picture?.text == """
///     idle --When typed("mo")--> loading
///     loading --find("mo") answers ["moonlight"]--> idle
///     """)
/// ```
/// States with the same label are one box, so that a large graph can be folded, for example to the case of an enum.
public struct ExplorationPicture: Sendable, Equatable {
    /// A choice that leads from one state to another.
    struct Edge: Sendable, Hashable {
        /// The label of the state before the choice.
        let source: String
        /// The choice: the event, the outcome of a call, or the time that passes.
        let choice: String
        /// The label of the state after it.
        let target: String
    }

    /// The labels of the states, in the order in which they were found.
    private(set) var states: [String] = []
    /// The choices, in the order in which they were found.
    private(set) var edges: [Edge] = []
    /// The choices of the counterexample, which diagrams show in red.
    var marked: Set<Edge> = []
    private var knownStates: Set<String> = []
    private var knownEdges: Set<Edge> = []

    init() {}

    mutating func add(_ state: String) { if knownStates.insert(state).inserted { states.append(state) } }

    mutating func add(_ edge: Edge) {
        add(edge.source)
        add(edge.target)
        if knownEdges.insert(edge).inserted { edges.append(edge) }
    }

    /// A line for each choice, `state --choice--> state`, and one for each state without choices, in alphabetical order. A
    /// line break in a label is written `\n`, and other control characters as escapes, too.
    public var text: String {
        let linked = Set(edges.flatMap { [$0.source, $0.target] })
        let lines = edges.map { "\($0.source) --\($0.choice)--> \($0.target)" } + states.filter { !linked.contains($0) }
        return lines.map(\.escapingControls).sorted().joined(separator: "\n")
    }

    /// Returns the graph in the language of Graphviz. The choices of a counterexample are red.
    public func dot() -> String {
        let numbers = self.numbers
        let nodes = states.enumerated().map { "    \($0.offset) [label=\(Self.quoted($0.element))]" }
        let arrows = edges.map { edge in
            let color = marked.contains(edge) ? " color=red fontcolor=red" : ""
            return "    \(numbers[edge.source]!) -> \(numbers[edge.target]!) [label=\(Self.quoted(edge.choice))\(color)]"
        }
        return (["digraph {", "    node [shape=box]"] + nodes + arrows + ["}"]).joined(separator: "\n")
    }

    /// Returns the graph in the language of Mermaid. The choices of a counterexample are red.
    public func mermaid() -> String {
        let numbers = self.numbers
        let nodes = states.enumerated().map { "    s\($0.offset)[\(Self.entities($0.element))]" }
        let arrows = edges.map { "    s\(numbers[$0.source]!) -->|\(Self.entities($0.choice))| s\(numbers[$0.target]!)" }
        let red = edges.indices.filter { marked.contains(edges[$0]) }.map { "    linkStyle \($0) stroke:red,color:red" }
        return (["flowchart TD"] + nodes + arrows + red).joined(separator: "\n")
    }

    private var numbers: [String: Int] {
        Dictionary(uniqueKeysWithValues: states.enumerated().map { ($0.element, $0.offset) })
    }

    /// Returns a string of Graphviz. Control characters are shown as escapes.
    private static func quoted(_ text: String) -> String {
        let label = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\n": "\\n"
            default: scalar.isSteering ? "\\" + String(scalar).escapingControls : String(scalar)
            }
        }
        return "\"\(label.joined())\""
    }

    /// Returns a quoted label of Mermaid, in which special characters are entities.
    private static func entities(_ text: String) -> String {
        let label = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "#quot;"
            case "#": "#35;"
            case "<": "#lt;"
            case ">": "#gt;"
            case "\n": "<br>"
            default: String(scalar).escapingControls
            }
        }
        return "\"\(label.joined())\""
    }
}

extension ExplorationPicture {
    /// Returns the differences from an earlier ``text``, which show how a change of the program affects its behavior.
    ///
    /// ```swift
    /// #expect(picture.changes(since: """
    ///     idle --When start--> busy
    ///     busy --When stop--> idle
    ///     """) == ["+ 1 state: failed", "- busy --When stop--> idle", "+ busy --When stop--> failed"])
    /// ```
    /// Up to five added or removed states are named; more are counted. Each added or removed choice is a line.
    ///
    /// - Parameter text: The text of an earlier picture. Its lines may be in any order.
    /// - Returns: The differences, one per line; empty if there are none.
    public func changes(since text: String) -> [String] {
        let (before, now) = (Self.parsed(text), Self.parsed(self.text))
        return Self.summary("+", now.states.subtracting(before.states)) + Self.summary("-", before.states.subtracting(now.states))
            + before.edges.subtracting(now.edges).sorted().map { "- \($0)" }
            + now.edges.subtracting(before.edges).sorted().map { "+ \($0)" }
    }

    private static func summary(_ sign: String, _ states: Set<String>) -> [String] {
        if states.isEmpty { return [] }
        let count = "\(sign) \(states.count) \(states.count == 1 ? "state" : "states")"
        return states.count > 5 ? [count] : ["\(count): \(states.sorted().joined(separator: ", "))"]
    }

    /// Both texts are parsed alike, so that a label that contains an arrow makes no false difference.
    private static func parsed(_ text: String) -> (states: Set<String>, edges: Set<String>) {
        var (states, edges) = (Set<String>(), Set<String>())
        for line in text.split(separator: "\n").map({ String(trimmed($0)) }) where !line.isEmpty {
            guard let source = line.firstRange(of: " --"), let target = line.ranges(of: "--> ").last,
                source.upperBound <= target.lowerBound
            else {
                states.insert(line)
                continue
            }
            states.formUnion([String(line[..<source.lowerBound]), String(line[target.upperBound...])])
            edges.insert(line)
        }
        return (states, edges)
    }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line.drop { $0.isWhitespace }
        while line.last?.isWhitespace == true { line.removeLast() }
        return line
    }
}
