/// An edge of an item, to be constrained.
public enum Edge: Hashable, Sendable, CaseIterable {
    /// The edge above the first row.
    case top
    /// The edge before the first column.
    case left
    /// The edge below the last row.
    case bottom
    /// The edge behind the last column.
    case right
}

extension Array where Element == Edge {
    /// All four edges.
    public static var all: [Edge] { [.top, .left, .bottom, .right] }

    /// All edges but one.
    public static func all(except edge: Edge) -> [Edge] {
        switch edge {
        case .top: [.left, .bottom, .right]
        case .left: [.top, .bottom, .right]
        case .bottom: [.top, .left, .right]
        case .right: [.top, .left, .bottom]
        }
    }
}

/// A dimension of an item, to be constrained.
public enum Dimension: Hashable, Sendable {
    /// The number of columns.
    case width
    /// The number of rows.
    case height
}

/// A direction of the screen.
public enum Axis: Hashable, Sendable {
    /// From left to right.
    case horizontal
    /// From top to bottom.
    case vertical
}

/// How a constraint relates an edge or a dimension to its target.
///
/// For an edge, it relates distances to the inside: `.greaterThanOrEqual` is at least so far inside, at each of the four edges.
public enum Relation: Hashable, Sendable {
    /// At most.
    case lessThanOrEqual
    /// Exactly.
    case equal
    /// At least.
    case greaterThanOrEqual
}
