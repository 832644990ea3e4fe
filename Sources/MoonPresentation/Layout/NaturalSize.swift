/// The size that a view prefers.
public struct NaturalSize: Hashable, Sendable {
    /// The number of columns; nil if the width is flexible.
    public let columns: Int?
    /// The number of rows; nil if the height is flexible.
    public let rows: Int?

    /// No preference.
    package static let flexible = NaturalSize()

    /// Creates a natural size. Negative numbers count as zero, and those above a billion as a billion.
    ///
    /// - Parameters:
    ///   - columns: The number of columns; nil if the width is flexible.
    ///   - rows: The number of rows; nil if the height is flexible.
    public init(columns: Int? = nil, rows: Int? = nil) {
        self.columns = columns.map(Cells.bounded)
        self.rows = rows.map(Cells.bounded)
    }

    /// The same size with a margin around it.
    func outset(by insets: Insets) -> NaturalSize {
        NaturalSize(
            columns: columns.map { $0 + Cells.bounded(insets.left) + Cells.bounded(insets.right) },
            rows: rows.map { $0 + Cells.bounded(insets.top) + Cells.bounded(insets.bottom) })
    }

    subscript(axis: Axis) -> Int? { axis == .horizontal ? columns : rows }
}

extension Size {
    /// The number of columns, or of rows.
    subscript(axis: Axis) -> Int { axis == .horizontal ? columns : rows }
}

/// A direction of the screen.
public enum Axis: Hashable, Sendable {
    /// From left to right.
    case horizontal
    /// From top to bottom.
    case vertical
}
