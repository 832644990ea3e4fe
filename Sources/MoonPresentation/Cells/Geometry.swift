/// A size in character cells.
public struct Size: Hashable, Sendable {
    /// The number of columns; never negative.
    public let columns: Int
    /// The number of rows; never negative.
    public let rows: Int

    /// The empty size.
    package static let zero = Size(columns: 0, rows: 0)

    /// Creates a size, of at most a trillion columns and rows. Negative numbers count as zero.
    public init(columns: Int, rows: Int) {
        self.columns = max(0, Cells.clamped(columns))
        self.rows = max(0, Cells.clamped(rows))
    }

    /// Indicates whether the size has no cells.
    package var isEmpty: Bool { columns == 0 || rows == 0 }
}

/// The place of a cell. The upper left corner is (0, 0).
public struct Point: Hashable, Sendable {
    /// The column, counted from 0.
    public let column: Int
    /// The row, counted from 0.
    public let row: Int

    /// The upper left corner.
    public static let zero = Point(column: 0, row: 0)

    /// Creates a point, at most a trillion cells from the upper left corner in each direction.
    public init(column: Int, row: Int) {
        self.column = Cells.clamped(column)
        self.row = Cells.clamped(row)
    }
}

/// A rectangle of cells.
public struct Rect: Hashable, Sendable {
    /// The upper left cell.
    package let origin: Point
    /// The size.
    package let size: Size

    /// The empty rectangle in the upper left corner.
    package static let zero = Rect(origin: .zero, size: .zero)

    /// Creates a rectangle.
    package init(origin: Point, size: Size) {
        self.origin = origin
        self.size = size
    }

    /// Creates a rectangle.
    public init(column: Int, row: Int, columns: Int, rows: Int) {
        self.init(origin: Point(column: column, row: row), size: Size(columns: columns, rows: rows))
    }

    /// The columns of the rectangle.
    public var columns: Range<Int> { origin.column..<(origin.column + size.columns) }
    /// The rows of the rectangle.
    public var rows: Range<Int> { origin.row..<(origin.row + size.rows) }
    /// Indicates whether the rectangle has no cells.
    package var isEmpty: Bool { size.isEmpty }

    /// Indicates whether the rectangle contains a cell.
    package func contains(_ point: Point) -> Bool { columns.contains(point.column) && rows.contains(point.row) }

    /// The cells that two rectangles share, which may be none.
    package func intersection(_ other: Rect) -> Rect {
        let (columns, rows) = (columns.clamped(to: other.columns), rows.clamped(to: other.rows))
        return Rect(column: columns.lowerBound, row: rows.lowerBound, columns: columns.count, rows: rows.count)
    }
}
