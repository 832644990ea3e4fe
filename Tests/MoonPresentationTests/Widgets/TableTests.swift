import MoonPresentation
import MoonlightTestSupport
import Testing

@Suite("Widgets: table")
struct TableTests {
    private struct File: Sendable {
        var name: String
        var size: Int
    }

    private func table(
        _ files: [File], selected: Int? = nil, width: Length = .content, look: SelectionLook = .inverse
    ) -> Table<ListMove> {
        Table(
            files, selected: selected, look: look, scrollBar: true, select: { $0 },
            columns: [
                TableColumn("Name") { StyledText($0.name) },
                TableColumn("Size", width: width, alignment: .right) { StyledText("\($0.size)") },
            ])
    }

    private let files = [File(name: "one", size: 1), File(name: "a long name", size: 12_345), File(name: "日本語", size: 20)]

    @Test("A table has titles and columns, with numbers aligned to the right")
    func columns() {
        var stand = Stand<ListMove>(16, 4)
        expectEqual(
            stand.show(table(files)), ["Name        Size", "one            1", "a long na… 12345", "日本語        20"])
        expectEqual(stand.canvas.marks(.bold, row: 0), "####........####")
        expectEqual(stand.show(table(files, width: .cells(3)))[1...], ["one            1", "a long name  12…", "日本語        20"])
    }

    @Test("The titles of a table stay when its rows scroll, and clicks count from the first row")
    func scrolling() {
        var stand = Stand<ListMove>(14, 3)
        expectEqual(stand.show(table(files, selected: 2)), ["Name     Size", "a long… 12345│", "日本語     20┃"])
        expectEqual(stand.canvas.marks(.inverse, row: 2), "#############.")
        expectEqual(stand.mouse(.press(1), 1, 1), [.to(1)])
        expectEqual(stand.mouse(.press(1), 1, 0), [])
        expectEqual(stand.press(.pageDown, .up), [.by(1), .up])
    }

    @Test("A marker stands in front of the selected row, and the titles above the texts")
    func marker() {
        var stand = Stand<ListMove>(16, 4)
        expectEqual(
            stand.show(table(files, selected: 1, look: .marker)),
            ["  Name      Size", "  one          1", "> a long … 12345", "  日本語      20"])
        expectEqual(stand.canvas.marks(.bold, row: 0), "..####......####")
        expectEqual(stand.canvas.marks(.bold, row: 2), "#...............")
        stand.size = Size(columns: 2, rows: 3)
        expectEqual(stand.show(table(files, selected: 1, look: .marker)), ["", " ┃", ">│"])
    }

    @Test(
        "A table can be drawn without any room, and without columns",
        arguments: [Size.zero, Size(columns: 1, rows: 1), Size(columns: 3, rows: 2)])
    func narrow(size: Size) {
        var stand = Stand<ListMove>(size.columns, size.rows)
        expectEqual(stand.show(table(files, selected: 1)).count, size.rows)
        expect(stand.show(Table(files, select: { $0 }, columns: [])).allSatisfy { $0 == "" })
    }

    @Test("A table reads only the visible rows")
    func virtual() {
        let asked = Asked()
        var stand = Stand<ListMove>(14, 3)
        stand.show(
            Table(
                0..<1_000_000, selected: 700, look: .inverse, select: { $0 },
                columns: [
                    TableColumn("n", width: .content) { row in
                        asked.note(row)
                        return StyledText("\(row)")
                    }
                ]))
        expectEqual(stand.canvas.picture, ["n", "699", "700"])
        expect(asked.rows.allSatisfy { (699...700).contains($0) })
    }
}
