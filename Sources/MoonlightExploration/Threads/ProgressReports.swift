/// The counts of a running search.
struct SearchCounts {
    var nodes: Int
    var states: Int
    /// The length of the traces that are being extended.
    var depth: Int
    /// The number of nodes whose choices are to be tried.
    var left: Int
}

/// Decides when a long exploration reports its counts, and in which words.
///
/// The first report is due after ten seconds, and each further one once the elapsed time has doubled. So an exploration that
/// never ends is noticed, and one that takes an hour writes nine lines.
struct ProgressReports {
    private let name: String
    private var due: Duration
    private var last: SearchCounts?

    /// - Parameters:
    ///   - name: The name of the state.
    ///   - due: The time of the first report.
    init(of name: String, first due: Duration = .seconds(10)) {
        self.name = name
        self.due = due
    }

    /// Returns the report, on one line; nil if none is due.
    ///
    /// - Parameters:
    ///   - counts: The counts of the search.
    ///   - span: The time since the start.
    mutating func report(of counts: SearchCounts, after span: Duration) -> String? {
        guard span >= due else { return nil }
        due = span * 2
        defer { last = counts }
        let (nodes, states) = (Self.shown(counts.nodes, "node"), Self.shown(counts.states, "state"))
        let report = "exploring \(name): \(nodes), \(states), depth \(counts.depth) after \(span.components.seconds) s"
        guard let last, counts.states == last.states, counts.nodes > last.nodes else { return report }
        return """
            \(report); no new state since the last line: if the calls in flight or the timers grow without end, limit them, \
            or write .limited(nodes: 1000)
            """
    }

    /// Returns a number and its noun, such as `1,200 nodes`.
    private static func shown(_ count: Int, _ noun: String) -> String {
        var digits = ""
        for (place, digit) in String(count).reversed().enumerated() {
            if place > 0, place % 3 == 0 { digits.append(",") }
            digits.append(digit)
        }
        return "\(String(digits.reversed())) \(noun)\(count == 1 ? "" : "s")"
    }
}
