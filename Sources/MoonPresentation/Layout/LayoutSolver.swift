/// Computes the frames of items from their constraints.
///
/// Constraints are applied in declared order, in repeated passes, as soon as their targets are known. When nothing more follows,
/// the next unsettled item gets its natural size or the remaining room:
///
/// 1. The horizontal direction is settled before the vertical one, so that the height of a text can follow from its width.
/// 2. Items whose own constraints are all applied come before those that wait for another item, items with a natural size before
///    flexible ones, and earlier items before later ones.
/// 3. An item without a constraint in a direction fills the container in it. An item with a size but no position is placed at the
///    start.
/// 4. A natural size never exceeds the container or the bounds of inequalities.
///
/// The result is deterministic. Of two contradicting constraints, the one that was applied first holds, and the other is an
/// issue.
package struct LayoutSolver {
    /// The number of items.
    package let count: Int
    /// The constraints in declared order.
    package let constraints: [Constraint]

    /// Creates a solver.
    ///
    /// - Parameters:
    ///   - count: The number of items. Constraints refer to them by 0, 1, ….
    ///   - constraints: The constraints in declared order.
    package init(count: Int, constraints: [Constraint]) {
        self.count = count
        self.constraints = constraints
    }

    /// The frames of items, and the constraints that are not satisfied.
    package struct Solution {
        /// A rectangle for each item, all within the container's.
        package var frames: [Rect]
        /// The issues: equalities in the order in which they failed, then inequalities, then items that do not fit.
        package var issues: [LayoutIssue]
    }

    /// Computes the frames of the items.
    ///
    /// - Parameters:
    ///   - container: The container's rectangle.
    ///   - natural: The natural size of an item in a room: the container, or the item's width once it is known.
    ///   - name: The name of an item, for issues.
    package func solve(
        in container: Rect, natural: (Int, Size) -> NaturalSize, name: (Int) -> String = { "item \($0)" }
    ) -> Solution {
        var state = LayoutState(count: count, constraints: constraints, size: container.size)
        for axis in [Axis.horizontal, .vertical] {
            state.propagate()
            while let index = state.next(axis, natural: natural) {
                state.settle(index, axis, natural: natural)
                state.propagate()
            }
        }
        return state.solution(in: container, name: name)
    }
}

/// The state of the solver.
struct LayoutState {
    let constraints: [Constraint]
    let size: Size
    private(set) var columns: [Span]
    private(set) var rows: [Span]
    /// For each constraint, whether it was applied or is impossible.
    private var isApplied: [Bool]
    private var conflicts: [(constraint: Constraint, reason: LayoutIssue.Reason)] = []

    init(count: Int, constraints: [Constraint], size: Size) {
        // Positions in different directions cannot be related.
        let isMeant = { (constraint: Constraint) in constraint.axis == constraint.targetAxis || constraint.attribute == .extent }
        self.constraints = constraints.filter(isMeant)
        conflicts = constraints.filter { !isMeant($0) }.map { ($0, .directions) }
        self.size = size
        columns = Array(repeating: Span(), count: count)
        rows = columns
        isApplied = Array(repeating: false, count: self.constraints.count)
    }

    subscript(item: Int, axis: Axis) -> Span {
        get { axis == .horizontal ? columns[item] : rows[item] }
        set { if axis == .horizontal { columns[item] = newValue } else { rows[item] = newValue } }
    }

    // MARK: - Propagation

    /// Applies equalities until nothing more follows.
    mutating func propagate() {
        var goesOn = true
        while goesOn {
            goesOn = false
            for index in constraints.indices where !isApplied[index] && constraints[index].relation == .equal {
                if apply(index) { goesOn = true }
            }
        }
    }

    private mutating func apply(_ index: Int) -> Bool {
        let constraint = constraints[index]
        if let value = wanted(constraint) {
            isApplied[index] = true
            if !self[constraint.item, constraint.axis].set(constraint.attribute, value) {
                let known = self[constraint.item, constraint.axis][constraint.attribute] ?? 0
                conflicts.append((constraint, .conflict(wanted: value, is: known)))
            }
            return true
        }
        // In reverse: the item's attribute determines the target's.
        guard case .item(let other) = constraint.target, let own = self[constraint.item, constraint.axis][constraint.attribute],
            let value = constraint.inverse(of: own)
        else { return false }
        isApplied[index] = true
        // The target's value is unknown, so that this cannot conflict.
        _ = self[other, constraint.targetAxis].set(constraint.targetAttribute, value)
        return true
    }

    /// The value that a constraint requires; nil if its target is unknown.
    private func wanted(_ constraint: Constraint) -> Int? {
        switch constraint.target {
        case .number: constraint.value(of: 0)
        case .container: Span(0..<size[constraint.targetAxis])[constraint.targetAttribute].map(constraint.value)
        case .item(let other): self[other, constraint.targetAxis][constraint.targetAttribute].map(constraint.value)
        }
    }

    // MARK: - Choices

    /// The item whose size or place is chosen next; nil if all are settled in this direction.
    func next(_ axis: Axis, natural: (Int, Size) -> NaturalSize) -> Int? {
        var best: (rank: Int, index: Int)?
        for index in columns.indices where !self[index, axis].isKnown {
            // A known size counts as a natural one.
            let hasSize = self[index, axis].extent != nil || wish(index, axis, natural: natural) != nil
            let rank = (isWaiting(index, axis) ? 2 : 0) + (hasSize ? 0 : 1)
            if rank < best?.rank ?? .max { best = (rank, index) }
            if rank == 0 { break }
        }
        return best?.index
    }

    /// Indicates whether a constraint of an item has an unknown target.
    private func isWaiting(_ item: Int, _ axis: Axis) -> Bool {
        constraints.indices.contains { index in
            let constraint = constraints[index]
            return constraint.item == item && constraint.axis == axis && !isApplied[index] && wanted(constraint) == nil
        }
    }

    private func wish(_ item: Int, _ axis: Axis, natural: (Int, Size) -> NaturalSize) -> Int? {
        let hasNone = !constraints.contains { $0.item == item && $0.axis == axis } && self[item, axis].isOpen
        // Without any constraint, an item fills its container.
        if hasNone { return nil }
        let room = axis == .vertical ? Size(columns: columns[item].extent ?? size.columns, rows: size.rows) : size
        return natural(item, room)[axis]
    }

    /// Chooses the unknown attributes of an item.
    mutating func settle(_ item: Int, _ axis: Axis, natural: (Int, Size) -> NaturalSize) {
        let span = self[item, axis]
        let bounds = bounds(item, axis)
        let (start, end) = (max(0, bounds.low.lowerBound), min(size[axis], bounds.high.upperBound))
        let wish = wish(item, axis, natural: natural)
        /// The extent within a room.
        func extent(in room: Int) -> Int {
            let room = max(0, room)
            return max(bounds.extent.lowerBound, min(bounds.extent.upperBound, min(room, wish ?? room)))
        }
        if let low = span.low {
            let high = max(bounds.high.lowerBound, low + extent(in: end - low))
            _ = self[item, axis].set(.high, high)
        } else if let high = span.high {
            let low = min(bounds.low.upperBound, high - extent(in: high - start))
            _ = self[item, axis].set(.low, low)
        } else if let middle = span.middle {
            // As large as the smaller side of the middle allows.
            _ = self[item, axis].set(.extent, extent(in: min(middle - 2 * start, 2 * end - middle)))
        } else {
            let extent = span.extent ?? extent(in: end - start)
            // An upper bound of the far edge moves the item back, and a lower one forward.
            let last = min(bounds.low.upperBound, bounds.high.upperBound - extent)
            let first = max(start, bounds.high.lowerBound - extent)
            if span.extent == nil { _ = self[item, axis].set(.extent, extent) }
            _ = self[item, axis].set(.low, max(bounds.low.lowerBound, min(first, last)))
        }
    }

    /// The bounds by the inequalities of an item.
    private func bounds(_ item: Int, _ axis: Axis) -> (low: ClosedRange<Int>, high: ClosedRange<Int>, extent: ClosedRange<Int>) {
        let limit = Cells.limit
        func range(_ attribute: Constraint.Attribute, _ least: Int) -> ClosedRange<Int> {
            var (least, most) = (least, limit)
            for constraint in constraints
            where constraint.item == item && constraint.axis == axis && constraint.attribute == attribute {
                guard let value = wanted(constraint) else { continue }
                switch constraint.positional {
                case .lessThanOrEqual: most = max(least, min(most, value))
                case .greaterThanOrEqual: least = min(most, max(least, value))
                case .equal: continue
                }
            }
            return least...most
        }
        return (range(.low, -limit), range(.high, -limit), range(.extent, 0))
    }

    // MARK: - The result

    /// The frames, clipped to the container, with their issues.
    func solution(in container: Rect, name: (Int) -> String) -> LayoutSolver.Solution {
        var issues = conflicts.map { issue($0.constraint, $0.reason, name) }
        for constraint in constraints where constraint.relation != .equal {
            guard let value = wanted(constraint), let own = self[constraint.item, constraint.axis][constraint.attribute] else {
                continue
            }
            let holds = constraint.positional == .lessThanOrEqual ? own <= value : own >= value
            if !holds { issues.append(issue(constraint, .conflict(wanted: value, is: own), name)) }
        }
        var frames: [Rect] = []
        frames.reserveCapacity(columns.count)
        for index in columns.indices {
            let across = cut(index, .horizontal, name, &issues)
            let down = cut(index, .vertical, name, &issues)
            frames.append(
                Rect(
                    column: container.origin.column + across.lowerBound, row: container.origin.row + down.lowerBound,
                    columns: across.count, rows: down.count))
        }
        return LayoutSolver.Solution(frames: frames, issues: issues)
    }

    private func cut(_ item: Int, _ axis: Axis, _ name: (Int) -> String, _ issues: inout [LayoutIssue]) -> Range<Int> {
        let span = self[item, axis]
        guard let low = span.low, let high = span.high else { return 0..<0 }
        if high < low {
            issues.append(issue(of: item, axis, .inverted(by: low - high), name))
            let place = max(0, min(low, size[axis]))
            return place..<place
        }
        let (start, end) = (max(0, min(low, size[axis])), max(0, min(high, size[axis])))
        if end - start < high - low { issues.append(issue(of: item, axis, .outside(by: high - low - (end - start)), name)) }
        return start..<end
    }

    /// An issue of an item as a whole, which names its last constraint in the direction.
    private func issue(of item: Int, _ axis: Axis, _ reason: LayoutIssue.Reason, _ name: (Int) -> String) -> LayoutIssue {
        if let last = constraints.last(where: { $0.item == item && $0.axis == axis }) { return issue(last, reason, name) }
        return LayoutIssue(item: name(item), axis: axis, reason: reason, constraint: nil, file: nil, line: nil)
    }

    private func issue(_ constraint: Constraint, _ reason: LayoutIssue.Reason, _ name: (Int) -> String) -> LayoutIssue {
        LayoutIssue(
            item: name(constraint.item), axis: constraint.axis, reason: reason, constraint: constraint.text(name),
            file: constraint.source.file, line: constraint.source.line)
    }
}

/// The known attributes of an item in one direction. Any two of edges, extent and middle determine the others.
struct Span {
    private(set) var low: Int?
    private(set) var high: Int?
    private(set) var extent: Int?
    /// The middle in half cells.
    private(set) var middle: Int?

    init() {}

    init(_ range: Range<Int>) {
        (low, high, extent) = (range.lowerBound, range.upperBound, range.count)
        middle = range.lowerBound + range.upperBound
    }

    /// Indicates whether both edges are known.
    var isKnown: Bool { low != nil && high != nil }
    /// Indicates whether no attribute is known.
    var isOpen: Bool { low == nil && high == nil && extent == nil && middle == nil }

    subscript(attribute: Constraint.Attribute) -> Int? {
        switch attribute {
        case .low: low
        case .high: high
        case .extent: extent
        case .middle: middle
        }
    }

    /// Sets an attribute.
    ///
    /// - Returns: False if the value contradicts the known attributes, which do not change then.
    mutating func set(_ attribute: Constraint.Attribute, _ value: Int) -> Bool {
        if let known = self[attribute] {
            // An item with an odd extent cannot be in the exact middle of an even one.
            return attribute == .middle && isKnown ? abs(known - value) <= 1 : known == value
        }
        switch attribute {
        case .low: low = value
        case .high: high = value
        case .extent: extent = value
        case .middle: middle = value
        }
        derive()
        return true
    }

    /// Derives the attributes that follow from two others. An odd cell is left behind a centered item.
    private mutating func derive() {
        if let low {
            if let high {
                (extent, middle) = (high - low, low + high)
            } else if let extent {
                (high, middle) = (low + extent, 2 * low + extent)
            } else if let middle {
                (high, extent) = (middle - low, middle - 2 * low)
            }
        } else if let high {
            if let extent {
                (low, middle) = (high - extent, 2 * high - extent)
            } else if let middle {
                (low, extent) = (middle - high, 2 * high - middle)
            }
        } else if let extent, let middle {
            let low = (middle - extent) >> 1
            self.low = low
            high = low + extent
            self.middle = 2 * low + extent
        }
    }
}
