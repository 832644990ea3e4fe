import MoonPresentation
import Testing

@Suite("Views: rows, columns, grids and layers")
struct StackTests {
    @Test("rows give natural heights, and the rest to the others")
    func rows() {
        let view = Rows<Never> {
            Text("top")
            Fill("x")
            Text("bottom")
        }
        #expect(picture(8, 4, view) == ["top", "xxxxxxxx", "xxxxxxxx", "bottom"])
        #expect(picture(3, 2, view) == ["top", "bot"])
        #expect(view.naturalSize(in: Size(columns: 9, rows: 9)) == NaturalSize(columns: nil, rows: nil))
    }

    @Test("columns are divided by fractions, shares and contents, with spacing")
    func columns() {
        let view = Columns<Never>(spacing: 1) {
            Fill("a").length(.fraction(0.3))
            Fill("b")
            Text("end")
        }
        #expect(picture(20, 1, view) == ["aaaaaa bbbbbbbbb end"])
        #expect(picture(0, 0, view) == [])
    }

    @Test("the natural size of rows is their sum, and the widest")
    func naturalSize() {
        let view = Rows<Never>(spacing: 1) {
            Text("one")
            Text("three three")
        }
        #expect(view.naturalSize(in: Size(columns: 40, rows: 9)) == NaturalSize(columns: 11, rows: 3))
        #expect(view.naturalSize(in: Size(columns: 5, rows: 9)) == NaturalSize(columns: 5, rows: 4))
        let beside = Columns<Never>(spacing: 2) {
            Text("one")
            Text("three\nlines\nhigh")
        }
        #expect(beside.naturalSize(in: Size(columns: 40, rows: 9)) == NaturalSize(columns: 10, rows: 3))
        #expect(Rows<Never> {}.naturalSize(in: Size(columns: 5, rows: 5)) == NaturalSize(columns: 0, rows: 0))
    }

    @Test("a grid's rows are as high as their highest view, and its columns as wide as their widest")
    func grid() {
        let view = Grid<Never>(columns: [.content, .share()], spacing: 1) {
            Text("Name")
            Text("Ann")
            Text("Address")
            Text("Main Street 1, Springfield")
            Text("Age")
        }
        #expect(
            picture(20, 6, view) == ["Name    Ann", "Address Main Street", "        1,", "        Springfield", "Age", ""])
        #expect(view.naturalSize(in: Size(columns: 20, rows: 9)) == NaturalSize(columns: nil, rows: 5))
    }

    @Test("later layers are drawn over earlier ones")
    func layers() {
        let view = Layers<Never> {
            Fill(".")
            Text("over")
        }
        #expect(picture(6, 2, view) == ["over..", "......"])
        #expect(view.naturalSize(in: .zero) == .flexible)
    }

    @Test("padding, borders and the middle")
    func decorations() {
        #expect(picture(6, 3, Text<Never>("ab").padding()) == ["", " ab", ""])
        #expect(picture(8, 3, Text<Never>("ab").border(title: "T")) == ["┌ T ───┐", "│ab    │", "└──────┘"])
        #expect(picture(5, 3, Text<Never>("ab").border(.ascii, title: "long")) == ["+ l…+", "|ab |", "+---+"])
        #expect(picture(4, 3, Text<Never>("ab").border(.heavy, title: "T")) == ["┏━━┓", "┃ab┃", "┗━━┛"])
        #expect(picture(1, 1, Text<Never>("ab").border()) == [""])
        #expect(picture(2, 2, Text<Never>("ab").border(.double)) == ["╔╗", "╚╝"])
        // A text is as high as it has to be in the width that is left to it.
        #expect(Text<Never>("ab cd").padding(1).naturalSize(in: Size(columns: 5, rows: 9)) == NaturalSize(columns: 4, rows: 4))
        #expect(Text<Never>("ab cd").border().naturalSize(in: Size(columns: 5, rows: 9)) == NaturalSize(columns: 4, rows: 4))
        #expect(picture(7, 4, Text<Never>("ab").centered()) == ["", "  ab", "", ""])
        #expect(
            Text<Never>("ab").border().padding(2).naturalSize(in: Size(columns: 20, rows: 20)) == NaturalSize(columns: 8, rows: 7)
        )
    }

    @Test("wide characters at an edge are cut as a whole")
    func wide() {
        #expect(picture(3, 1, Text<Never>("日本語", wraps: false)) == ["日…"])
        #expect(picture(3, 2, Text<Never>("日本語")) == ["日", "本"])
        #expect(
            picture(
                5, 1,
                Columns<Never> {
                    Text("日本").length(.cells(3))
                    Text("x")
                }) == ["日 x"])
    }
}

/// A view that fills what it gets with a character.
struct Fill<Event: Sendable>: View {
    let character: Character

    init(_ character: Character) { self.character = character }

    func draw(on surface: inout Surface<Event>) { surface.fill(with: character) }
}
