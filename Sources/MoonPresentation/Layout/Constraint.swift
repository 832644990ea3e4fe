/// A relation between an attribute of an item (an edge, a dimension or the middle) and one of another item or the container, or a
/// number.
///
/// Positions are counted from the container's upper left corner. Edges are between cells: the right edge of an item that fills a
/// container of 80 columns is 80.
package struct Constraint: Hashable, Sendable {
    /// An attribute of an item in one direction.
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

    /// The other side of a constraint.
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
    /// The direction of the attribute.
    package var axis: Axis
    /// The constrained attribute.
    package var attribute: Attribute
    /// The relation to the target. For edges, it relates distances to the inside.
    package var relation: LayoutItem.Relation
    /// The target of the constraint.
    package var target: Target
    /// The direction of the target's attribute. Only dimensions can be related across directions.
    package var targetAxis: Axis
    /// The attribute of the target.
    package var targetAttribute: Attribute
    /// The factor of the target's attribute. The product is rounded down.
    package var multiplier: Double
    /// The distance to the inside for an edge; the summand otherwise.
    package var constant: Int
    /// The line that declares the constraint.
    package var source: SourceLine

    /// A constraint of an edge. The constant is a distance to the inside.
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

    /// A constraint of a dimension, to that of the target or to a number.
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

    /// A constraint of the middle in one direction.
    package static func middle(
        _ axis: Axis, of item: Int, to target: Target, multiplier: Double = 1, constant: Int = 0, file: String = #fileID,
        line: UInt = #line
    ) -> Constraint {
        Constraint(
            item: item, axis: axis, attribute: .middle, relation: .equal, target: target, targetAxis: axis,
            targetAttribute: .middle, multiplier: multiplier, constant: constant, source: SourceLine(file: file, line: line))
    }

    /// The value of the attribute for a value of the target's.
    func value(of other: Int) -> Int {
        let product = multiplier == 1 ? other : Cells.floor(Double(other) * multiplier)
        return product + offset
    }

    /// The value of the target's attribute for a value of the item's; nil if it is not exact.
    func inverse(of own: Int) -> Int? { multiplier == 1 ? own - offset : nil }

    /// The constant as an offset of positions.
    private var offset: Int {
        switch attribute {
        case .low, .extent: Cells.clamped(constant)
        case .high: -Cells.clamped(constant)
        case .middle: 2 * Cells.clamped(constant)
        }
    }

    /// The relation between positions. For the right edge and the bottom it is reversed.
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

/// A constraint that conflicts with earlier ones.
///
/// A program draws such a frame nevertheless: earlier constraints hold. In tests, a pilot's `checkLayout()` throws it.
package struct LayoutIssue: Error, Hashable, Sendable, CustomStringConvertible {
    /// A reason why a constraint cannot be satisfied.
    package enum Reason: Hashable, Sendable {
        /// The constraint asks for another value than the constraints before it. Middles are counted in half cells.
        case conflict(wanted: Int, is: Int)
        /// The item would end before it begins, by this number of cells.
        case inverted(by: Int)
        /// The item would exceed its container, by this number of cells in all.
        case outside(by: Int)
        /// The constraint relates an edge or a middle to one in the other direction.
        case directions
    }

    /// The item: its id, or the type of its view and its number in the container.
    package let item: String
    /// The direction.
    package let axis: Axis
    /// The reason.
    package let reason: Reason
    /// The constraint as text, with the item that it refers to; nil if the item has none in this direction.
    package let constraint: String?
    /// The file that declares the constraint, as `#fileID` has it; nil if there is none.
    package let file: String?
    /// The line that declares the constraint; nil if there is none.
    package let line: UInt?

    /// The place, the constraint and the reason in a line.
    package var description: String {
        let place = if let file, let line { "\(file):\(line): " } else { "" }
        let rule = constraint.map { " (\($0))" } ?? ""
        switch reason {
        case .conflict(let wanted, let value):
            return "\(place)\(item)\(rule): this must be \(wanted), but earlier constraints make it \(value)."
        case .inverted(let cells):
            return "\(place)\(item)\(rule): the item would end \(cells) cells before it begins."
        case .outside(let cells):
            return "\(place)\(item)\(rule): the item would exceed the container by \(cells) cells."
        case .directions:
            return "\(place)\(item)\(rule): only dimensions can be related across directions."
        }
    }
}

extension Constraint {
    /// The constraint as it reads in an issue: `bottom = List 1.top − 1`.
    func text(_ name: (Int) -> String) -> String {
        let own = Self.name(axis, attribute)
        let sign =
            switch relation {
            case .lessThanOrEqual: "≤"
            case .equal: "="
            case .greaterThanOrEqual: "≥"
            }
        let other: String
        switch target {
        case .number: return "\(own) \(sign) \(constant)"
        case .container: other = "container." + Self.name(targetAxis, targetAttribute)
        case .item(let index): other = name(index) + "." + Self.name(targetAxis, targetAttribute)
        }
        let factor = multiplier == 1 ? "" : " × \(multiplier)"
        let inside = attribute == .low || attribute == .high
        let sum = constant > 0 ? " + \(constant)" : " − \(constant.magnitude)"
        let addition = constant == 0 ? "" : inside ? ", \(constant) inside" : sum
        return "\(own) \(sign) \(other)\(factor)\(addition)"
    }

    private static func name(_ axis: Axis, _ attribute: Attribute) -> String {
        switch (axis, attribute) {
        case (.horizontal, .low): "left"
        case (.horizontal, .high): "right"
        case (.horizontal, .extent): "width"
        case (.horizontal, .middle): "horizontal middle"
        case (.vertical, .low): "top"
        case (.vertical, .high): "bottom"
        case (.vertical, .extent): "height"
        case (.vertical, .middle): "vertical middle"
        }
    }
}
