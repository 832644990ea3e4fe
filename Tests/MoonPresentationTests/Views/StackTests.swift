import MoonPresentation
import MoonlightTestSupport
import Testing

@Suite("Views: rows, columns, grids and layers")
struct StackTests {
    @Test("Rows give texts their natural height, and the rest to flexible views")
    func rows() {
        let view = Rows<Never> {
            Text("top")
            Fill("x")
            Text("bottom")
        }
        expectEqual(picture(8, 4, view), ["top", "xxxxxxxx", "xxxxxxxx", "bottom"])
        expectEqual(picture(3, 2, view), ["top", "bot"])
        expectEqual(view.naturalSize(in: Size(columns: 9, rows: 9)), NaturalSize(columns: nil, rows: nil))
    }

    @Test("Columns are divided by fractions, shares and contents, with spacing")
    func columns() {
        let view = Columns<Never>(spacing: 1) {
            Fill("a").length(.fraction(0.3))
            Fill("b")
            Text("end")
        }
        expectEqual(picture(20, 1, view), ["aaaaaa bbbbbbbbb end"])
        expectEqual(picture(0, 0, view), [])
    }

    @Test("The natural size of rows is their sum, and the widest")
    func naturalSize() {
        let view = Rows<Never>(spacing: 1) {
            Text("one")
            Text("three three")
        }
        expectEqual(view.naturalSize(in: Size(columns: 40, rows: 9)), NaturalSize(columns: 11, rows: 3))
        expectEqual(view.naturalSize(in: Size(columns: 5, rows: 9)), NaturalSize(columns: 5, rows: 4))
        let beside = Columns<Never>(spacing: 2) {
            Text("one")
            Text("three\nlines\nhigh")
        }
        expectEqual(beside.naturalSize(in: Size(columns: 40, rows: 9)), NaturalSize(columns: 10, rows: 3))
        expectEqual(Rows<Never> {}.naturalSize(in: Size(columns: 5, rows: 5)), NaturalSize(columns: 0, rows: 0))
    }

    @Test("The rows of a grid are as high as their highest view, and its columns as wide as their widest")
    func grid() {
        let view = Grid<Never>(columns: [.content, .share()], spacing: 1) {
            Text("Name")
            Text("Ann")
            Text("Address")
            Text("Main Street 1, Springfield")
            Text("Age")
        }
        expectEqual(
            picture(20, 6, view), ["Name    Ann", "Address Main Street", "        1,", "        Springfield", "Age", ""])
        expectEqual(view.naturalSize(in: Size(columns: 20, rows: 9)), NaturalSize(columns: nil, rows: 5))
    }

    @Test("Later layers are drawn over earlier ones")
    func layers() {
        let view = Layers<Never> {
            Fill(".")
            Text("over")
        }
        expectEqual(picture(6, 2, view), ["over..", "......"])
        expectEqual(view.naturalSize(in: .zero), .flexible)
    }

    @Test("Padding, borders and centering place the view inside")
    func decorations() {
        expectEqual(picture(6, 3, Text<Never>("ab").padding(.uniform(1))), ["", " ab", ""])
        expectEqual(picture(8, 3, Text<Never>("ab").border(title: "T")), ["┌ T ───┐", "│ab    │", "└──────┘"])
        expectEqual(picture(5, 3, Text<Never>("ab").border(title: "long")), ["┌ l…┐", "│ab │", "└───┘"])
        expectEqual(picture(4, 3, Text<Never>("ab").border(title: "T")), ["┌──┐", "│ab│", "└──┘"])
        expectEqual(picture(1, 1, Text<Never>("ab").border()), [""])
        expectEqual(picture(2, 2, Text<Never>("ab").border(.rounded)), ["╭╮", "╰╯"])
        // The height of a text follows from the remaining width.
        expectEqual(
            Text<Never>("ab cd").padding(.uniform(1)).naturalSize(in: Size(columns: 5, rows: 9)), NaturalSize(columns: 4, rows: 4)
        )
        expectEqual(Text<Never>("ab cd").border().naturalSize(in: Size(columns: 5, rows: 9)), NaturalSize(columns: 4, rows: 4))
        expectEqual(picture(7, 4, Text<Never>("ab").centered()), ["", "  ab", "", ""])
        expectEqual(
            Text<Never>("ab").border().padding(.uniform(2)).naturalSize(in: Size(columns: 20, rows: 20)),
            NaturalSize(columns: 8, rows: 7)
        )
    }

    @Test("A view inside of many containers is asked for its size a few times, not twice as often for each container")
    func nesting() {
        func inStacks(_ view: some View<Never>) -> some View<Never> { Rows { Columns { Rows { Columns { view } } } } }
        func inGrids(_ view: some View<Never>) -> some View<Never> {
            Grid(columns: [.automatic]) { Grid(columns: [.automatic]) { Grid(columns: [.automatic]) { view } } }
        }
        let asked = MoonlightTestSupport.Counter()
        let word = Counted(asked: asked)
        expectEqual(picture(9, 2, inStacks(inStacks(inStacks(word)))), ["word", ""])
        expect(asked.value <= 12, "\(asked.value)")
        expectEqual(picture(9, 2, inGrids(inGrids(inGrids(word)))), ["word", ""])
        expect(asked.value <= 24, "\(asked.value)")
    }

    @Test("Wide characters at an edge are cut as a whole")
    func wide() {
        expectEqual(picture(3, 1, Text<Never>("日本語", wraps: false)), ["日…"])
        expectEqual(picture(3, 2, Text<Never>("日本語")), ["日", "本"])
        expectEqual(
            picture(
                5, 1,
                Columns<Never> {
                    Text("日本").length(.cells(3))
                    Text("x")
                }), ["日 x"])
    }
}

/// A view that fills its area with a character.
struct Fill<Event: Sendable>: View {
    let character: Character

    init(_ character: Character) { self.character = character }

    func draw(on surface: inout Surface<Event>) { surface.fill(with: character) }
}

/// A word that counts how often it is asked for its size.
private struct Counted: View {
    let asked: MoonlightTestSupport.Counter

    func naturalSize(in room: Size) -> NaturalSize {
        asked.add()
        return NaturalSize(columns: 4, rows: 1)
    }

    func draw(on surface: inout Surface<Never>) { surface.write("word") }
}
