/// Finds where items stand by their constraints.
///
/// Each constraint is applied in declared order as soon as what it refers to is known, and passes over the constraints are repeated
/// until nothing follows any more. Then the first item that is not settled gets its natural size, or the room that is left:
///
/// 1. The horizontal direction is settled before the vertical one, so that the height of a text can follow from its width.
/// 2. An item whose own constraints are all applied comes before one that still waits for another item; an item with a natural size
///    comes before one that takes what it gets; the earlier declared one comes first.
/// 3. An item without a constraint in a direction fills the container in it. One that has a size and no place stands at the start.
/// 4. A natural size is a wish: it never leaves the container or the bounds that inequalities set.
///
/// What follows is the same in every run: no tie is decided by chance. Of two constraints that contradict each other, the one that
/// was applied first holds, and the other is an issue.
package struct LayoutSolver {
    /// The number of items.
    package let count: Int
    /// The constraints in declared order.
    package let constraints: [Constraint]

    /// Creates a solver.
    ///
    /// - Parameters:
    ///   - count: The number of items, which the constraints call 0, 1, ….
    ///   - constraints: The constraints in declared order.
    package init(count: Int, constraints: [Constraint]) {
        self.count = count
        self.constraints = constraints
    }

    /// Where items stand, and which constraints are not satisfied.
    package struct Solution {
        /// A rectangle for each item, all within the container's.
        package var frames: [Rect]
        /// What could not be satisfied: equalities as they were found, then inequalities, then items that do not fit.
        package var issues: [LayoutIssue]
    }

    /// Finds where items stand.
    ///
    /// - Parameters:
    ///   - container: The container's rectangle.
    ///   - natural: The natural size of an item in a room: that of the container, or, once the width of the item is known, as wide as
    ///     that.
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
