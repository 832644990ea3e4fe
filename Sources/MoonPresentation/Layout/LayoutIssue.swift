/// A constraint that cannot be satisfied together with the others.
///
/// A program draws such a frame all the same: what was declared earlier holds. In tests, ``Pilot/checkLayout()`` throws it.
public struct LayoutIssue: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Reason: Hashable, Sendable {
        /// The constraint asks for another value than what follows from those that were applied before. Middles are told in half cells.
        case conflict(wanted: Int, is: Int)
        /// The item would end before it begins, by so many cells.
        case inverted(by: Int)
        /// The item would lie outside of its container, by so many cells in all.
        case outside(by: Int)
        /// The constraint relates an edge or a middle to one of the other direction.
        case directions
    }

    /// The item: its explicit id, or the type of its view and its number in the container.
    package let item: String
    /// The direction.
    package let axis: Axis
    /// What is wrong.
    package let reason: Reason
    /// The constraint as text, with the item that it refers to; nil if the item has none in this direction.
    package let constraint: String?
    /// The file that declares the constraint, as `#fileID` has it; nil if there is none.
    package let file: String?
    /// The line that declares the constraint; nil if there is none.
    package let line: UInt?

    /// The issue in a line.
    public var description: String {
        let place = if let file, let line { "\(file):\(line): " } else { "" }
        let rule = constraint.map { " (\($0))" } ?? ""
        switch reason {
        case .conflict(let wanted, let value):
            return "\(place)\(item)\(rule): this must be \(wanted), but is \(value) by what was declared before."
        case .inverted(let cells):
            return "\(place)\(item)\(rule): it would end \(cells) cells before it begins."
        case .outside(let cells):
            return "\(place)\(item)\(rule): \(cells) cells of it would lie outside of the container."
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
        let addition = constant == 0 ? "" : inside ? ", \(constant) inside" : constant > 0 ? " + \(constant)" : " − \(-constant)"
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
