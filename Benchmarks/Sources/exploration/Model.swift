import MoonlightExploration

/// A model of exactly known size.
struct Model {
    let name: String
    /// The number of states and transitions.
    let stateCount: Int
    let transitions: Int
    /// The number of steps of all traces if each is played from the beginning; nil for an exploration by values.
    let steps: Int?
    let explore: () throws -> ExplorationReport

    /// Explores the model, and compares the result with the known size.
    func measure() throws -> Measurement {
        let before = Memory.resetPeak()
        let start = ContinuousClock.now
        let report = try explore()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let growth = Memory.peak - before
        precondition(report.extent == .exhaustive, "\(name): \(report)")
        precondition(report.isByValues == (steps == nil), "\(name): by values, or not")
        precondition(report.nodes == stateCount, "\(name): \(report.nodes) states instead of \(stateCount)")
        precondition(report.transitions == transitions, "\(name): \(report.transitions) transitions instead of \(transitions)")
        return Measurement(model: self, depth: report.depth, seconds: seconds, growth: growth)
    }
}

/// The costs of an exploration.
struct Measurement {
    let model: Model
    let depth: Int
    let seconds: Double
    /// The growth of the resident memory in bytes.
    let growth: Int

    /// Columns for readers; see ``tabbed`` for programs.
    var line: String {
        let rate = Double(model.steps ?? model.stateCount) / seconds
        let columns = [
            (model.name, 16), ("\(model.stateCount)", -9), ("\(model.transitions)", -11), ("\(depth)", -6),
            (Self.rounded(seconds, digits: 2), -9), (Self.rounded(rate, digits: 0), -11),
            (model.steps == nil ? "states/s" : "steps/s", 9),
            (Self.rounded(Double(growth) / Double(model.stateCount), digits: 0), -6), ("bytes/state", 12),
        ]
        return columns.map { text, width in
            let blanks = String(repeating: " ", count: max(0, abs(width) - text.count))
            return width < 0 ? blanks + text : text + blanks
        }.joined(separator: " ")
    }

    /// The name, states, transitions, steps (0 if explored by values), seconds and bytes, with tabs between.
    var tabbed: String {
        "\(model.name)\t\(model.stateCount)\t\(model.transitions)\t\(model.steps ?? 0)\t\(seconds)\t\(growth)"
    }

    private static func rounded(_ number: Double, digits: Int) -> String {
        let scale = digits == 2 ? 100.0 : 1
        let whole = Int((number * scale).rounded())
        return digits == 0 ? "\(whole)" : "\(whole / 100).\(whole % 100 < 10 ? "0" : "")\(whole % 100)"
    }
}
