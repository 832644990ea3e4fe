/// A relation between an edge, a dimension or the middle of an item and that of another one, of the container, or a number.
///
/// Positions are counted from the container's upper left corner. Edges stand between cells: the right edge of an item that fills a
/// container of 80 columns is 80.
package struct Constraint: Hashable, Sendable {
    /// What is constrained, in one direction.
    package enum Attribute: Hashable, Sendable {
        /// The left edge, or the top.
        case low
        /// The right edge, or the bottom.
        case high
        /// The number of columns, or of rows.
        case extent
        /// The middle, counted in half cells, so that it is a whole number.
        case middle
    }

    /// What an item is related to.
    package enum Target: Hashable, Sendable {
        /// A number of cells.
        case number
        /// The container of the items.
        case container
        /// Another item, or the same one.
        case item(Int)
    }

    /// The item that is constrained.
    package var item: Int
    /// The direction of what is constrained.
    package var axis: Axis
    /// What is constrained.
    package var attribute: Attribute
    /// The relation to the target. For edges, it relates distances to the inside.
    package var relation: LayoutItem.Relation
    /// What the item is related to.
    package var target: Target
    /// The direction of the target's attribute. Only dimensions may be related across directions.
    package var targetAxis: Axis
    /// The attribute of the target.
    package var targetAttribute: Attribute
    /// What the target's attribute is multiplied with. The product is rounded down.
    package var multiplier: Double
    /// How far the item is inside of that for an edge; what is added otherwise.
    package var constant: Int
    /// Where the constraint was declared.
    package var source: SourceLine

    /// An edge: as far inside as the constant says.
    package static func edge(
        _ edge: LayoutItem.Edge, of item: Int, _ relation: LayoutItem.Relation = .equal, to target: Target,
        edge other: LayoutItem.Edge? = nil,
        multiplier: Double = 1, constant: Int = 0, file: String = #fileID, line: UInt = #line
    ) -> Constraint {
        let other = other ?? edge
        return Constraint(
            item: item, axis: edge.axis, attribute: edge.attribute, relation: relation, target: target, targetAxis: other.axis,
            targetAttribute: other.attribute, multiplier: multiplier, constant: constant,
            source: SourceLine(file: file, line: line))
    }

    /// A dimension: that of the target, or a number if there is none.
    package static func dimension(
        _ dimension: LayoutItem.Dimension, of item: Int, _ relation: LayoutItem.Relation = .equal, to target: Target = .number,
        dimension other: LayoutItem.Dimension? = nil, multiplier: Double = 1, constant: Int = 0, file: String = #fileID,
        line: UInt = #line
    ) -> Constraint {
        Constraint(
            item: item, axis: dimension.axis, attribute: .extent, relation: relation, target: target,
            targetAxis: (other ?? dimension).axis, targetAttribute: .extent, multiplier: multiplier, constant: constant,
            source: SourceLine(file: file, line: line))
    }

    /// The middle in one direction.
    package static func middle(
        _ axis: Axis, of item: Int, to target: Target, multiplier: Double = 1, constant: Int = 0, file: String = #fileID,
        line: UInt = #line
    ) -> Constraint {
        Constraint(
            item: item, axis: axis, attribute: .middle, relation: .equal, target: target, targetAxis: axis,
            targetAttribute: .middle, multiplier: multiplier, constant: constant, source: SourceLine(file: file, line: line))
    }

    /// The value that the attribute has if the target's is known.
    func value(of other: Int) -> Int {
        let product = multiplier == 1 ? other : Cells.floor(Double(other) * multiplier)
        return product + offset
    }

    /// The value of the target's attribute if that of the item is known; nil if it cannot be told exactly.
    func inverse(of own: Int) -> Int? { multiplier == 1 ? own - offset : nil }

    /// What the constant adds, in the direction in which positions are counted.
    private var offset: Int {
        switch attribute {
        case .low, .extent: constant
        case .high: -constant
        case .middle: 2 * constant
        }
    }

    /// The relation between positions: edges at the far end are inside if they are less.
    var positional: LayoutItem.Relation {
        guard attribute == .high else { return relation }
        switch relation {
        case .lessThanOrEqual: return .greaterThanOrEqual
        case .equal: return .equal
        case .greaterThanOrEqual: return .lessThanOrEqual
        }
    }
}

/// A line of a program.
package struct SourceLine: Hashable, Sendable, CustomStringConvertible {
    let file: String
    let line: UInt

    package var description: String { "\(file):\(line)" }
}

extension LayoutItem.Edge {
    var axis: Axis { self == .left || self == .right ? .horizontal : .vertical }
    var attribute: Constraint.Attribute { self == .left || self == .top ? .low : .high }
}

extension LayoutItem.Dimension {
    var axis: Axis { self == .width ? .horizontal : .vertical }
}
