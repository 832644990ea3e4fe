import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Layout: constraints")
struct LayoutSolverTests {
    private let screen = Rect(column: 0, row: 0, columns: 40, rows: 10)

    private func solve(
        _ count: Int, _ constraints: [Constraint], in container: Rect? = nil, natural: [NaturalSize] = []
    ) -> LayoutSolver.Solution {
        LayoutSolver(count: count, constraints: constraints)
            .solve(in: container ?? screen, natural: { index, _ in index < natural.count ? natural[index] : .flexible })
    }

    private func edges(_ edges: [LayoutItem.Edge], of item: Int, to target: Constraint.Target, constant: Int = 0) -> [Constraint]
    {
        edges.map { .edge($0, of: item, to: target, constant: constant) }
    }

    // MARK: - A list above a field

    @Test("A list above a field gets the rows that the field leaves")
    func seed() {
        let constraints =
            edges(.all(except: .bottom), of: 0, to: .container)
            + [.edge(.bottom, of: 0, to: .item(1), edge: .top)]
            + edges(.all(except: .top), of: 1, to: .container)
        let solution = solve(2, constraints, natural: [.flexible, NaturalSize(rows: 1)])
        expectEqual(
            solution.frames,
            [
                Rect(column: 0, row: 0, columns: 40, rows: 9), Rect(column: 0, row: 9, columns: 40, rows: 1),
            ])
        expect(solution.issues.isEmpty)
    }

    @Test("An item whose edge depends on another does not take its natural size first")
    func waiting() {
        let constraints =
            edges(.all(except: .bottom), of: 0, to: .container)
            + [.edge(.bottom, of: 0, to: .item(1), edge: .top)]
            + edges(.all(except: .top), of: 1, to: .container)
        let solution = solve(2, constraints, natural: [NaturalSize(rows: 3), NaturalSize(rows: 2)])
        expectEqual(solution.frames.map(\.size.rows), [8, 2])
        expect(solution.issues.isEmpty)
    }

    @Test("A layout in an empty container reports no issue and has no cell")
    func nothing() {
        let constraints =
            edges(.all(except: .bottom), of: 0, to: .container)
            + [.edge(.bottom, of: 0, to: .item(1), edge: .top)]
            + edges(.all(except: .top), of: 1, to: .container)
        for size in [Size.zero, Size(columns: 1, rows: 0), Size(columns: 0, rows: 1)] {
            let solution = solve(
                2, constraints, in: Rect(origin: .zero, size: size), natural: [.flexible, NaturalSize(columns: 9, rows: 1)])
            expect(solution.issues.isEmpty)
            expect(solution.frames.allSatisfy { $0.isEmpty })
        }
    }

    // MARK: - Edges

    @Test("A constant is an inset at each edge, for single edges too")
    func insets() {
        let single: [Constraint] = [
            .edge(.top, of: 0, to: .container, constant: 1), .edge(.left, of: 0, to: .container, constant: 2),
            .edge(.bottom, of: 0, to: .container, constant: 3), .edge(.right, of: 0, to: .container, constant: 4),
        ]
        expectEqual(solve(1, single).frames, [Rect(column: 2, row: 1, columns: 34, rows: 6)])
    }

    @Test("A constant is the gap between two items, no matter which of them declares it")
    func gap() {
        let before = solve(
            2, [.edge(.right, of: 0, to: .item(1), edge: .left, constant: 3), .edge(.left, of: 1, to: .container, constant: 20)])
        expectEqual(before.frames[0].columns, 0..<17)
        let after = solve(
            2, [.edge(.left, of: 1, to: .item(0), edge: .right, constant: 3), .edge(.right, of: 0, to: .container, constant: 20)])
        expectEqual(after.frames[1].columns, 23..<40)
    }

    @Test("An inequality of an edge compares insets, at all four edges")
    func mirrored() {
        let natural = [NaturalSize(columns: 100, rows: 100)]
        let least = [LayoutItem.Edge].all.map { Constraint.edge($0, of: 0, .greaterThanOrEqual, to: .container, constant: 2) }
        expectEqual(solve(1, least, natural: natural).frames, [Rect(column: 2, row: 2, columns: 36, rows: 6)])
        expect(solve(1, least, natural: natural).issues.isEmpty)
        // At most this far inside: a small item is moved, or grows.
        let most: [Constraint] = [
            .edge(.right, of: 0, .lessThanOrEqual, to: .container, constant: 5), .dimension(.width, of: 0, constant: 4),
        ]
        let solution = solve(1, most)
        expectEqual(solution.frames[0].columns, 31..<35)
        expect(solution.issues.isEmpty)
    }

    @Test("An item grows until the inset of its edge is within a bound")
    func growing() {
        let natural = [NaturalSize(columns: 5)]
        let right: [Constraint] = [
            .edge(.left, of: 0, to: .container), .edge(.right, of: 0, .lessThanOrEqual, to: .container, constant: 3),
        ]
        expectEqual(solve(1, right, natural: natural).frames[0].columns, 0..<37)
        let left: [Constraint] = [
            .edge(.right, of: 0, to: .container), .edge(.left, of: 0, .lessThanOrEqual, to: .container, constant: 3),
        ]
        expectEqual(solve(1, left, natural: natural).frames[0].columns, 3..<40)
    }

    @Test("An item that is too large for its bounds satisfies the first one, or else exceeds the container at its start")
    func tooLarge() {
        let far: [Constraint] = [
            .dimension(.width, of: 0, constant: 10), .edge(.right, of: 0, .greaterThanOrEqual, to: .container, constant: 33),
        ]
        expectEqual(solve(1, far).issues.map(\.reason), [.outside(by: 3)])
        let both = far + [.edge(.left, of: 0, .greaterThanOrEqual, to: .container, constant: 8)]
        expectEqual(solve(1, both).frames[0].columns, 8..<18)
        expectEqual(solve(1, both).issues.map(\.reason), [.conflict(wanted: 7, is: 18)])
    }

    @Test("Of two items that depend on each other, the one with a natural size gets it")
    func waitingForEachOther() {
        let constraints: [Constraint] = [
            .edge(.left, of: 0, to: .container), .edge(.right, of: 1, to: .container),
            .edge(.right, of: 0, to: .item(1), edge: .left), .edge(.left, of: 1, to: .item(0), edge: .right),
        ]
        let solution = solve(2, constraints, natural: [.flexible, NaturalSize(columns: 5)])
        expectEqual(solution.frames.map(\.columns), [0..<35, 35..<40])
        expect(solution.issues.isEmpty)
    }

    @Test("An edge can stand at a fraction of another edge, rounded down")
    func multiplied() {
        let solution = solve(1, [.edge(.left, of: 0, to: .container, edge: .right, multiplier: 0.33, constant: 1)])
        expectEqual(solution.frames[0].columns, 14..<40)
    }

    @Test("A constraint also places its target, if the item itself is known")
    func backwards() {
        let solution = solve(
            2,
            [.edge(.left, of: 0, to: .container, constant: 5), .dimension(.width, of: 0, constant: 10)]
                + [.edge(.right, of: 0, to: .item(1), edge: .left, constant: 1)])
        expectEqual(solution.frames[1].columns, 16..<40)
    }

    @Test("A multiplied constraint is not applied the other way round")
    func notBackwards() {
        let solution = solve(
            2, [.edge(.left, of: 0, to: .container, constant: 8), .edge(.left, of: 0, to: .item(1), multiplier: 0.5)])
        // The target fills the container; the constraint is the one that is not satisfied.
        expectEqual(solution.frames[1].columns, 0..<40)
        expectEqual(solution.issues.map(\.reason), [.conflict(wanted: 0, is: 8)])
    }

    // MARK: - Dimensions

    @Test("A dimension is a number, or another item's dimension times a factor plus a number")
    func dimensions() {
        let solution = solve(
            3,
            [
                .dimension(.width, of: 0, constant: 10), .dimension(.height, of: 0, constant: 3),
                .dimension(.width, of: 1, to: .item(0), multiplier: 1.55, constant: 2),
                .dimension(.width, of: 2, to: .item(0), dimension: .height, multiplier: 2),
            ])
        expectEqual(solution.frames.map(\.size.columns), [10, 17, 6])
        expectEqual(solution.frames.map(\.size.rows), [3, 10, 10])
        expectEqual(solution.frames.map(\.origin), [.zero, .zero, .zero])
    }

    @Test("Bounds of dimensions hold for natural sizes")
    func bounds() {
        let least: [Constraint] = [.dimension(.width, of: 0, .greaterThanOrEqual, constant: 7)]
        expectEqual(solve(1, least, natural: [NaturalSize(columns: 3)]).frames[0].columns, 0..<7)
        let most: [Constraint] = [.dimension(.width, of: 0, .lessThanOrEqual, constant: 7)]
        expectEqual(solve(1, most, natural: [NaturalSize(columns: 9)]).frames[0].columns, 0..<7)
        expectEqual(solve(1, most).frames[0].columns, 0..<7)
        expectEqual(solve(1, most, natural: [NaturalSize(columns: 5)]).frames[0].columns, 0..<5)
        let fraction: [Constraint] = [.dimension(.width, of: 0, .lessThanOrEqual, to: .container, multiplier: 0.5)]
        expectEqual(solve(1, fraction).frames[0].columns, 0..<20)
    }

    @Test("Natural sizes end where the container does")
    func wishes() {
        let natural = [NaturalSize(columns: 60, rows: 2)]
        expectEqual(solve(1, [.edge(.left, of: 0, to: .container, constant: 5)], natural: natural).frames[0].columns, 5..<40)
        expectEqual(solve(1, [.edge(.right, of: 0, to: .container, constant: 5)], natural: natural).frames[0].columns, 0..<35)
        let small = [NaturalSize(columns: 6)]
        expectEqual(solve(1, [.edge(.left, of: 0, to: .container, constant: 5)], natural: small).frames[0].columns, 5..<11)
        expectEqual(solve(1, [.edge(.right, of: 0, to: .container, constant: 5)], natural: small).frames[0].columns, 29..<35)
        expect(solve(1, [.edge(.right, of: 0, to: .container, constant: 5)], natural: small).issues.isEmpty)
    }

    @Test("The natural height is computed for the width of the item")
    func heightForWidth() {
        var asked: [Size] = []
        let solver = LayoutSolver(
            count: 1, constraints: [.dimension(.width, of: 0, constant: 7), .edge(.bottom, of: 0, to: .container)])
        let solution = solver.solve(
            in: screen,
            natural: { _, room in
                asked.append(room)
                return NaturalSize(columns: 21, rows: 21 / max(1, room.columns))
            })
        expectEqual(solution.frames, [Rect(column: 0, row: 7, columns: 7, rows: 3)])
        expectEqual(asked.last, Size(columns: 7, rows: 10))
    }

    @Test("An item without a constraint in a direction fills it, and one with a size only stands at the start")
    func defaults() {
        let solution = solve(2, [.dimension(.height, of: 1, constant: 2)], natural: [NaturalSize(columns: 3, rows: 3)])
        expectEqual(solution.frames, [screen, Rect(column: 0, row: 0, columns: 40, rows: 2)])
    }

    // MARK: - The middle

    @Test("A centered item has the odd cell after it")
    func middle() {
        let center: [Constraint] = [.middle(.horizontal, of: 0, to: .container), .middle(.vertical, of: 0, to: .container)]
        let odd = solve(1, center, natural: [NaturalSize(columns: 5, rows: 3)])
        expectEqual(odd.frames, [Rect(column: 17, row: 3, columns: 5, rows: 3)])
        expect(odd.issues.isEmpty)
        let sized = solve(1, center + [.dimension(.width, of: 0, constant: 5), .dimension(.height, of: 0, constant: 3)])
        expect(sized.frames == odd.frames && sized.issues.isEmpty)
        let narrow = solve(
            1, center, in: Rect(column: 0, row: 0, columns: 9, rows: 1), natural: [NaturalSize(columns: 50, rows: 5)])
        expectEqual(narrow.frames, [Rect(column: 0, row: 0, columns: 9, rows: 1)])
        expect(narrow.issues.isEmpty)
    }

    @Test("A constant moves a center to the right and down, and an edge may determine the size")
    func movedMiddle() {
        let constraints: [Constraint] = [
            .middle(.horizontal, of: 0, to: .container, constant: 4), .edge(.left, of: 0, to: .container, constant: 20),
            .middle(.vertical, of: 0, to: .container, constant: -2), .edge(.bottom, of: 0, to: .container, constant: 6),
        ]
        expectEqual(solve(1, constraints).frames, [Rect(column: 20, row: 2, columns: 8, rows: 2)])
    }

    @Test("An item without a natural size is as large as its center allows")
    func fillingMiddle() {
        let solution = solve(1, [.middle(.horizontal, of: 0, to: .container, constant: 5)])
        expectEqual(solution.frames[0].columns, 10..<40)
        let left = solve(1, [.middle(.horizontal, of: 0, to: .container, constant: -5)])
        expectEqual(left.frames[0].columns, 0..<30)
    }

    // MARK: - Containers that begin elsewhere

    @Test("Positions are counted from the container's corner")
    func moved() {
        let container = Rect(column: 10, row: 5, columns: 20, rows: 4)
        let solution = solve(1, edges(.all, of: 0, to: .container, constant: 1), in: container)
        expectEqual(solution.frames, [Rect(column: 11, row: 6, columns: 18, rows: 2)])
    }
}
