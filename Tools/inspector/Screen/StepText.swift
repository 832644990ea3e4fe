import MoonPresentation
import MoonlightRecording

/// How a step is shown in a row.
enum StepText {
    /// The lanes of the steps, from the left.
    enum Lane: Int, CaseIterable {
        case event
        case effect
        case job
        case world
        case reaction
    }

    /// What stands for a kind of step, and in which lane. An event that something in the loop has caused is a reaction.
    static func sign(of step: StepRecord) -> (text: String, lane: Lane, color: Color) {
        switch step.kind {
        case .event: step.cause == nil ? ("●", .event, .green) : ("●", .reaction, .blue)
        case .effect: (step.changes.isEmpty ? "◇" : "◆", .effect, .cyan)
        case .job: ("■", .job, .magenta)
        case .rule: ("↻", .reaction, .blue)
        case .rejected: ("✗", .event, .red)
        case .effectRejected: ("✗", .effect, .red)
        case .call, .timer: ("→", .world, .yellow)
        case .answer, .fired: ("←", .world, .yellow)
        case .result: ("↔", .world, .yellow)
        case .note: ("·", .event, .gray)
        case .ended: ("□", .event, .gray)
        }
    }

    /// What the signs mean, for the help.
    static let legend = [
        KeyHelp(keys: ["●"], text: "event; further right, one that was sent by feedback"),
        KeyHelp(keys: ["◆", "◇"], text: "effect; ◇ changed nothing"), KeyHelp(keys: ["■"], text: "job"),
        KeyHelp(keys: ["→", "←", "↔"], text: "call or timer; its answer; both at once"), KeyHelp(keys: ["↻"], text: "rule"),
        KeyHelp(keys: ["✗"], text: "rejected"),
    ]

    /// A row of the list of steps.
    ///
    /// - Parameters:
    ///   - element: The step.
    ///   - digits: The columns of the number.
    ///   - isMarked: Whether others are compared with it.
    ///   - hasLanes: Whether signs stand in lanes.
    ///   - hasTime: Whether the time is shown.
    static func row(_ element: Steps.Element, digits: Int, isMarked: Bool, hasLanes: Bool, hasTime: Bool) -> StyledText {
        let number = "\(element.number)"
        var row = StyledText(String(repeating: " ", count: max(0, digits - number.count)) + number, .dim)
        row.append(isMarked ? "»" : " ", Style(foreground: .yellow, attributes: .bold))
        switch element.record {
        case .success(let step):
            if hasTime { row.append("\(time(step)) ", .dim) }
            let sign = sign(of: step)
            let style = Style(foreground: sign.color)
            if hasLanes {
                row.append(String(repeating: " ", count: sign.lane.rawValue))
                row.append(sign.text, style)
                row.append(String(repeating: " ", count: Lane.allCases.count - sign.lane.rawValue))
            } else {
                row.append(sign.text + " ", style)
            }
            if !step.child.isEmpty { row.append("[\(step.child)] ", .dim) }
            row.append(oneLine(step.text))
        case .failure(let error): row.append("\(error)", Style(foreground: .red))
        }
        return row
    }

    /// A row of the list of causes.
    static func cause(_ step: StepRecord, digits: Int, end: String?) -> StyledText {
        var row = Self.row(
            Steps.Element(number: step.number, record: .success(step)), digits: digits, isMarked: false, hasLanes: false,
            hasTime: false)
        if let end { row.append("  \(end)", .dim) }
        return row
    }

    /// The time in seconds since the recording began, eight columns wide if it is less than three hours.
    static func time(_ step: StepRecord) -> String {
        let milliseconds = step.time / 1_000_000
        let (seconds, fraction) = ("\(milliseconds / 1000)", "\(1000 + milliseconds % 1000)".dropFirst())
        return String(repeating: " ", count: max(0, 4 - seconds.count)) + "\(seconds).\(fraction)"
    }

    static func oneLine(_ text: String) -> String {
        text.contains(where: \.isNewline) ? String(text.map { $0.isNewline ? "⏎" : $0 }) : text
    }
}
