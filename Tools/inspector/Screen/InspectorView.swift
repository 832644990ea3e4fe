import MoonPresentation

/// The whole screen: panes, and a row at the bottom for a question, a message or the keys.
struct InspectorView: View {
    typealias Event = InspectorEvent

    /// How the panes stand on a screen.
    enum Form: Equatable {
        /// All panes side by side.
        case wide
        /// The steps above one other pane.
        case tall
        /// One pane, with the names of all above it if there is room for them.
        case narrow(hasNames: Bool)

        init(_ size: Size) {
            if size.columns >= 80, size.rows >= 15 {
                self = .wide
            } else if size.rows >= 20, size.columns >= 20 {
                self = .tall
            } else {
                self = .narrow(hasNames: size.rows >= 4)
            }
        }
    }

    let inspector: Inspector

    func draw(on surface: inout Surface<InspectorEvent>) {
        let size = surface.size
        let form = Form(size)
        let panes = Size(columns: size.columns, rows: max(0, size.rows - (size.rows > 1 ? 1 : 0)))
        let view = Rows<InspectorEvent> {
            if let reading = inspector.reading {
                text(reading)
            } else {
                switch form {
                case .wide: wide(panes)
                case .tall: tall(panes)
                case .narrow(let hasNames): narrow(panes, hasNames: hasNames)
                }
            }
            if size.rows > 1 { Bottom(inspector: inspector).length(.cells(1)) }
        }
        surface.add(view, in: Rect(origin: .zero, size: size))
        if inspector.isHelpShown { surface.add(help(size), in: Rect(origin: .zero, size: size)) }
    }

    // MARK: Forms

    private func wide(_ size: Size) -> some View<InspectorEvent> {
        let left = size.columns / 2
        let right = size.columns - left
        return Columns {
            framed(.steps, width: left).length(.cells(left))
            Rows {
                framed(.state, width: right).length(.share(5))
                framed(.difference, width: right).length(.share(3))
                framed(.cause, width: right).length(.share(3))
            }
        }
    }

    private func tall(_ size: Size) -> some View<InspectorEvent> {
        Rows {
            framed(.steps, width: size.columns).length(.share())
            framed(inspector.side, width: size.columns).length(.share())
        }
    }

    private func narrow(_ size: Size, hasNames: Bool) -> some View<InspectorEvent> {
        Rows {
            if hasNames { names.length(.cells(1)) }
            PaneView(inspector: inspector, pane: inspector.pane, width: size.columns).id(inspector.pane).length(.share())
        }
    }

    private func framed(_ pane: Inspector.Pane, width: Int) -> some View<InspectorEvent> {
        let hasFocus = inspector.place == .pane(pane)
        return PaneView(inspector: inspector, pane: pane, width: width - 2)
            .border(.rounded, title: title(pane), style: hasFocus ? Style(foreground: .cyan, attributes: .bold) : .dim)
            .id(pane)
    }

    private func text(_ reading: Reading) -> some View<InspectorEvent> {
        let place = reading.lines.count > 1 ? ", line \(reading.top + 1) of \(reading.lines.count)" : ""
        return LinesView(lines: reading.lines, top: reading.top).focused(when: inspector.place == .reading)
            .border(.rounded, title: reading.title + place, style: Style(foreground: .cyan, attributes: .bold))
            .length(.share())
    }

    private func help(_ size: Size) -> some View<InspectorEvent> {
        let keys = Inspector.keys(of: inspector.reading == nil ? .pane(inspector.pane) : .reading).help + StepText.legend
        let width =
            3 + keys.reduce(0) { max($0, $1.keys.joined(separator: "/").columns) } + keys.reduce(0) { max($0, $1.text.columns) }
        return Dialog(title: "Keys", cancel: .cancel) {
            Viewport(scrollBars: true) { HelpView(keys, isPage: true) }
                .natural(columns: min(width, max(0, size.columns - 4)), rows: min(keys.count, max(0, size.rows - 2)))
        }
    }

    // MARK: Titles

    private var names: some View<InspectorEvent> {
        var line = StyledText()
        for pane in Inspector.Pane.allCases {
            line.append(
                " \(pane == .difference ? "diff" : "\(pane)") ",
                pane == inspector.pane ? Style(attributes: [.bold, .inverse]) : .dim)
        }
        return Text(line + StyledText("  " + position, .dim), wraps: false)
    }

    private var position: String {
        guard let numbers = inspector.steps.numbers else { return "no steps" }
        return "\(inspector.selected) of \(numbers.lowerBound)–\(numbers.upperBound)\(inspector.staysAtEnd ? ", following" : "")"
    }

    private func title(_ pane: Inspector.Pane) -> String {
        switch pane {
        case .steps: return "steps: \(position)"
        case .state: return inspector.look.map { "state after \($0.number)" } ?? "state"
        case .cause: return inspector.look.map { "cause of \($0.number)" } ?? "cause"
        case .difference:
            guard let look = inspector.look else { return "difference" }
            if let mark = look.mark { return "difference \(mark) → \(look.number)" }
            guard let step = inspector.steps.record(look.number) else { return "difference" }
            let time = StepText.time(step).drop { $0 == " " }
            return "step \(look.number): \(step.kind) at \(time) s"
        }
    }
}

/// The row at the bottom.
private struct Bottom: View {
    let inspector: Inspector

    func draw(on surface: inout Surface<InspectorEvent>) {
        let all = Rect(origin: .zero, size: surface.size)
        if let question = inspector.question {
            let (prompt, placeholder) =
                switch question {
                case .search: ("/", "a text in what happened, or in what changed")
                case .step: ("step", "its number")
                case .predicate: ("since when", "count > 3, lines[2].text == \"x\", name contains mo")
                }
            surface.add(
                Field(
                    inspector.input, prompt: prompt, placeholder: placeholder, edit: InspectorEvent.edit, submit: .submit
                )
                .id(question).focused(when: true), in: all)
        } else if let work = inspector.work {
            surface.write(StyledText("\(work) … Escape ends it", .dim).truncated(to: surface.size.columns))
        } else if let text = inspector.message?.text ?? inspector.trouble {
            let isError = inspector.message?.isError ?? true
            let style = isError ? Style(foreground: .red, attributes: .bold) : .bold
            surface.write(StyledText(StepText.oneLine(text), style).truncated(to: surface.size.columns))
        } else {
            surface.add(HelpView(Inspector.keys(of: inspector.place)), in: all)
        }
    }
}
