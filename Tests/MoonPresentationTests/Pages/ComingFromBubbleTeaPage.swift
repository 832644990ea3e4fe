import MoonPresentation
import MoonPresentationTesting
import Testing

@Suite("The page Coming from Bubble Tea")
struct ComingFromBubbleTeaPage {
    /// The program as it stands on the page: a test has no terminal to run it on.
    func run() throws {
        try Program(0, update: { count, step in count += step }) { count, screen in
            screen.add(Text("\(count)"))
        }
        .keys(["+": 1, "-": -1], quit: ["q"]).run()
    }

    @Test("A counter of five lines counts by keys")
    func counter() throws {
        let pilot = try Program(0, update: { count, step in count += step }) { count, screen in
            screen.add(Text("\(count)"))
        }
        .keys(["+": 1, "-": -1], quit: ["q"]).pilot()
        pilot.press("+", "+", "-", "+")
        #expect(pilot.state == 2 && pilot.frame.text(at: .zero) == "2")
        pilot.press("q")
        #expect(pilot.ending == .quit)
    }
}
