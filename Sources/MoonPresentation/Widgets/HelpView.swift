/// A view of the keys of a table and their effects.
///
/// ```swift
/// HelpView(keys)                      // in one row, as far as they fit
/// HelpView(keys, isPage: true)        // a row for each line of the table
/// ```
public struct HelpView<Event: Sendable>: Widget {
    private let lines: [KeyHelp]
    private let isPage: Bool

    /// Creates a help of a table. Lines without a help text are not shown.
    ///
    /// - Parameters:
    ///   - table: The table of keys.
    ///   - isPage: True for a row for each line; false for one row.
    public init(_ table: KeyTable<some Any>, isPage: Bool = false) { self.init(table.help, isPage: isPage) }

    /// Creates a help of lines.
    ///
    /// - Parameters:
    ///   - lines: Keys and their effects.
    ///   - isPage: True for a row for each line; false for one row.
    package init(_ lines: [KeyHelp], isPage: Bool = false) {
        self.lines = lines
        self.isPage = isPage
    }

    /// One row, or a row for each line.
    func preferredSize(in room: Size) -> NaturalSize {
        guard isPage else { return NaturalSize(rows: 1) }
        let width = lines.reduce(0) { max($0, margin + $1.text.columns) }
        return NaturalSize(columns: width, rows: lines.count)
    }

    /// Draws the lines that fit. In one row, an ellipsis stands for the rest.
    func paint(on surface: inout Surface<Event>) {
        if isPage {
            for (row, line) in lines.enumerated() {
                surface.write(StyledText(Self.keys(line), .bold), at: Point(column: 0, row: row))
                surface.write(line.text, at: Point(column: margin, row: row))
            }
        } else {
            surface.write(line(in: surface.size.columns))
        }
    }

    private func line(in width: Int) -> StyledText {
        var line = StyledText()
        for (index, help) in lines.enumerated() {
            let next =
                (line.isEmpty ? "" : StyledText("  ")) + StyledText(Self.keys(help), .bold) + StyledText(" \(help.text)", .dim)
            // Room for the ellipsis, if more lines follow.
            let needed = line.columns + next.columns + (index + 1 < lines.count ? 2 : 0)
            if needed > width { return line + StyledText(line.isEmpty ? "…" : " …", .dim) }
            line += next
        }
        return line
    }

    private var margin: Int { lines.reduce(0) { max($0, Self.keys($1).columns) } + 2 }

    private static func keys(_ line: KeyHelp) -> String { line.keys.joined(separator: "/") }
}
