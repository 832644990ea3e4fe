import MoonPresentation
import MoonlightRecording

/// How parts of a state, and differences of states, are shown in a row.
enum StateText {
    private static let longest = 300

    /// A row of the state.
    static func row(_ row: StateRows.Row) -> StyledText {
        let (sign, style): (String, Style) =
            switch row.mark {
            case .same: (" ", .plain)
            case .inside: ("•", Style(foreground: .yellow))
            case .changed: ("~", Style(foreground: .yellow, attributes: .bold))
            case .added: ("+", Style(foreground: .green, attributes: .bold))
            }
        var text = StyledText(sign, style)
        text.append(String(repeating: "  ", count: row.depth))
        text.append(row.tree.parts.isEmpty ? "  " : row.isOpen ? "▾ " : "▸ ", .dim)
        if !row.name.isEmpty { text.append("\(StepText.oneLine(row.name)): ", .dim) }
        text.append(
            row.isOpen ? head(row.tree) : StepText.oneLine(row.tree.summary(limit: longest)), row.mark == .inside ? .plain : style
        )
        return text
    }

    /// What stands for a part whose own parts are shown below it.
    private static func head(_ tree: StateTree) -> String {
        guard case .node(let shape, let head, let parts) = tree else { return tree.source }
        switch shape {
        case .structure: return head
        case .enumeration: return ".\(head)"
        case .tuple: return "()"
        case .list, .set: return "[\(parts.count)]"
        case .dictionary: return "[:] \(parts.count)"
        }
    }

    /// A row of a difference.
    ///
    /// - Parameters:
    ///   - change: The part that differs.
    ///   - width: The columns that there are.
    static func row(_ change: Look.Change, width: Int) -> StyledText {
        var text = StyledText(change.title.isEmpty ? "" : "\(StepText.oneLine(change.title)): ", .dim)
        // A long value leaves room for the other one.
        let room = max(8, (width - text.columns - 3) / 2)
        let (old, new) = (Style(foreground: .red), Style(foreground: .green))
        func summary(_ tree: StateTree, _ limit: Int) -> String { StepText.oneLine(tree.summary(limit: limit)) }
        switch (change.before, change.after) {
        case (let before?, let after?):
            let second = summary(after, longest)
            text.append(summary(before, max(room, 2 * room - second.columns) - 1), old)
            text.append(" → ")
            text.append(second, new)
        case (nil, let after?): text.append("+ \(summary(after, longest))", new)
        case (let before?, nil): text.append("- \(summary(before, longest))", old)
        case (nil, nil): break
        }
        return text
    }
}
