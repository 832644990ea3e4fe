import MoonPresentation
import MoonlightRecording

/// What stands in a pane.
struct PaneView: View {
    let inspector: Inspector
    let pane: Inspector.Pane
    /// The columns of the pane: how much a row says depends on it.
    let width: Int

    func draw(on surface: inout Surface<InspectorEvent>) {
        let all = Rect(origin: .zero, size: surface.size)
        let hasFocus = inspector.place == .pane(pane)
        if let words {
            surface.add(Text(words, style: .dim), in: all)
            return
        }
        switch pane {
        case .steps: surface.add(steps.focused(when: hasFocus), in: all)
        case .state: surface.add(state.focused(when: hasFocus), in: all)
        case .difference: surface.add(difference.focused(when: hasFocus), in: all)
        case .cause: surface.add(causes.focused(when: hasFocus), in: all)
        }
    }

    /// What to say where there is nothing to list.
    private var words: String? {
        if inspector.steps.isEmpty { return pane == .steps ? "no step was recorded yet" : "" }
        guard pane != .steps, let look = inspector.look else { return pane == .steps ? nil : "" }
        switch pane {
        case .steps: return nil
        case .state: return look.state == nil ? "the state is not known: what led to it is not kept" : nil
        case .difference:
            if look.state == nil { return "the state is not known" }
            return look.changes.isEmpty ? (look.mark == nil ? "it changed nothing" : "nothing differs") : nil
        case .cause: return look.causes.isEmpty ? "it \(origin(look))" : nil
        }
    }

    private var steps: List<InspectorEvent> {
        let (mark, columns, digits) = (inspector.mark, width, digits)
        return List(
            inspector.steps, selected: inspector.steps.index(of: inspector.selected), scrollBar: true,
            select: InspectorEvent.move,
            open: .open,
            row: { element in
                StepText.row(
                    element, digits: digits, isMarked: element.number == mark, hasLanes: columns >= 36, hasTime: columns >= 58)
            })
    }

    private var state: List<InspectorEvent> {
        let rows = inspector.rows
        return List(
            rows.rows, selected: rows.rows.isEmpty ? nil : rows.index(of: inspector.part), scrollBar: true,
            select: InspectorEvent.move, open: .open, row: StateText.row)
    }

    private var difference: List<InspectorEvent> {
        let columns = width
        return List(
            inspector.look?.changes ?? [], selected: inspector.change, scrollBar: true, select: InspectorEvent.move, open: .open,
            row: { StateText.row($0, width: columns) })
    }

    private var causes: List<InspectorEvent> {
        let look = inspector.look
        let (causes, digits) = (look?.causes ?? [], digits)
        let end = look.map(origin)
        return List(
            causes, selected: inspector.cause, scrollBar: true, select: InspectorEvent.move, open: .open,
            row: { StepText.cause($0, digits: digits, end: $0.number == causes.last?.number ? end : nil) })
    }

    private func origin(_ look: Look) -> String {
        switch look.origin {
        case .outside: "came from outside"
        case .unknown: look.causes.isEmpty ? "was caused by something that is not kept" : "its cause is not kept"
        case .further: "and so on"
        }
    }

    private var digits: Int { "\(inspector.steps.numbers?.upperBound ?? 0)".count }
}
