import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Output: scrolling by the terminal")
struct ScrollTests {
    private let width = 40

    private func cells(_ rows: [String]) -> [Cell] {
        var canvas = Canvas(size: Size(columns: width, rows: rows.count))
        for (index, row) in rows.enumerated() { canvas.write(row, at: Point(column: 0, row: index)) }
        return canvas.cells
    }

    private func find(_ old: [String], _ new: [String], in rows: Range<Int>? = nil) -> Scroll? {
        cells(new).withUnsafeBufferPointer { new in
            cells(old).withUnsafeBufferPointer { old in
                Scroll.find(in: rows ?? 0..<(new.count / width), new: new, old: old, width: width)
            }
        }
    }

    /// Rows of text that differ in most of their cells.
    private func rows(_ numbers: some Sequence<Int>) -> [String] {
        numbers.map { number in
            if number < 0 { return "" }
            return String(String(repeating: "\(number) \(number * 7919 % 1000) ", count: 9).prefix(30))
        }
    }

    @Test("Rows that moved up or down are found, and so are the rows to draw anew")
    func distances() {
        expectEqual(find(rows(0..<9), rows(1..<10)), Scroll(top: 0, bottom: 8, distance: 1))
        expectEqual(find(rows(1..<10), rows(0..<9)), Scroll(top: 0, bottom: 8, distance: -1))
        expectEqual(find(rows(0..<9), rows(3..<12)), Scroll(top: 0, bottom: 8, distance: 3))
    }

    @Test("Rows around the moved ones stay where they are")
    func margins() {
        let (old, new) = ([90, 0, 1, 2, 3, 4, 91], [90, 1, 2, 3, 4, 5, 91])
        expectEqual(find(rows(old), rows(new)), Scroll(top: 1, bottom: 5, distance: 1))
        expectEqual(find(rows(old), rows(new), in: 1..<6), Scroll(top: 1, bottom: 5, distance: 1))
        expectEqual(find(rows(new), rows(old), in: 1..<6), Scroll(top: 1, bottom: 5, distance: -1))
    }

    @Test("Rows are not moved if that saves few bytes")
    func gains() {
        expect(find(rows(0..<9), rows(20..<29)) == nil && find(rows(0..<9), rows(0..<9)) == nil)
        expect(find(["a", "b", "c", "d"], ["b", "c", "d", "e"]) == nil)
        expect(find(rows([0, 1]), rows([1, 0])) == nil)
        expect(find(rows([-1, -1, -1, -1, 5]), rows([5, -1, -1, -1, -1]))?.distance != 1)
    }

    @Test("A row that is nearly the same is moved, too")
    func similar() {
        var (old, new) = (rows(0..<8), rows(1..<9))
        old[7] = "> " + old[7].dropFirst(2)
        new[7] = "> " + new[7].dropFirst(2)
        expectEqual(find(old, new), Scroll(top: 0, bottom: 7, distance: 1))
        (old, new) = (rows(1..<9), rows(0..<8))
        old[0] = "> " + old[0].dropFirst(2)
        new[0] = "> " + new[0].dropFirst(2)
        expectEqual(find(old, new), Scroll(top: 0, bottom: 7, distance: -1))
    }

    @Test("Of two moves, the one that makes more rows correct is chosen")
    func best() {
        let (old, new) = ([0, 1, 2, 3, 4, 5, 6, 7], [2, 3, 9, 10, 5, 6, 7, 8])
        expectEqual(find(rows(old), rows(new)), Scroll(top: 4, bottom: 7, distance: 1))
    }
}
