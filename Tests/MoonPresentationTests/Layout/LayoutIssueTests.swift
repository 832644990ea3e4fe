import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Layout: constraints that cannot be satisfied")
struct LayoutIssueTests {
    private func solve(_ count: Int, _ constraints: [Constraint]) -> LayoutSolver.Solution {
        LayoutSolver(count: count, constraints: constraints)
            .solve(in: Rect(column: 0, row: 0, columns: 40, rows: 10), natural: { _, _ in .flexible }, name: { "view \($0)" })
    }

    @Test("The earlier of two contradicting constraints holds, and the later one is named with its line")
    func conflict() throws {
        let later = Constraint.edge(.left, of: 0, to: .container, constant: 3)
        let line = #line - 1
        let solution = solve(1, [.edge(.left, of: 0, to: .container, constant: 2), later])
        expectEqual(solution.frames[0].columns, 2..<40)
        let issue = try #require(solution.issues.first)
        expectEqual(solution.issues.count, 1)
        expectEqual(issue.reason, .conflict(wanted: 3, is: 2))
        expect(issue.item == "view 0" && issue.axis == .horizontal && issue.line == UInt(line))
        expectEqual(
            issue.description,
            "MoonPresentationTests/LayoutIssueTests.swift:\(line): view 0 (left = container.left, 3 inside): "
                + "this must be 3, but earlier constraints make it 2.")
    }

    @Test("An inequality that does not hold is reported, at each edge")
    func inequality() {
        let far: [Constraint] = [
            .edge(.right, of: 0, to: .container, constant: 1),
            .edge(.right, of: 0, .greaterThanOrEqual, to: .container, constant: 2),
        ]
        expectEqual(solve(1, far).issues.map(\.reason), [.conflict(wanted: 38, is: 39)])
        let near: [Constraint] = [
            .edge(.left, of: 0, to: .container, constant: 3), .edge(.left, of: 0, .lessThanOrEqual, to: .container, constant: 2),
        ]
        expectEqual(solve(1, near).issues.map(\.reason), [.conflict(wanted: 2, is: 3)])
        let wide: [Constraint] = [
            .dimension(.width, of: 0, constant: 8), .dimension(.width, of: 0, .lessThanOrEqual, constant: 7),
        ]
        expectEqual(solve(1, wide).issues.map(\.constraint), ["width ≤ 7"])
        let exact: [Constraint] = [
            .dimension(.width, of: 0, constant: 8), .dimension(.width, of: 0, .lessThanOrEqual, constant: 8),
        ]
        expect(solve(1, exact).issues.isEmpty)
    }

    @Test("An item that is larger than its container is cut, and the issue says by how much")
    func outside() {
        let solution = solve(1, [.dimension(.width, of: 0, constant: 50), .edge(.left, of: 0, to: .container, constant: -3)])
        expectEqual(solution.frames[0].columns, 0..<40)
        expectEqual(solution.issues.map(\.reason), [.outside(by: 10)])
        expectEqual(solution.issues.first?.constraint, "left = container.left, -3 inside")
    }

    @Test("An item whose right edge is left of its left edge is empty, and is reported")
    func inverted() {
        let solution = solve(
            1, [.edge(.left, of: 0, to: .container, constant: 30), .edge(.right, of: 0, to: .container, constant: 15)])
        expect(solution.frames[0].isEmpty && solution.frames[0].origin.column == 30)
        expectEqual(solution.issues.map(\.reason), [.inverted(by: 5)])
    }

    @Test("A horizontal edge cannot be related to a vertical one")
    func directions() {
        let solution = solve(1, [.edge(.left, of: 0, to: .container, edge: .bottom)])
        expectEqual(solution.frames[0].columns, 0..<40)
        expectEqual(solution.issues.map(\.reason), [.directions])
        expectEqual(solution.issues.first?.constraint, "left = container.bottom")
    }

    @Test("The text of a constraint names its target, factor and constant")
    func texts() {
        let name = { (index: Int) in "view \(index)" }
        expectEqual(Constraint.edge(.bottom, of: 0, to: .item(1), edge: .top).text(name), "bottom = view 1.top")
        expectEqual(
            Constraint.dimension(.width, of: 0, .greaterThanOrEqual, to: .item(2), multiplier: 0.5, constant: 3).text(name),
            "width ≥ view 2.width × 0.5 + 3")
        expectEqual(
            Constraint.middle(.vertical, of: 0, to: .container, constant: -2).text(name),
            "vertical middle = container.vertical middle − 2")
    }
}
