/// Something that items are constrained to: the screen that contains them, or another item.
public class LayoutTarget {
    let kind: Constraint.Target
    /// The constraints of the screen that it belongs to.
    let constraints: ConstraintList

    init(_ kind: Constraint.Target, _ constraints: ConstraintList) {
        self.kind = kind
        self.constraints = constraints
    }
}

/// A view that has been added to a screen, to be constrained.
///
/// The constraints are those of MoonKit's `MoonPresentation`, on a grid of cells:
///
/// ```swift
/// list.constrain(.all(except: .bottom), to: screen)
/// list.constrain(.bottom, to: field, edge: .top)
/// field.constrain(.all(except: .top), to: screen)
/// ```
///
/// Constants of edges are insets, for single edges as for several: a positive one leads inside. Relations of edges are between insets,
/// too: `.greaterThanOrEqual` is at least so far inside, at the right edge and the bottom as well.
/// <doc:Layout> says how places are found.
public final class LayoutItem: LayoutTarget {
    /// An edge of an item.
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

    /// A dimension of an item.
    public enum Dimension: Hashable, Sendable {
        /// The number of columns.
        case width
        /// The number of rows.
        case height
    }

    /// The relation of an edge or a dimension to its target.
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

    private let index: Int

    init(_ index: Int, _ constraints: ConstraintList) {
        self.index = index
        super.init(.item(index), constraints)
    }

    /// Constrains several edges to the same ones of another item.
    ///
    /// - Parameters:
    ///   - edges: The edges, such as `.all` or `.all(except: .top)`.
    ///   - relation: How the distances to the inside are related to the constant.
    ///   - target: The other item, or the screen.
    ///   - constant: How far inside, in cells.
    ///   - file: The file of this call, for what a constraint that cannot hold says.
    ///   - line: The line of this call.
    public func constrain(
        _ edges: [Edge], _ relation: Relation = .equal, to target: LayoutTarget, constant: Int = 0,
        file: String = #fileID, line: UInt = #line
    ) {
        for edge in edges { constrain(edge, relation, to: target, constant: constant, file: file, line: line) }
    }

    /// Constrains several edges to the same ones of another item, each with its own distance to the inside.
    public func constrain(
        _ edges: [Edge], to target: LayoutTarget, with insets: Insets, file: String = #fileID, line: UInt = #line
    ) {
        for edge in edges { constrain(edge, to: target, constant: insets[edge], file: file, line: line) }
    }

    /// Constrains an edge to an edge of another item.
    ///
    /// - Parameters:
    ///   - edge: The edge.
    ///   - relation: How the distance to the inside is related to the constant.
    ///   - target: The other item, or the screen.
    ///   - other: The edge of the target; nil for the same one.
    ///   - multiplier: What the position of the target's edge, counted from the start of the screen, is multiplied with. The product is
    ///     rounded down.
    ///   - constant: How far inside, in cells. Between two items, it is the gap.
    ///   - file: The file of this call, for what a constraint that cannot hold says.
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
    ///   - relation: How it is related to the other one.
    ///   - target: The other item, the screen, or the same item.
    ///   - other: The dimension of the target; nil for the same one.
    ///   - multiplier: What the target's dimension is multiplied with. The product is rounded down.
    ///   - constant: Cells that are added.
    ///   - file: The file of this call, for what a constraint that cannot hold says.
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
    ///   - multiplier: What the position of the target's middle is multiplied with.
    ///   - constant: Cells that are added.
    ///   - file: The file of this call, for what a constraint that cannot hold says.
    ///   - line: The line of this call.
    public func constrain(
        _ axis: Axis, to target: LayoutTarget, multiplier: Double = 1, constant: Int = 0, file: String = #fileID,
        line: UInt = #line
    ) {
        constraints.add(
            .middle(
                axis, of: index, to: self.target(target), multiplier: multiplier, constant: constant, file: file, line: line))
    }

    /// Constrains the middle to that of another item. A cell that is left over is behind, or below.
    public func constrain(centerTo target: LayoutTarget, file: String = #fileID, line: UInt = #line) {
        constrain(.horizontal, to: target, file: file, line: line)
        constrain(.vertical, to: target, file: file, line: line)
    }

    private func target(_ target: LayoutTarget) -> Constraint.Target {
        precondition(
            target.constraints === constraints,
            "An item was constrained to one of another screen. Constrain it to the screen that it was added to, or to an item of it."
        )
        return target.kind
    }
}

extension Array where Element == LayoutItem.Edge {
    /// All four edges.
    public static var all: [LayoutItem.Edge] { [.top, .left, .bottom, .right] }

    /// All edges but one.
    public static func all(except edge: LayoutItem.Edge) -> [LayoutItem.Edge] { all.filter { $0 != edge } }
}

/// The constraints of a screen, in declared order.
final class ConstraintList {
    /// Those of the last frame.
    private let last: [Constraint]
    private var others: [Constraint] = []
    /// How many of the constraints are the same as in the last frame; nil once one is not.
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

    /// Indicates whether all of them are those of the last frame.
    var isSame: Bool { same == last.count }

    var all: [Constraint] { same.map { Array(last[..<$0]) } ?? others }
}
