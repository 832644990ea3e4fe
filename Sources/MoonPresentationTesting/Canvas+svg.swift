import MoonPresentation

extension Canvas {
    /// The frame as an SVG picture of a terminal, for documentation.
    ///
    /// - Parameter title: A description of the picture, for readers who cannot see it.
    package func svg(title: String = "A frame of a terminal") -> String {
        // Browsers ignore xml:space, and other programs ignore the style.
        let (width, height) = (size.columns * Self.cell.width + 2 * Self.margin, size.rows * Self.cell.height + 2 * Self.margin)
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" role="img">
            <title>\(title.escaped)</title>
            <style>text { white-space: pre }</style>
            <rect width="\(width)" height="\(height)" rx="6" fill="\(Self.background)"/>
            <g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">

            """
        for row in 0..<size.rows {
            for run in runs(of: row) { svg += draw(run, row: row) }
        }
        if let cursor, bounds.contains(cursor) {
            svg += """
                <rect x="\(Self.margin + cursor.column * Self.cell.width)" y="\(Self.margin + cursor.row * Self.cell.height)" \
                width="2" height="\(Self.cell.height)" fill="\(Self.foreground)"/>

                """
        }
        return svg + "</g>\n</svg>\n"
    }

    private static var cell: (width: Int, height: Int) { (9, 18) }
    private static var margin: Int { 10 }
    private static var foreground: String { "#d8dee9" }
    private static var background: String { "#1e222a" }

    /// Adjacent cells of one style. A wide character is a run by itself, because fonts may differ in its width.
    private struct Run {
        var column: Int
        var columns: Int
        var text: String
        var style: Style
        var isWide: Bool
    }

    private func runs(of row: Int) -> [Run] {
        var runs: [Run] = []
        for column in 0..<size.columns {
            let point = Point(column: column, row: row)
            let text = text(at: point) ?? ""
            let style = style(at: point)
            if text.isEmpty || looksBlank(at: point) && runs.last?.style != style { continue }
            let isWide = self.text(at: Point(column: column + 1, row: row))?.isEmpty == true
            if let last = runs.last, last.style == style, !last.isWide, !isWide, last.column + last.columns == column {
                runs[runs.count - 1].text += text
                runs[runs.count - 1].columns += 1
            } else {
                runs.append(Run(column: column, columns: isWide ? 2 : 1, text: text, style: style, isWide: isWide))
            }
        }
        return runs.filter { !$0.text.allSatisfy { $0 == " " } || $0.style.isSeenOnBlanks }
    }

    private func draw(_ run: Run, row: Int) -> String {
        let style = run.style
        var (foreground, background) = (style.foreground.css ?? Self.foreground, style.background.css)
        if style.attributes.contains(.inverse) { (foreground, background) = (background ?? Self.background, foreground) }
        let (x, y) = (Self.margin + run.column * Self.cell.width, Self.margin + row * Self.cell.height)
        let width = run.columns * Self.cell.width
        var svg = ""
        if let background {
            svg += "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(Self.cell.height)\" fill=\"\(background)\"/>\n"
        }
        var attributes = "fill=\"\(foreground)\" textLength=\"\(width)\" lengthAdjust=\"spacingAndGlyphs\""
        if style.attributes.contains(.bold) { attributes += " font-weight=\"bold\"" }
        if style.attributes.contains(.dim) { attributes += " opacity=\"0.6\"" }
        if style.attributes.contains(.italic) { attributes += " font-style=\"italic\"" }
        let lines = [(.underline, "underline"), (.strikethrough, "line-through")] as [(Style.Attributes, String)]
        let drawn = lines.filter { style.attributes.contains($0.0) }.map(\.1) + (style.link == nil ? [] : ["underline"])
        if !drawn.isEmpty { attributes += " text-decoration=\"\(drawn.joined(separator: " "))\"" }
        return svg + "<text x=\"\(x)\" y=\"\(y + 13)\" \(attributes)>\(run.text.escaped)</text>\n"
    }
}

extension String {
    /// The text as the contents of an element of XML.
    fileprivate var escaped: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
