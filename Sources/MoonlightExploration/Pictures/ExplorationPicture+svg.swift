extension ExplorationPicture {
    /// The graph as a picture in SVG: a self-contained text for a browser, a page or a file, legible in light and dark mode.
    ///
    /// States are boxes in columns, by the number of choices that lead to them. All choices from one state to another share an
    /// arrow. The text depends on nothing but the graph. It is meant for graphs of up to some sixty states: fold a larger one, by a
    /// label that many states share.
    ///
    /// - Parameter marking: Choices to draw in red, such as those of a counterexample.
    public func svg(marking: [Edge] = []) -> String {
        let layout = PictureLayout(self, marking: Set(marking))
        let (width, height) = (PicturePath.rounded(layout.width), PicturePath.rounded(layout.height))
        let title =
            "\(states.count) \(states.count == 1 ? "state" : "states"), \(edges.count) \(edges.count == 1 ? "choice" : "choices")"
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" class="exploration" viewBox="0 0 \(width) \(height)" width="\(width)" \
            height="\(height)" role="img" aria-label="\(title)">
            """,
            Self.style,
            "<rect class=\"paper\" width=\"\(width)\" height=\"\(height)\"/>",
        ]
        // What is marked lies above the rest, and labels above all arrows.
        let arrows = layout.arrows.filter { !$0.isMarked } + layout.arrows.filter(\.isMarked)
        lines += arrows.map(Self.line)
        lines += layout.boxes.enumerated().map { Self.box($0.element, states[$0.offset], isFirst: $0.offset == 0) }
        lines += arrows.map(Self.label)
        return (lines + ["</svg>"]).joined(separator: "\n")
    }

    private static let style = """
        <style>
        .exploration { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
        .exploration .paper { fill: #ffffff; }
        .exploration .box { fill: #f2f4f8; stroke: #6b7688; }
        .exploration .first { stroke-width: 2.5; }
        .exploration text { fill: #1c2128; white-space: pre; }
        .exploration .line { fill: none; stroke: #6b7688; }
        .exploration .head { fill: #6b7688; }
        .exploration .marked.line { stroke: #c62828; stroke-width: 2; }
        .exploration .marked.head, .exploration text .marked { fill: #c62828; }
        @media (prefers-color-scheme: dark) {
        .exploration .paper { fill: #0d1117; }
        .exploration .box { fill: #1b2330; stroke: #8b96a8; }
        .exploration text { fill: #e6edf3; }
        .exploration .line { stroke: #8b96a8; }
        .exploration .head { fill: #8b96a8; }
        .exploration .marked.line { stroke: #ff7b72; }
        .exploration .marked.head, .exploration text .marked { fill: #ff7b72; }
        }
        </style>
        """

    private static func line(_ arrow: PictureLayout.Arrow) -> String {
        let marked = arrow.isMarked ? "marked " : ""
        let (x, y) = (PicturePath.rounded(arrow.head.x), PicturePath.rounded(arrow.head.y))
        let points =
            switch arrow.head.direction {
            case .right: [(x, y), (x - 8, y - 4), (x - 8, y + 4)]
            case .left: [(x, y), (x + 8, y - 4), (x + 8, y + 4)]
            case .down: [(x, y), (x - 4, y - 8), (x + 4, y - 8)]
            }
        return """
            <path class="\(marked)line" d="\(arrow.path)"/>\
            <polygon class="\(marked)head" points="\(points.map { "\($0),\($1)" }.joined(separator: " "))"/>
            """
    }

    private static func box(_ box: PictureLayout.Box, _ state: String, isFirst: Bool) -> String {
        let (x, y) = (PicturePath.rounded(box.x), PicturePath.rounded(box.y))
        let (width, height) = (PicturePath.rounded(box.width), PicturePath.rounded(box.height))
        let lines = box.text.lines.map { (text: $0, isMarked: false) }
        return """
            <g><title>\(PictureText.escaped(state))</title>\
            <rect class="\(isFirst ? "first " : "")box" x="\(x)" y="\(y)" width="\(width)" height="\(height)" rx="5"/>\
            \(text(lines, x: box.x + 10, middle: box.middle))</g>
            """
    }

    private static func label(_ arrow: PictureLayout.Arrow) -> String {
        let lines = arrow.choices.flatMap { choice in choice.text.lines.map { (text: $0, isMarked: choice.isMarked) } }
        let top = PicturePath.rounded(arrow.label.y - arrow.labelHeight / 2)
        let (width, height) = (PicturePath.rounded(arrow.labelWidth), PicturePath.rounded(arrow.labelHeight))
        // The paper under the label: lines that cross it end at its edge.
        return """
            <rect class="paper" x="\(PicturePath.rounded(arrow.label.x))" y="\(top)" width="\(width)" height="\(height)"/>\
            \(text(lines, x: arrow.label.x + 4, middle: arrow.label.y))
            """
    }

    private static func text(_ lines: [(text: String, isMarked: Bool)], x: Double, middle: Double) -> String {
        let top = middle - PictureText.lineHeight * Double(lines.count) / 2
        let spans = lines.enumerated().map { index, line in
            // The baseline.
            let y = PicturePath.rounded(top + PictureText.lineHeight * Double(index) + 11.5)
            let marked = line.isMarked ? " class=\"marked\"" : ""
            return "<tspan\(marked) x=\"\(PicturePath.rounded(x))\" y=\"\(y)\">\(PictureText.escaped(line.text))</tspan>"
        }
        return "<text xml:space=\"preserve\">\(spans.joined())</text>"
    }
}
