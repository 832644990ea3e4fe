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
/// Columns and rows are counted from 0. The layer is left out if all cells are plain. Each picture stands for one frame, so that
/// frames can be compared as text, and kept beside a test: see ``Canvas/compare(to:beside:)``.
public struct FramePicture: Hashable, Sendable, CustomStringConvertible {
    /// The lines of the picture.
    let lines: [String]

    /// The picture of a frame.
    public init(_ canvas: Canvas) {
        let size = canvas.size
        var lines = ["\(size.columns) x \(size.rows)"]
        if let cursor = canvas.cursor { lines[0] += ", cursor at column \(cursor.column), row \(cursor.row)" }
        var styles: [Style] = []
        var layer: [String] = []
        for row in 0..<size.rows {
            var (text, letters) = ("|", "|")
            for cell in canvas.cells[row * size.columns..<(row + 1) * size.columns] {
                text += canvas.text(of: cell)
                letters += cell.looksBlank ? " " : Self.letter(of: canvas.style(of: cell), in: &styles)
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

    /// A picture that was kept as text. Blank lines at its end are ignored.
    public init(text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        self.lines = lines
    }

    /// The picture, with a line break behind each line.
    public var description: String { lines.map { $0 + "\n" }.joined() }

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
