/// A size in character cells.
public struct Size: Hashable, Sendable {
    /// The number of cells side by side; never negative.
    public let columns: Int
    /// The number of rows; never negative.
    public let rows: Int

    /// No room at all.
    public static let zero = Size(columns: 0, rows: 0)

    /// Creates a size. Negative numbers count as zero.
    public init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }

    /// Indicates whether nothing fits into it.
    public var isEmpty: Bool { columns == 0 || rows == 0 }
}

/// A cell's place, counted from the upper left corner, which is (0, 0).
public struct Point: Hashable, Sendable {
    /// The column, counted from 0.
    public let column: Int
    /// The row, counted from 0.
    public let row: Int

    /// The upper left corner.
    public static let zero = Point(column: 0, row: 0)

    /// Creates a point.
    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// A rectangle of cells.
public struct Rect: Hashable, Sendable {
    /// The upper left cell.
    public let origin: Point
    /// The size.
    public let size: Size

    /// Nothing, in the upper left corner.
    public static let zero = Rect(origin: .zero, size: .zero)

    /// Creates a rectangle.
    public init(origin: Point, size: Size) {
        self.origin = origin
        self.size = size
    }

    /// Creates a rectangle from numbers.
    public init(column: Int, row: Int, columns: Int, rows: Int) {
        self.init(origin: Point(column: column, row: row), size: Size(columns: columns, rows: rows))
    }

    /// The columns that it covers.
    public var columns: Range<Int> { origin.column..<(origin.column + size.columns) }
    /// The rows that it covers.
    public var rows: Range<Int> { origin.row..<(origin.row + size.rows) }
    /// Indicates whether it covers no cell.
    public var isEmpty: Bool { size.isEmpty }

    /// Indicates whether a cell lies in it.
    public func contains(_ point: Point) -> Bool { columns.contains(point.column) && rows.contains(point.row) }

    /// The cells that two rectangles share; an empty rectangle if there are none.
    public func intersection(_ other: Rect) -> Rect {
        let (columns, rows) = (columns.clamped(to: other.columns), rows.clamped(to: other.rows))
        return Rect(column: columns.lowerBound, row: rows.lowerBound, columns: columns.count, rows: rows.count)
    }
}
