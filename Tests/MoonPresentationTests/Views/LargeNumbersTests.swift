import MoonlightTestSupport
import Testing

@testable import MoonPresentation

/// A view that prefers all there is, and draws beyond its edges.
private struct Endless: View {
    func naturalSize(in room: Size) -> NaturalSize { NaturalSize(columns: .max, rows: .max) }

    func draw(on surface: inout Surface<Never>) {
        surface.fill(Rect(column: 1, row: 0, columns: .max, rows: .max), with: "x")
        surface.write("y", at: Point(column: .max, row: 0))
        surface.write("y", at: Point(column: .min, row: .max))
        surface.part(Rect(column: .max, row: .min, columns: .max, rows: .max)).write("y")
    }
}

@Suite("Views: sizes, places and insets of any number")
struct LargeNumbersTests {
    @Test("A view may prefer a size without limit, and fill it")
    func endless() {
        expectEqual(picture(3, 2, Endless()), [" xx", " xx"])
        expectEqual(picture(5, 3, Endless().padding(.uniform(1))), ["", "  xx", ""])
        expectEqual(picture(5, 3, Endless().padding(.uniform(1)).centered()), ["", "  xx", ""])
    }

    @Test("Containers of views that prefer a size without limit have a natural size")
    func containers() {
        let rows = Rows<Never>(spacing: 1) {
            Endless()
            Endless()
        }
        expectEqual(picture(3, 2, rows.border().centered()), ["┌─┐", "└─┘"])
        let columns = Columns<Never>(spacing: 1) {
            Endless()
            Endless()
        }
        expectEqual(picture(3, 3, columns.padding(.uniform(1)).centered()), ["", "", ""])
        let grid = Grid<Never>(columns: [.content, .content]) {
            Endless()
            Endless()
            Endless()
        }
        expectEqual(picture(3, 3, grid.border().centered())[0], "┌─┐")
        let scrolled = Rows<Never> {
            Text("t")
            Viewport(scrollBars: true) { Endless() }
        }
        expectEqual(picture(3, 2, scrolled), ["t", " x┃"])
    }

    @Test("A length may be larger than any screen")
    func lengths() {
        let rows = Rows<Never> {
            Text("a").length(.cells(.max))
            Text("b").length(.cells(.max))
            Text("c").length(.content.bounded(least: .max))
        }
        expectEqual(picture(3, 2, rows.centered()), [" a", ""])
    }

    @Test("A constraint may have any constant, and what does not fit is cut")
    func constraints() {
        for constant in [Int.max, .min, .max / 2, -1] {
            var stand = Stand<Never>(4, 2)
            stand.show { screen in
                let one = screen.add(Text("one"))
                one.constrain(.left, to: screen, constant: constant)
                one.constrain(.bottom, to: screen, constant: constant)
                one.constrain(.width, constant: constant)
                let two = screen.add(Text("two"))
                two.constrain(.right, .greaterThanOrEqual, to: one, constant: constant)
                two.constrain(.vertical, to: one, multiplier: 1e300, constant: constant)
                two.constrain(.height, to: one, dimension: .width, multiplier: -1e300, constant: constant)
            }
            expectEqual(stand.canvas.size, Size(columns: 4, rows: 2))
        }
    }

    @Test("A negative inset counts as none in the natural size, too")
    func negativeInsets() {
        expectEqual(picture(5, 1, Text("abc").padding(Insets(top: -1, left: -1, bottom: -1, right: -1)).centered()), [" abc"])
    }

    @Test("A log without a limit keeps all lines")
    func log() {
        var log = LogLines(limit: .max)
        log.append("one")
        log.append("two")
        expectEqual(log.lines, ["one", "two"])
    }
}
