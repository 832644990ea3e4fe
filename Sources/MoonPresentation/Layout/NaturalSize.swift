/// The size that a view prefers.
public struct NaturalSize: Hashable, Sendable {
    /// The number of columns; nil if the width is flexible.
    public let columns: Int?
    /// The number of rows; nil if the height is flexible.
    public let rows: Int?

    /// No preference.
    package static let flexible = NaturalSize()

    /// Creates a natural size, of at most a trillion columns and rows. Negative numbers count as zero.
    ///
    /// - Parameters:
    ///   - columns: The number of columns; nil if the width is flexible.
    ///   - rows: The number of rows; nil if the height is flexible.
    public init(columns: Int? = nil, rows: Int? = nil) {
        self.columns = columns.map { max(0, Cells.clamped($0)) }
        self.rows = rows.map { max(0, Cells.clamped($0)) }
    }

    /// The same size with a margin around it.
    func outset(by insets: Insets) -> NaturalSize {
        NaturalSize(
            columns: columns.map { $0 + max(0, insets.left) + max(0, insets.right) },
            rows: rows.map { $0 + max(0, insets.top) + max(0, insets.bottom) })
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
