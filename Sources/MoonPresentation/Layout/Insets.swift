/// Distances of the four edges of an item from those of another, in cells. Positive numbers point to the inside.
///
/// ```swift
/// list.constrain(.all, to: screen, with: .uniform(1))
/// clock.constrain([.right, .bottom], to: screen, with: Insets(right: 2))
/// ```
public struct Insets: Sendable {
    /// Rows at the top.
    package var top: Int
    /// Columns at the left.
    package var left: Int
    /// Rows at the bottom.
    package var bottom: Int
    /// Columns at the right.
    package var right: Int

    /// Creates insets, each of at most a trillion cells.
    ///
    /// - Parameters:
    ///   - top: Rows at the top.
    ///   - left: Columns at the left.
    ///   - bottom: Rows at the bottom.
    ///   - right: Columns at the right.
    public init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) {
        self.top = Cells.clamped(top)
        self.left = Cells.clamped(left)
        self.bottom = Cells.clamped(bottom)
        self.right = Cells.clamped(right)
    }

    /// The same distance at all edges.
    public static func uniform(_ inset: Int) -> Insets { Insets(top: inset, left: inset, bottom: inset, right: inset) }

    /// The distance at one edge.
    subscript(edge: LayoutItem.Edge) -> Int {
        switch edge {
        case .top: top
        case .left: left
        case .bottom: bottom
        case .right: right
        }
    }
}

extension Rect {
    /// The rectangle without a margin: an empty one inside this one if the margin is too large.
    package func inset(by insets: Insets) -> Rect {
        let left = min(max(0, insets.left), size.columns)
        let top = min(max(0, insets.top), size.rows)
        return Rect(
            column: origin.column + left, row: origin.row + top,
            columns: size.columns - left - max(0, insets.right), rows: size.rows - top - max(0, insets.bottom))
    }
}
