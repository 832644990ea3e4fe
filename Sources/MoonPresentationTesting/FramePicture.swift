import MoonPresentation
import PlainText

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
/// Columns and rows are counted from 0. The layer is left out if all cells are plain. A frame of more than 52 styles has a layer for each
/// 52 of them: in the second one, `a2` is the 53rd style, and `#` is a cell whose style is in another layer. Different frames have
/// different pictures, which can be kept beside a test: see ``Canvas/compare(to:beside:)``.
package struct FramePicture: Hashable, Sendable, CustomStringConvertible {
    /// The lines of the picture.
    let lines: [String]

    /// The picture of a frame.
    package init(_ canvas: Canvas) {
        let size = canvas.size
        var lines = ["\(size.columns) x \(size.rows)"]
        if let cursor = canvas.cursor { lines[0] += ", cursor at column \(cursor.column), row \(cursor.row)" }
        var styles = StyleNumbers()
        var numbers: [[Int?]] = []
        for row in 0..<size.rows {
            let points = (0..<size.columns).map { Point(column: $0, row: row) }
            lines.append("|\(points.map { canvas.text(at: $0) ?? "" }.joined())|")
            numbers.append(points.map { canvas.looksBlank(at: $0) ? nil : styles.number(of: canvas.style(at: $0)) })
        }
        for first in stride(from: 0, to: styles.all.count, by: Self.letters.count) {
            let legend = styles.all[first...].prefix(Self.letters.count)
            let layer = first / Self.letters.count
            lines.append(layer == 0 ? Self.title : "\(Self.title) \(layer + 1)")
            lines += numbers.map { row in
                "|\(row.map { $0.map { legend.indices.contains($0) ? String(Self.letters[$0 - first]) : "#" } ?? " " }.joined())|"
            }
            lines += zip(Self.letters, legend).map { "\($0)\(layer == 0 ? "" : "\(layer + 1)"): \($1.words)" }
        }
        self.lines = lines
    }

    /// The line above the first layer, and the beginning of those above others.
    private static let title = "styles"
    /// The names of the styles of a layer.
    private static let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

    /// Reads a picture. Blank lines at its end are ignored.
    package init(text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        self.lines = lines
    }

    /// The picture, with a line break after each line.
    package var description: String { lines.map { $0 + "\n" }.joined() }

    /// The styles of a frame, in the order of their first cells.
    private struct StyleNumbers {
        private(set) var all: [Style] = []
        private var numbers: [Style: Int] = [:]

        /// The number of a style; nil for the plain one.
        mutating func number(of style: Style) -> Int? {
            if style == .plain { return nil }
            if let number = numbers[style] { return number }
            all.append(style)
            numbers[style] = all.count - 1
            return all.count - 1
        }
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
        if let link { words.append("link \(Self.exact(link))") }
        return words.joined(separator: ", ")
    }

    /// An address as one line, in which different bytes look different.
    private static func exact(_ link: String) -> String {
        link.unicodeScalars.map { (0x20..<0x7F).contains($0.value) && $0 != "\\" ? String($0) : $0.escaped(asASCII: true) }
            .joined()
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
        let rows = max(1, new.rows.count)
        for (isText, old, new) in [(true, old.rows, new.rows), (false, old.styles, new.styles)] {
            for index in 0..<max(old.count, new.count) {
                let (before, after) = (index < old.count ? old[index] : nil, index < new.count ? new[index] : nil)
                guard before != after else { continue }
                let layer = index < rows ? "" : " \(index / rows + 1)"
                report.append(isText ? "row \(index)" : "styles\(layer) of row \(index % rows)")
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
        let middle = lines.firstIndex(of: Self.title) ?? lines.endIndex
        let layer = lines[middle...].dropFirst()
        return (
            lines.first ?? "", Array(lines[..<middle].dropFirst()), layer.filter { $0.hasPrefix("|") },
            layer.filter { !$0.hasPrefix("|") && !$0.hasPrefix(Self.title) }
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
