/// A target of constraints: the screen, or an item on it.
public class LayoutTarget {
    let kind: Constraint.Target
    /// The constraints of the screen.
    let constraints: ConstraintList

    init(_ kind: Constraint.Target, _ constraints: ConstraintList) {
        self.kind = kind
        self.constraints = constraints
    }
}

/// A view on a screen, which can be constrained to the screen and to other views.
///
/// ```swift
/// list.constrain(.all(except: .bottom), to: screen)
/// list.constrain(.bottom, to: field, edge: .top)
/// field.constrain(.all(except: .top), to: screen)
/// ```
/// Use `constrain` for the parts of a screen: a view that fills the remaining room, has a position relative to another, or
/// overlaps it. Use ``Rows``, ``Columns`` and ``Grid`` for views that follow one another, and for views that are shown
/// conditionally.
///
/// Constants of edges are insets: a positive one points to the inside at each of the four edges. Relations compare insets:
/// `.greaterThanOrEqual` means at least this far inside. <doc:Layouts> explains how the solver places items.
public final class LayoutItem: LayoutTarget {
    /// An edge of an item.
    public enum Edge: Hashable, Sendable {
        /// The edge above the first row.
        case top
        /// The edge left of the first column.
        case left
        /// The edge below the last row.
        case bottom
        /// The edge right of the last column.
        case right
    }

    /// A dimension of an item.
    public enum Dimension: Hashable, Sendable {
        /// The number of columns.
        case width
        /// The number of rows.
        case height
    }

    /// The relation of an edge or a dimension to its target.
    ///
    /// For an edge, it relates distances to the inside: `.greaterThanOrEqual` means at least this far inside.
    public enum Relation: Hashable, Sendable {
        /// At most.
        case lessThanOrEqual
        /// Exactly.
        case equal
        /// At least.
        case greaterThanOrEqual
    }

    private let index: Int

    init(_ index: Int, _ constraints: ConstraintList) {
        self.index = index
        super.init(.item(index), constraints)
    }

    /// Constrains several edges to the same ones of another item.
    ///
    /// - Parameters:
    ///   - edges: The edges, such as `.all` or `.all(except: .top)`.
    ///   - relation: The relation of the distances to the insets.
    ///   - target: The other item, or the screen.
    ///   - insets: The distance of each edge to the inside.
    ///   - file: The file of this call, for the error of a constraint that cannot be satisfied.
    ///   - line: The line of this call.
    public func constrain(
        _ edges: [Edge], _ relation: Relation = .equal, to target: LayoutTarget, with insets: Insets = Insets(),
        file: String = #fileID, line: UInt = #line
    ) {
        for edge in edges { constrain(edge, relation, to: target, constant: insets[edge], file: file, line: line) }
    }

    /// Constrains an edge to an edge of another item.
    ///
    /// - Parameters:
    ///   - edge: The edge.
    ///   - relation: The relation of the distance to the constant.
    ///   - target: The other item, or the screen.
    ///   - other: The edge of the target; nil for the same one.
    ///   - multiplier: The factor of the target's edge, whose position is counted from the start of the screen. The product is
    ///     rounded down.
    ///   - constant: The distance to the inside, in cells. Between two items, it is the gap.
    ///   - file: The file of this call, for the error of a constraint that cannot be satisfied.
    ///   - line: The line of this call.
    public func constrain(
        _ edge: Edge, _ relation: Relation = .equal, to target: LayoutTarget, edge other: Edge? = nil,
        multiplier: Double = 1,
        constant: Int = 0, file: String = #fileID, line: UInt = #line
    ) {
        constraints.add(
            .edge(
                edge, of: index, relation, to: self.target(target), edge: other, multiplier: multiplier, constant: constant,
                file: file, line: line))
    }

    /// Constrains a dimension to a number of cells.
    public func constrain(
        _ dimension: Dimension, _ relation: Relation = .equal, constant: Int, file: String = #fileID, line: UInt = #line
    ) {
        constraints.add(.dimension(dimension, of: index, relation, constant: constant, file: file, line: line))
    }

    /// Constrains a dimension to one of another item.
    ///
    /// - Parameters:
    ///   - dimension: The dimension.
    ///   - relation: The relation to the other dimension.
    ///   - target: The other item, the screen, or the same item.
    ///   - other: The dimension of the target; nil for the same one.
    ///   - multiplier: The factor of the target's dimension. The product is rounded down.
    ///   - constant: Cells that are added.
    ///   - file: The file of this call, for the error of a constraint that cannot be satisfied.
    ///   - line: The line of this call.
    public func constrain(
        _ dimension: Dimension, _ relation: Relation = .equal, to target: LayoutTarget, dimension other: Dimension? = nil,
        multiplier: Double = 1, constant: Int = 0, file: String = #fileID, line: UInt = #line
    ) {
        constraints.add(
            .dimension(
                dimension, of: index, relation, to: self.target(target), dimension: other, multiplier: multiplier,
                constant: constant, file: file, line: line))
    }

    /// Constrains both dimensions to numbers of cells.
    public func constrain(size: Size, file: String = #fileID, line: UInt = #line) {
        constrain(.width, constant: size.columns, file: file, line: line)
        constrain(.height, constant: size.rows, file: file, line: line)
    }

    /// Constrains the middle in one direction to that of another item.
    ///
    /// - Parameters:
    ///   - axis: The direction.
    ///   - target: The other item, or the screen.
    ///   - multiplier: The factor of the position of the target's middle.
    ///   - constant: Cells that are added.
    ///   - file: The file of this call, for the error of a constraint that cannot be satisfied.
    ///   - line: The line of this call.
    public func constrain(
        _ axis: Axis, to target: LayoutTarget, multiplier: Double = 1, constant: Int = 0, file: String = #fileID,
        line: UInt = #line
    ) {
        constraints.add(
            .middle(
                axis, of: index, to: self.target(target), multiplier: multiplier, constant: constant, file: file, line: line))
    }

    /// Centers the item in another one. An odd cell is left at the right, or below.
    public func constrain(centerTo target: LayoutTarget, file: String = #fileID, line: UInt = #line) {
        constrain(.horizontal, to: target, file: file, line: line)
        constrain(.vertical, to: target, file: file, line: line)
    }

    private func target(_ target: LayoutTarget) -> Constraint.Target {
        precondition(
            target.constraints === constraints,
            "an item was constrained to another screen: constrain it to its own screen, or to an item of it"
        )
        return target.kind
    }
}

extension Array where Element == LayoutItem.Edge {
    /// All four edges.
    public static var all: [LayoutItem.Edge] { [.top, .left, .bottom, .right] }

    /// All edges except one.
    public static func all(except edge: LayoutItem.Edge) -> [LayoutItem.Edge] { all.filter { $0 != edge } }
}

/// The constraints of a screen, in declared order.
final class ConstraintList {
    /// The constraints of the last frame.
    private let last: [Constraint]
    private var others: [Constraint] = []
    /// The number of constraints that are the same as in the last frame; nil once one differs.
    private var same: Int? = 0

    init(last: [Constraint]) { self.last = last }

    func add(_ constraint: Constraint) {
        if let same {
            if same < last.count, last[same] == constraint {
                self.same = same + 1
                return
            }
            others = Array(last[..<same])
            self.same = nil
        }
        others.append(constraint)
    }

    /// Indicates whether the constraints are those of the last frame.
    var isSame: Bool { same == last.count }

    var all: [Constraint] { same.map { Array(last[..<$0]) } ?? others }
}
