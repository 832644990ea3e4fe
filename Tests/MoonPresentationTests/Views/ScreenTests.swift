import MoonPresentation
import MoonlightTestSupport
import Testing

@Suite("Views: a screen with constraints")
struct ScreenTests {
    @Test("Constraints lay out a list above a field")
    func seed() throws {
        var stand = Stand<Never>(10, 4)
        let rows = stand.show { screen in
            let list = screen.add(Fill("l"))
            let field = screen.add(Text("> field"))
            list.constrain(.all(except: .bottom), to: screen)
            list.constrain(.bottom, to: field, edge: .top)
            field.constrain(.all(except: .top), to: screen)
        }
        expectEqual(rows, ["llllllllll", "llllllllll", "llllllllll", "> field"])
        expect(stand.presentation.issues.isEmpty)
    }

    @Test("Each form of a constraint places its view")
    func words() throws {
        var stand = Stand<Never>(20, 9)
        stand.show { screen in
            let a = screen.add(Fill("a"))
            a.constrain(.all, to: screen, with: Insets(top: 2, left: 1, bottom: 1, right: 1))
            let b = screen.add(Fill("b"))
            b.constrain(size: Size(columns: 4, rows: 2))
            b.constrain(centerTo: a)
            let c = screen.add(Fill("c"))
            c.constrain(.width, to: b, multiplier: 0.5)
            c.constrain(.height, constant: 1)
            c.constrain(.left, .equal, to: a, constant: 1)
            c.constrain(.vertical, to: b, constant: -2)
            let d = screen.add(Fill("d"))
            d.constrain([.top, .right], to: screen)
            d.constrain(.width, to: c, dimension: .height, constant: 1)
            d.constrain(.height, .lessThanOrEqual, constant: 2)
        }
        expectEqual(
            stand.canvas.picture,
            [
                "                  dd",
                "                  dd",
                " acca aaaaaaaaaaaaa".replacing(" aaaaaaaaaaaaa", with: "aaaaaaaaaaaaaa"),
                " aaaaaaaaaaaaaaaaaa",
                " aaaaaaabbbbaaaaaaa",
                " aaaaaaabbbbaaaaaaa",
                " aaaaaaaaaaaaaaaaaa",
                " aaaaaaaaaaaaaaaaaa",
                "",
            ])
        expect(stand.presentation.issues.isEmpty)
    }

    @Test("An issue names the view and the line that declares the constraint")
    func issues() {
        var stand = Stand<Never>(10, 4)
        var line: UInt = 0
        stand.show { screen in
            let text = screen.add(Text("hello").id("greeting"))
            text.constrain(.left, to: screen)
            text.constrain(.left, to: screen, constant: 2)
            line = #line - 1
        }
        expectEqual(stand.canvas.picture[0], "hello")
        expect(!stand.presentation.issues.isEmpty)
        expectEqual(stand.presentation.issues.map(\.line), [line])
        expectEqual(stand.presentation.issues.map(\.item), ["greeting"])
    }

    @Test("A view without an id is named by its type and number")
    func names() {
        var stand = Stand<Never>(10, 4)
        stand.show { screen in
            screen.add(Fill("x"))
            screen.add(Text("hello")).constrain(.width, constant: 11)
        }
        expectEqual(stand.presentation.issues.map(\.item), ["Text 1"])
    }

    @Test("The title of the window is that of the last frame")
    func title() {
        var stand = Stand<Never>(1, 1)
        stand.show { $0.title = "Notes" }
        expectEqual(stand.presentation.title, "Notes")
        stand.show { _ in }
        expect(stand.presentation.title == nil)
    }
}
