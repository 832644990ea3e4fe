import MoonPresentation

/// A frame as text: its rows, and below them a layer with a letter for each cell that has a style.
///
/// ```
/// 12 x 2, cursor at column 4, row 1
/// |notes       |
/// |> tea       |
/// styles
/// |aaaaa       |
/// |            |
/// a: bold, foreground red
/// ```
/// Columns and rows are counted from 0. The layer is left out if all cells are plain. Different frames have different pictures,
/// which can be kept beside a test: see ``Canvas/compare(to:beside:)``.
package struct FramePicture: Hashable, Sendable, CustomStringConvertible {
    /// The lines of the picture.
    let lines: [String]

    /// The picture of a frame.
    package init(_ canvas: Canvas) {
        let size = canvas.size
        var lines = ["\(size.columns) x \(size.rows)"]
        if let cursor = canvas.cursor { lines[0] += ", cursor at column \(cursor.column), row \(cursor.row)" }
        var styles: [Style] = []
        var layer: [String] = []
        for row in 0..<size.rows {
            var (text, letters) = ("|", "|")
            for column in 0..<size.columns {
                let point = Point(column: column, row: row)
                text += canvas.text(at: point) ?? ""
                letters += canvas.looksBlank(at: point) ? " " : Self.letter(of: canvas.style(at: point), in: &styles)
            }
            lines.append(text + "|")
            layer.append(letters + "|")
        }
        if !styles.isEmpty {
            lines.append("styles")
            lines += layer
            for (index, style) in styles.enumerated() { lines.append("\(Self.letter(index)): \(style.words)") }
        }
        self.lines = lines
    }

    /// Reads a picture. Blank lines at its end are ignored.
    package init(text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        self.lines = lines
    }

    /// The picture, with a line break after each line.
    package var description: String { lines.map { $0 + "\n" }.joined() }

    private static func letter(of style: Style, in styles: inout [Style]) -> String {
        if style == .plain { return " " }
        if let index = styles.firstIndex(of: style) { return letter(index) }
        styles.append(style)
        return letter(styles.count - 1)
    }

    /// Letters of the alphabet, then capital letters, then `#` for any more.
    private static func letter(_ index: Int) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return index < letters.count ? String(letters[index]) : "#"
    }
}

extension Style {
    /// The style in words, such as `bold, foreground red, link https://example.com`.
    var words: String {
        let attributes: [(Attributes, String)] = [
            (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underline"), (.inverse, "inverse"),
            (.strikethrough, "strikethrough"),
        ]
        var words = attributes.filter { self.attributes.contains($0.0) }.map(\.1)
        if foreground != .standard { words.append("foreground \(foreground.words)") }
        if background != .standard { words.append("background \(background.words)") }
        if let link { words.append("link \(link)") }
        return words.joined(separator: ", ")
    }
}

extension Color {
    /// The color in words: a name, `palette 200`, or `rgb 10 20 30`.
    var words: String {
        let value = Int(bits & 255)
        switch bits >> 24 {
        case 1:
            let name = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"][value & 7]
            return value == 8 ? "gray" : value > 8 ? "bright \(name)" : name
        case 2: return "palette \(value)"
        case 3: return "rgb \(bits >> 16 & 255) \(bits >> 8 & 255) \(value)"
        default: return "standard"
        }
    }
}

extension FramePicture {
    /// Describes the rows that differ from another picture, with marks below the cells.
    ///
    /// - Parameter expected: The picture that was expected.
    /// - Returns: The difference, for the failure of a test; nil if there is none.
    package func difference(from expected: FramePicture) -> String? {
        guard self != expected else { return nil }
        let (old, new) = (expected.parts, parts)
        var report: [String] = []
        if old.head != new.head { report += ["expected \(old.head)", "but got  \(new.head)"] }
        for (name, old, new) in [("row", old.rows, new.rows), ("styles of row", old.styles, new.styles)] {
            for index in 0..<max(old.count, new.count) {
                let (before, after) = (index < old.count ? old[index] : nil, index < new.count ? new[index] : nil)
                guard before != after else { continue }
                report.append("\(name) \(index)")
                report.append("  expected \(before ?? "no such row")")
                report.append("  but got  \(after ?? "no such row")")
                if let before, let after { report.append("           " + Self.marks(before, after)) }
            }
        }
        if old.legend != new.legend {
            report += old.legend.filter { !new.legend.contains($0) }.map { "expected style \($0)" }
            report += new.legend.filter { !old.legend.contains($0) }.map { "but got  style \($0)" }
        }
        return report.joined(separator: "\n")
    }

    /// A caret below each cell that differs.
    private static func marks(_ one: String, _ other: String) -> String {
        let (before, after) = (one.cells, other.cells)
        var marks = ""
        for index in 0..<max(before.count, after.count) {
            let isEqual = index < before.count && index < after.count && before[index] == after[index]
            marks += isEqual ? " " : "^"
        }
        return String(marks.reversed().drop { $0 == " " }.reversed())
    }

    /// The parts of a picture: its first line, the rows, the layer of styles, and its legend.
    private var parts: (head: String, rows: [String], styles: [String], legend: [String]) {
        let middle = lines.firstIndex(of: "styles") ?? lines.endIndex
        let layer = lines[middle...].dropFirst()
        return (
            lines.first ?? "", Array(lines[..<middle].dropFirst()), layer.filter { $0.hasPrefix("|") },
            layer.filter { !$0.hasPrefix("|") }
        )
    }
}

extension String {
    /// The text of each cell: empty for the second half of a wide character.
    fileprivate var cells: [String] {
        flatMap { character in
            let text = String(character)
            return [text] + Array(repeating: "", count: Swift.max(0, text.columns - 1))
        }
    }
}
