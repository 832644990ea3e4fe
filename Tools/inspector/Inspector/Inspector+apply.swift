import MoonPresentation
import MoonlightRecording

extension Inspector {
    /// How many jumps can be returned from.
    private static let longestTrail = 100

    mutating func apply(_ effect: InspectorEffect) {
        switch effect {
        case .selected(let asked, let isJump):
            // The file may be another one since that step was found.
            let number = steps.has(asked) ? asked : steps.number(at: steps.index(of: asked))
            if isJump, number != selected { trail = trail.suffix(Self.longestTrail - 1) + [selected] }
            if number != selected { (change, cause) = (0, 0) }
            (selected, staysAtEnd) = (number, false)
        case .returned: _ = trail.popLast()
        case .looked(let look):
            // One of a step that was left meanwhile is of no interest.
            guard look.number == selected, look.mark == (mark == selected ? nil : mark) else { return }
            self.look = look
            change = min(change, max(0, look.changes.count - 1))
            cause = min(cause, max(0, look.causes.count - 1))
            layRows()
        case .marked(let number): (mark, change) = (number, 0)
        case .stayed(let atEnd): staysAtEnd = atEnd
        case .turned(let pane):
            self.pane = pane
            if pane != .steps { side = pane }
        case .part(let path): part = path
        case .folded(let path, let isOpen):
            folding[path] = isOpen
            layRows()
        case .change(let row): change = row
        case .cause(let row): cause = row
        case .asked(let question): (self.question, input) = (question, TextInput())
        case .edited(let edit): input.apply(edit)
        case .answered: (question, input) = (nil, TextInput())
        case .searched(let text): pattern = text
        case .reading(let reading): self.reading = reading
        case .scrolled(let top): reading?.top = top
        case .help(let isShown): isHelpShown = isShown
        case .began(let what): (work, search) = (what, nil)
        case .searching(let search): self.search = search
        case .ended: (work, search) = (nil, nil)
        case .said(let message): self.message = message
        case .file(let news): apply(news)
        }
    }

    private mutating func layRows() {
        rows = look?.state.map { StateRows($0, changes: look?.changes ?? [], folding: folding) } ?? StateRows()
        if !rows.rows.isEmpty { part = rows.rows[rows.index(of: part)].path }
    }

    private mutating func apply(_ news: News) {
        switch news {
        case .trouble(let text): trouble = text
        case .well: trouble = nil
        case .grown(let steps), .anew(let steps):
            self.steps = steps
            trouble = nil
            if let mark, !steps.has(mark) { self.mark = nil }
            if steps.isEmpty {
                (selected, look, rows) = (0, nil, StateRows())
            } else if staysAtEnd {
                selected = steps.number(at: steps.count - 1)
            } else if !steps.has(selected) {
                selected = steps.number(at: steps.index(of: selected))
            }
        }
    }
}
