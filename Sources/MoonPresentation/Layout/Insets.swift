/// Distances of the four edges of an item from those of another, in cells. Positive numbers lead to the inside.
///
/// ```swift
/// list.constrain(.all, to: screen, with: .uniform(1) + .top(2))
/// ```
public struct Insets: Hashable, Sendable {
    /// Rows at the top.
    package var top: Int
    /// Columns at the left.
    package var left: Int
    /// Rows at the bottom.
    package var bottom: Int
    /// Columns at the right.
    package var right: Int

    /// No insets.
    package static let zero = Insets()

    /// Creates insets.
    ///
    /// - Parameters:
    ///   - top: Rows at the top.
    ///   - left: Columns at the left.
    ///   - bottom: Rows at the bottom.
    ///   - right: Columns at the right.
    package init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    /// The same distance at all edges.
    public static func uniform(_ inset: Int) -> Insets { Insets(top: inset, left: inset, bottom: inset, right: inset) }
    /// A distance at the top.
    public static func top(_ inset: Int) -> Insets { Insets(top: inset) }
    /// A distance at the left.
    public static func left(_ inset: Int) -> Insets { Insets(left: inset) }
    /// A distance at the bottom.
    public static func bottom(_ inset: Int) -> Insets { Insets(bottom: inset) }
    /// A distance at the right.
    public static func right(_ inset: Int) -> Insets { Insets(right: inset) }
    /// The same distance at the left and at the right.
    public static func horizontal(_ inset: Int) -> Insets { Insets(left: inset, right: inset) }
    /// The same distance at the top and at the bottom, and another at the left and at the right.
    public static func vertical(_ vertical: Int, horizontal: Int = 0) -> Insets {
        Insets(top: vertical, left: horizontal, bottom: vertical, right: horizontal)
    }

    /// Adds the distances of two insets.
    public static func + (one: Insets, other: Insets) -> Insets {
        Insets(
            top: one.top + other.top, left: one.left + other.left, bottom: one.bottom + other.bottom,
            right: one.right + other.right)
    }

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
