import MoonlightTestSupport
import Testing

@testable import MoonPresentation

/// A view that fills its area, so that its place can be checked.
private struct Probe: View {
    let natural: NaturalSize
    let id: Int

    func naturalSize(in room: Size) -> NaturalSize { natural }
    func draw(on surface: inout Surface<Int>) {
        surface.fill(with: "x")
        surface.write("probe", style: .bold)
        surface.onInput { [id] _ in [id] }
    }
}

@Suite("Views: random trees of views")
struct RandomViewsTests {
    private func view(_ depth: Int, _ random: inout Dice) -> any View<Int> {
        let number = { (range: ClosedRange<Int>, random: inout Dice) in Int.random(in: range, using: &random) }
        guard depth > 0 else {
            let natural = NaturalSize(
                columns: Bool.random(using: &random) ? number(0...30, &random) : nil,
                rows: Bool.random(using: &random) ? number(0...9, &random) : nil)
            return Probe(natural: natural, id: number(0...9, &random))
        }
        let children = (0..<number(0...4, &random)).map { _ in self.view(depth - 1, &random) }
        let spacing = number(0...2, &random)
        switch number(0...7, &random) {
        case 0: return Rows(spacing: spacing) { for child in children { child } }
        case 1: return Columns(spacing: spacing) { for child in children { child } }
        case 2: return Grid(columns: [.content, .share(), .fraction(0.2)], spacing: spacing) { for child in children { child } }
        case 3: return Layers { for child in children { child } }
        case 4:
            return Columns { for child in children { child } }.border(title: "title").padding(.uniform(number(0...2, &random)))
        case 5: return Viewport([.horizontal, .vertical], scrollBars: true) { for child in children { child } }
        case 6:
            return Split(.vertical, at: 0.3) {
                for child in children { child }
            } second: {
                Text("end")
            }
        default: return Rows { for child in children { child } }.centered()
        }
    }

    @Test("Generated: nested views take input only on the screen, and a second frame is the same", arguments: Budget.seeds(400))
    func inside(seed: Int) {
        var random = Dice(seed: seed)
        let size = Size(columns: Int.random(in: 0...60, using: &random), rows: Int.random(in: 0...20, using: &random))
        let view = view(4, &random)
        var presentation = Presentation<Int>()
        let first = presentation.frame(size) { $0.add(view) }
        let screen = Rect(origin: .zero, size: size)
        for region in presentation.regions where !region.visible.isEmpty {
            expectEqual(region.visible.intersection(screen), region.visible)
        }
        expectEqual(presentation.frame(size) { $0.add(view) }, first)
    }

    @Test("Generated: layouts by constraints stay on the screen, and are the same in each run", arguments: Budget.seeds(500))
    func constraints(seed: Int) {
        var random = Dice(seed: seed)
        let count = Int.random(in: 1...5, using: &random)
        let constraints = (0..<Int.random(in: 0...12, using: &random)).map { _ in constraint(count, &random) }
        let natural = (0..<count).map { _ in
            NaturalSize(
                columns: [nil, 3, 70].randomElement(using: &random) ?? nil,
                rows: [nil, 1].randomElement(using: &random) ?? nil)
        }
        let container = Rect(
            column: 2, row: 1, columns: Int.random(in: 0...60, using: &random), rows: Int.random(in: 0...20, using: &random))
        let solver = LayoutSolver(count: count, constraints: constraints)
        let solution = solver.solve(in: container, natural: { index, _ in natural[index] })
        expectEqual(solution.frames.count, count)
        for frame in solution.frames where !frame.isEmpty { expectEqual(frame.intersection(container), frame) }
        let again = solver.solve(in: container, natural: { index, _ in natural[index] })
        expect(again.frames == solution.frames && again.issues == solution.issues)
    }

    private func constraint(_ count: Int, _ random: inout Dice) -> Constraint {
        let item = Int.random(in: 0..<count, using: &random)
        let other = Int.random(in: -1..<count, using: &random)
        let target: Constraint.Target = other < 0 ? .container : .item(other)
        let constant = Int.random(in: -5...10, using: &random)
        let relation: LayoutItem.Relation =
            [.equal, .equal, .lessThanOrEqual, .greaterThanOrEqual].randomElement(using: &random) ?? .equal
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return .middle(Bool.random(using: &random) ? .horizontal : .vertical, of: item, to: target, constant: constant)
        case 1:
            return .dimension(
                Bool.random(using: &random) ? .width : .height, of: item, relation, to: target,
                multiplier: Double.random(in: 0...2, using: &random), constant: constant)
        default:
            return .edge(
                [LayoutItem.Edge].all.randomElement(using: &random) ?? .top, of: item, relation, to: target,
                edge: Bool.random(using: &random) ? [LayoutItem.Edge].all.randomElement(using: &random) : nil,
                constant: constant)
        }
    }
}
