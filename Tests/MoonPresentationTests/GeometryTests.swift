import MoonPresentation
import MoonlightTestSupport
import Testing

@Suite("Geometry: rectangles of cells")
struct GeometryTests {
    @Test("The intersection of two rectangles is the part that they share")
    func intersection() {
        let one = Rect(column: 1, row: 1, columns: 4, rows: 3)
        expectEqual(
            one.intersection(Rect(column: 3, row: 0, columns: 9, rows: 2)), Rect(column: 3, row: 1, columns: 2, rows: 1))
        expect(one.intersection(Rect(column: 5, row: 1, columns: 4, rows: 3)).isEmpty)
        expect(one.intersection(Rect(column: 1, row: 4, columns: 4, rows: 3)).isEmpty)
    }

    @Test("A rectangle contains its first cell and not the one behind its last")
    func contains() {
        let rect = Rect(column: 1, row: 2, columns: 3, rows: 2)
        expect(rect.contains(Point(column: 1, row: 2)) && rect.contains(Point(column: 3, row: 3)))
        expect(!rect.contains(Point(column: 4, row: 2)) && !rect.contains(Point(column: 1, row: 4)))
        expect(!rect.contains(Point(column: 0, row: 2)) && !rect.contains(Point(column: 1, row: 1)))
    }

    @Test("Sizes are never negative")
    func negative() {
        expectEqual(Size(columns: -1, rows: -5), .zero)
        expect(Size(columns: 3, rows: 0).isEmpty && !Size(columns: 1, rows: 1).isEmpty)
    }
}
