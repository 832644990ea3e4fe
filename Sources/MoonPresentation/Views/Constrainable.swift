/// What items can be constrained to: another item, or the screen that contains them.
public protocol Constrainable {
    /// What is meant, for the screen that it belongs to.
    var _anchor: Anchor { get }
}

/// An item or the container of items, as a target of constraints.
public struct Anchor {
    let target: Constraint.Target
    let owner: ObjectIdentifier
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
public struct Item<Event: Sendable>: Constrainable {
    let screen: Screen<Event>
    let index: Int

    /// The item, for the screen that it belongs to.
    public var _anchor: Anchor { Anchor(target: .item(index), owner: ObjectIdentifier(screen)) }

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
        _ edges: [Edge], _ relation: Relation = .equal, to target: some Constrainable, constant: Int = 0,
        file: String = #fileID, line: UInt = #line
    ) {
        for edge in edges { constrain(edge, relation, to: target, constant: constant, file: file, line: line) }
    }

    /// Constrains several edges to the same ones of another item, each with its own distance to the inside.
    public func constrain(
        _ edges: [Edge], to target: some Constrainable, with insets: Insets, file: String = #fileID, line: UInt = #line
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
        _ edge: Edge, _ relation: Relation = .equal, to target: some Constrainable, edge other: Edge? = nil,
        multiplier: Double = 1,
        constant: Int = 0, file: String = #fileID, line: UInt = #line
    ) {
        screen.constrain(
            .edge(
                edge, of: index, relation, to: self.target(target), edge: other, multiplier: multiplier, constant: constant,
                file: file, line: line))
    }

    /// Constrains a dimension to a number of cells.
    public func constrain(
        _ dimension: Dimension, _ relation: Relation = .equal, constant: Int, file: String = #fileID, line: UInt = #line
    ) {
        screen.constrain(.dimension(dimension, of: index, relation, constant: constant, file: file, line: line))
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
        _ dimension: Dimension, _ relation: Relation = .equal, to target: some Constrainable, dimension other: Dimension? = nil,
        multiplier: Double = 1, constant: Int = 0, file: String = #fileID, line: UInt = #line
    ) {
        screen.constrain(
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
        _ axis: Axis, to target: some Constrainable, multiplier: Double = 1, constant: Int = 0, file: String = #fileID,
        line: UInt = #line
    ) {
        screen.constrain(
            .middle(
                axis, of: index, to: self.target(target), multiplier: multiplier, constant: constant, file: file, line: line))
    }

    /// Constrains the middle to that of another item. A cell that is left over is behind, or below.
    public func constrain(centerTo target: some Constrainable, file: String = #fileID, line: UInt = #line) {
        constrain(.horizontal, to: target, file: file, line: line)
        constrain(.vertical, to: target, file: file, line: line)
    }

    private func target(_ target: some Constrainable) -> Constraint.Target {
        let anchor = target._anchor
        precondition(
            anchor.owner == ObjectIdentifier(screen),
            "An item was constrained to one of another screen. Constrain it to the screen that it was added to, or to an item of it."
        )
        return anchor.target
    }
}
