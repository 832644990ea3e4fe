/// The states and choices of an exploration, each state under a label: as text to be kept beside a test, or as a picture.
///
/// ```swift
/// let report = try exploration.drawn { "\($0.phase)" }.run()
/// #expect(report.picture?.text == """
///     idle --When typed("mo")--> loading
///     loading --find("mo") answers ["moonlight"]--> idle
///     """)
/// ```
/// States with the same label are one box, so that a large graph can be folded, for example by the case of an enum.
public struct ExplorationPicture: Sendable, Equatable {
    /// A choice that leads from one state to another.
    public struct Edge: Sendable, Hashable {
        /// The label of the state before the choice.
        public let source: String
        /// The choice: the event, the outcome of a call, or the time that passes.
        public let choice: String
        /// The label of the state after it.
        public let target: String

        /// Creates a choice between two labels.
        public init(source: String, choice: String, target: String) {
            self.source = source
            self.choice = choice
            self.target = target
        }
    }

    /// The labels of the states, in the order in which they were found.
    public private(set) var states: [String] = []
    /// The choices, in the order in which they were found.
    public private(set) var edges: [Edge] = []
    private var knownStates: Set<String> = []
    private var knownEdges: Set<Edge> = []

    init() {}

    mutating func add(_ state: String) { if knownStates.insert(state).inserted { states.append(state) } }

    mutating func add(_ edge: Edge) {
        add(edge.source)
        add(edge.target)
        if knownEdges.insert(edge).inserted { edges.append(edge) }
    }

    /// A line for each choice, `state --choice--> state`, and one for each state that has none, in alphabetical order. A line break
    /// in a label is written `\n`.
    public var text: String {
        let linked = Set(edges.flatMap { [$0.source, $0.target] })
        let lines = edges.map { "\($0.source) --\($0.choice)--> \($0.target)" } + states.filter { !linked.contains($0) }
        return lines.map { $0.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\\n") }.sorted()
            .joined(separator: "\n")
    }

    /// The graph in the language of Graphviz.
    ///
    /// - Parameter marking: Choices to draw in red, such as those of a counterexample.
    public func dot(marking: [Edge] = []) -> String {
        let numbers = self.numbers
        let marked = Set(marking)
        let nodes = states.enumerated().map { "    \($0.offset) [label=\(Self.quoted($0.element))]" }
        let arrows = edges.map { edge in
            let color = marked.contains(edge) ? " color=red fontcolor=red" : ""
            return "    \(numbers[edge.source]!) -> \(numbers[edge.target]!) [label=\(Self.quoted(edge.choice))\(color)]"
        }
        return (["digraph {", "    node [shape=box]"] + nodes + arrows + ["}"]).joined(separator: "\n")
    }

    /// The graph in the language of Mermaid.
    ///
    /// - Parameter marking: Choices to draw in red, such as those of a counterexample.
    public func mermaid(marking: [Edge] = []) -> String {
        let numbers = self.numbers
        let marked = Set(marking)
        let nodes = states.enumerated().map { "    s\($0.offset)[\(Self.entities($0.element))]" }
        let arrows = edges.map { "    s\(numbers[$0.source]!) -->|\(Self.entities($0.choice))| s\(numbers[$0.target]!)" }
        let red = edges.indices.filter { marked.contains(edges[$0]) }.map { "    linkStyle \($0) stroke:red,color:red" }
        return (["flowchart TD"] + nodes + arrows + red).joined(separator: "\n")
    }

    private var numbers: [String: Int] {
        Dictionary(uniqueKeysWithValues: states.enumerated().map { ($0.element, $0.offset) })
    }

    /// A string of Graphviz: only quotes and backslashes are escaped.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text {
            switch character {
            case "\"", "\\": quoted += "\\\(character)"
            case "\n": quoted += "\\n"
            default: quoted.append(character)
            }
        }
        return quoted + "\""
    }

    /// A quoted label of Mermaid, in which what has a meaning there is written as an entity.
    private static func entities(_ text: String) -> String {
        var quoted = "\""
        for character in text {
            switch character {
            case "\"": quoted += "#quot;"
            case "#": quoted += "#35;"
            case "<": quoted += "#lt;"
            case ">": quoted += "#gt;"
            case "\n": quoted += "<br>"
            default: quoted.append(character)
            }
        }
        return quoted + "\""
    }
}
