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
        expect(Cells.floor(.nan) == 0 && Cells.floor(.infinity) == 1_000_000_000 && Cells.floor(-.infinity) == -1_000_000_000)
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
