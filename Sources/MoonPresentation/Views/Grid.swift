/// Views in rows and columns. Each row is as high as its highest view.
///
/// ```swift
/// Grid(columns: [.content, .share()], spacing: 1) {
///     Text("Name")
///     Field(form.name, edit: Event.name)
///     Text("City")
///     Field(form.city, edit: Event.city)
/// }
/// ```
public struct Grid<Event: Sendable>: Widget {
    private let columns: [Length]
    private let spacing: Int
    private let lineSpacing: Int
    private let children: [ViewBuilder<Event>.Child]
    private let sizes = NaturalSizes()

    /// Creates a grid.
    ///
    /// - Parameters:
    ///   - columns: The width of each column, at least one. The natural width of a column is that of its widest view.
    ///   - spacing: Empty columns between two columns.
    ///   - lineSpacing: Empty rows between two rows.
    ///   - children: The views, row by row.
    public init(
        columns: [Length], spacing: Int = 0, lineSpacing: Int = 0,
        @ViewBuilder<Event> _ children: () -> [ViewBuilder<Event>.Child]
    ) {
        self.columns = columns.isEmpty ? [.automatic] : columns
        self.spacing = Cells.clamped(spacing)
        self.lineSpacing = Cells.clamped(lineSpacing)
        self.children = children()
    }

    /// The sums of the natural widths of the columns, and of the natural heights of the rows.
    func preferredSize(in room: Size) -> NaturalSize { sizes.natural(in: room) { measured(in: room) } }

    private func measured(in room: Size) -> NaturalSize {
        let tracks = tracks(in: room)
        return NaturalSize(
            columns: columns.enumerated().sum(spacing: spacing) { index, length in
                length.natural(along: natural(column: index, in: room), of: room.columns)
            },
            rows: lines.sum(spacing: lineSpacing) { natural(line: $0, tracks, room) })
    }

    /// Draws the views.
    func paint(on surface: inout Surface<Event>) {
        let size = surface.size
        let tracks = tracks(in: size)
        let lines = lines
        let rows = Tracks(
            size.rows, lengths: lines.map { _ in .automatic }, spacing: lineSpacing,
            natural: { natural(line: lines[$0], tracks, size) })
        for (line, row) in zip(lines, rows.ranges) {
            for index in line {
                let column = tracks.ranges[index - line.lowerBound]
                surface.add(
                    children[index].view,
                    in: Rect(column: column.lowerBound, row: row.lowerBound, columns: column.count, rows: row.count),
                    place: children[index].place)
            }
        }
    }

    /// The indexes of the views of each row.
    private var lines: [Range<Int>] {
        stride(from: 0, to: children.count, by: columns.count).map { $0..<min($0 + columns.count, children.count) }
    }

    private func tracks(in room: Size) -> Tracks {
        Tracks(room.columns, lengths: columns, spacing: spacing, natural: { natural(column: $0, in: room) })
    }

    private func natural(column: Int, in room: Size) -> Int? {
        stride(from: column, to: children.count, by: columns.count).largest {
            children[$0].view.naturalSize(in: room).columns
        }
    }

    private func natural(line: Range<Int>, _ tracks: Tracks, _ room: Size) -> Int? {
        zip(line, tracks.ranges).largest { index, track in
            children[index].view.naturalSize(in: Size(columns: track.count, rows: room.rows)).rows
        }
    }
}
