import MoonPresentation
import MoonPresentationTesting
import Testing

@Suite("The front page of MoonPresentation")
struct MoonPresentationPage {
    @Test("A program shows its state, and keys change it")
    func counter() throws {
        let counter = Program(0, update: { count, step in count += step }) { count, screen in
            screen.add(Text(StyledText("日本 ", .bold) + "\(count)"))
        }
        .keys(["+": 1, "-": -1], quit: ["q"])
        let pilot = try counter.pilot(size: Size(columns: 10, rows: 1))
        pilot.press("+", "+", "-", "+")
        #expect(pilot.frame.picture == ["日本 2"])
        #expect(pilot.frame.marks(.bold, row: 0) == "#####.....")
        pilot.press("q")
        #expect(pilot.ending == .quit)
    }
}
