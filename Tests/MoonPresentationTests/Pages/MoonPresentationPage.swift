import MoonPresentation
import Testing

@Suite("The front page of MoonPresentation")
struct MoonPresentationPage {
    @Test("Text is written on a canvas")
    func canvas() {
        var canvas = Canvas(size: Size(columns: 20, rows: 3))
        canvas.write(StyledText("日本", .bold) + " and more", at: Point(column: 2, row: 1))
        #expect(canvas.picture == ["", "  日本 and more", ""])
        #expect(canvas.marks(.bold, row: 1) == "..####..............")
    }
}
