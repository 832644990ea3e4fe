import MoonPresentationTesting
import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Layout: insets and fractions")
struct InsetsTests {
    @Test("A rectangle without its insets lies inside it, however large the insets are")
    func inset() {
        let rect = Rect(column: 3, row: 2, columns: 10, rows: 5)
        expectEqual(rect.inset(by: Insets(top: 1, left: 2, bottom: 3, right: 4)), Rect(column: 5, row: 3, columns: 4, rows: 1))
        expectEqual(rect.inset(by: .uniform(20)), Rect(column: 13, row: 7, columns: 0, rows: 0))
        expectEqual(rect.inset(by: Insets(top: -2, left: -1)), rect)
    }

    @Test("Positions, distances and sizes of any number of cells do not overflow")
    func extremes() throws {
        let numbers = [Int.min, -1, 3, Int.max]
        let pairs = numbers.flatMap { one in numbers.map { (one, $0) } }
        for (one, other) in pairs {
            let far = Far(natural: NaturalSize(columns: one, rows: other), point: Point(column: one, row: other))
            let inside = far.padding(Insets(top: one, left: other, bottom: one, right: other)).border().centered()
            let rows = Rows<Never>(spacing: one) {
                far
                Grid<Never>(columns: [.content, .cells(one)], spacing: other, lineSpacing: one) {
                    far
                    far
                    inside
                }
                Chart<Never>([1, 2], barWidth: one, spacing: other)
            }
            expectEqual(picture(9, 4, Viewport<Never>([.horizontal, .vertical], scrollBars: true) { rows }).count, 4)
            let update: @Sendable (inout Int, Int) -> Void = { $0 = $1 }
            let program = Program(0, update: update) { _, screen in
                let item = screen.add(Text("a"))
                item.constrain(.left, to: screen, constant: one)
                item.constrain(.bottom, to: screen, constant: other)
                item.constrain(size: Size(columns: one, rows: other))
                item.constrain(centerTo: screen)
            }
            expectEqual(try program.pilot(size: Size(columns: 9, rows: 4)).frame.rows.count, 4)
        }
        expectEqual(picture(2, 1, Far(natural: NaturalSize(), point: Point(column: -1, row: 0))), ["y"])
    }

    /// A view that draws at a point, and has any natural size.
    private struct Far: View {
        typealias Event = Never

        let natural: NaturalSize
        let point: Point

        func naturalSize(in room: Size) -> NaturalSize { natural }

        func draw(on surface: inout Surface<Never>) {
            surface.write("xy", at: point)
            surface.showCursor(at: point)
            let part = Rect(column: point.row, row: point.column, columns: point.column, rows: point.row)
            surface.part(part).write("z", at: point)
            surface.add(Columns<Never> { for _ in 0..<3 { Text("").length(.share()) } }, in: part)
        }
    }

    @Test("The list of all edges can omit one")
    func edges() {
        expectEqual([LayoutItem.Edge].all, [.top, .left, .bottom, .right])
        expectEqual([LayoutItem.Edge].all(except: .left), [.top, .bottom, .right])
    }

    @Test("A product is rounded down, but an error of binary fractions does not make it smaller")
    func floor() {
        expectEqual(Cells.floor(0.29 * 100), 29)
        expectEqual(Cells.floor(0.7 * 10), 7)
        expect(Cells.floor(2.999) == 2 && Cells.floor(-0.5) == -1)
        expect(Cells.floor(.nan) == 0 && Cells.floor(.infinity) == 1_000_000_000_000)
        expectEqual(Cells.floor(-.infinity), -1_000_000_000_000)
    }

    @Test("Parts of a division add up to the whole, and equal weights differ by a cell at most")
    func divide() {
        for total in 0...50 {
            let parts = Cells.divide(total, by: [1, 1, 1, 1])
            expectEqual(parts.reduce(0, +), total)
            expect(parts.sorted(by: >) == parts && parts[0] - parts[3] <= 1)
        }
        expectEqual(Cells.divide(7, by: [0, .infinity, .nan]), [0, 0, 0])
        expectEqual(Cells.divide(-7, by: [1]), [0])
        expectEqual(Cells.divide(7, by: []), [])
    }
}
