import MoonPresentation
import MoonlightTestSupport
import Testing

/// A layout is reused while nothing changes on which it depends. Each of these changes must show.
@Suite("Views: places that are kept from frame to frame")
struct KeptLayoutTests {
    /// A fill above a text of a number of lines, with a gap.
    private func rows(_ stand: inout Stand<Never>, lines: Int = 1, gap: Int = 0, hasEnd: Bool = false) -> [String] {
        stand.show { screen in
            let fill = screen.add(Fill("f"))
            let text = screen.add(Text(Array(repeating: "text", count: lines).joined(separator: "\n")))
            fill.constrain(.all(except: .bottom), to: screen)
            fill.constrain(.bottom, to: text, edge: .top, constant: gap)
            text.constrain(.all(except: .top), to: screen)
            if hasEnd {
                let end = screen.add(Text("end"))
                end.constrain([.top, .right], to: screen)
            }
        }
    }

    @Test("A screen that is drawn again looks the same")
    func same() {
        var stand = Stand<Never>(5, 3)
        for _ in 0..<3 { expectEqual(rows(&stand), ["fffff", "fffff", "text"]) }
    }

    @Test("Changing a constant moves the views, and changing it back moves them back")
    func constant() {
        var stand = Stand<Never>(5, 3)
        expectEqual(rows(&stand), ["fffff", "fffff", "text"])
        expectEqual(rows(&stand, gap: 1), ["fffff", "", "text"])
        expectEqual(rows(&stand), ["fffff", "fffff", "text"])
    }

    @Test("A changed natural size moves the views, although the constraints are the same")
    func naturalSize() {
        var stand = Stand<Never>(5, 3)
        expectEqual(rows(&stand), ["fffff", "fffff", "text"])
        expectEqual(rows(&stand, lines: 2), ["fffff", "text", "text"])
        expectEqual(rows(&stand), ["fffff", "fffff", "text"])
    }

    @Test("A view that appears is drawn, and one that disappears is not drawn any more")
    func views() {
        var stand = Stand<Never>(5, 3)
        expectEqual(rows(&stand), ["fffff", "fffff", "text"])
        expectEqual(rows(&stand, hasEnd: true), ["ffend", "fffff", "text"])
        expectEqual(rows(&stand), ["fffff", "fffff", "text"])
    }

    @Test("A view without a constraint that appears fills the screen")
    func free() {
        var stand = Stand<Never>(3, 1)
        expectEqual(stand.show { $0.add(Fill("a")) }, ["aaa"])
        expectEqual(
            stand.show { screen in
                screen.add(Fill("a"))
                screen.add(Text("b"))
            }, ["baa"])
    }

    @Test("A screen that changes its size is laid out anew")
    func size() {
        var stand = Stand<Never>(5, 3)
        expectEqual(rows(&stand), ["fffff", "fffff", "text"])
        stand.size = Size(columns: 6, rows: 2)
        expectEqual(rows(&stand), ["ffffff", "text"])
    }

    @Test("A constraint that is removed has no effect any more")
    func fewer() {
        func show(_ isTop: Bool, _ stand: inout Stand<Never>) -> [String] {
            stand.show { screen in
                let text = screen.add(Text("text"))
                text.constrain(.left, to: screen)
                text.constrain(.bottom, to: screen)
                if isTop { text.constrain(.height, constant: 2) }
            }
        }
        var stand = Stand<Never>(4, 3)
        expectEqual(show(true, &stand), ["", "text", ""])
        expectEqual(show(false, &stand), ["", "", "text"])
        expectEqual(show(true, &stand), ["", "text", ""])
    }

    @Test("An issue is reported in each frame, with the current name of the view")
    func issues() {
        var stand = Stand<Never>(4, 3)
        for id in ["a", "b"] {
            stand.show { screen in
                let text = screen.add(Text("text").id(id))
                text.constrain(.width, constant: 9)
            }
            expectEqual(stand.presentation.issues.map(\.item), [id])
        }
    }
}

@Suite("Views: presentations are values")
struct PresentationValueTests {
    @Test("A frame does not change later, and a copy of a presentation is independent")
    func copies() {
        let size = Size(columns: 4, rows: 1)
        var first = Presentation<Never>()
        var frames: [Canvas] = []
        for text in ["a", "b", "c"] { frames.append(first.frame(size) { $0.add(Text(text)) }) }
        var second = first
        frames.append(second.frame(size) { $0.add(Text("d")) })
        frames.append(first.frame(size) { $0.add(Text("e")) })
        frames.append(second.frame(size) { $0.add(Text("f")) })
        expectEqual(frames.map { $0.rows[0] }, ["a", "b", "c", "d", "e", "f"])
    }

    /// A view that registers a handler on a part of its surface or on all of it.
    private struct Part: View {
        let isPart: Bool

        func draw(on surface: inout Surface<String>) {
            let answer: @Sendable (InputEvent, inout ViewMemory) -> [String]? = { input, _ in
                input == .key(.enter) ? ["enter"] : nil
            }
            if isPart {
                var part = surface.part(Rect(column: 0, row: 0, columns: 1, rows: 1))
                part.onInput(.keys, answer)
            } else {
                surface.onInput(.keys, answer)
            }
        }
    }

    @Test("A handler on a part of a surface receives no input", arguments: [true, false])
    func part(isPart: Bool) {
        var stand = Stand<String>(4, 1)
        stand.show(Part(isPart: isPart))
        expect(stand.press(.enter) == (isPart ? [] : ["enter"]))
    }

    @Test("Events of a view that is mapped twice are mapped to those of the outer view, and events of its neighbors are not")
    func mapped() {
        var stand = Stand<String>(12, 3)
        let view = Rows<String> {
            Rows<String> {
                Button("one", press: 1).map { "\($0)" }
                Button("two", press: "2")
            }
            .map { "inner \($0)" }
            Button("three", press: "3")
        }
        stand.show(view)
        expectEqual(stand.press(.enter, .tab), ["inner 1"])
        stand.show(view)
        expectEqual(stand.press(.enter, .tab), ["inner 2"])
        stand.show(view)
        expectEqual(stand.press(.enter), ["3"])
    }
}
