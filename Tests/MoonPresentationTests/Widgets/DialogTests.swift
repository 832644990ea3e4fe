import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Widgets: dialog, button and toggle")
struct DialogTests {
    private func build(_ isOpen: Bool) -> (LayoutScreen<String>) -> Void {
        { screen in
            screen.add(
                Rows {
                    Button("below", press: "below")
                    Button("second", press: "second")
                })
            if isOpen {
                screen.add(
                    Dialog(title: "Sure?", cancel: "cancel") {
                        Text("It is lost.")
                        Columns(spacing: 1) {
                            Button("Yes", press: "yes")
                            Button("No", press: "no")
                        }
                    })
            }
        }
    }

    @Test("A dialog stands in the middle, in front of all other views")
    func picture() {
        var stand = Stand<String>(22, 7)
        expectEqual(
            stand.show(build(true)),
            [
                "[ below ]", "[ ╭ Sure? ─────────╮", "  │ It is lost.    │", "  │                │", "  │ [ Yes ] [ No ] │",
                "  ╰────────────────╯", "",
            ])
    }

    @Test("The focus stays in an open dialog, and returns afterwards to where it was")
    func focus() {
        var stand = Stand<String>(30, 9)
        stand.show(build(false))
        expectEqual(stand.press(.tab, .enter), ["second"])
        stand.show(build(true))
        expectEqual(stand.press(.enter, .tab, .enter, .tab, .enter), ["yes", "no", "yes"])
        expectEqual(stand.press(.escape), ["cancel"])
        stand.show(build(false))
        expectEqual(stand.press(.enter), ["second"])
        expectEqual(stand.press(.escape), [])
    }

    @Test("Escape cancels an open dialog, and does not reach the program")
    func escape() {
        var stand = Stand<String>(30, 9)
        let keys: KeyTable<String> = [.quit(.escape), .key("x", sends: "x")]
        stand.show(build(true))
        expectEqual(stand.presentation.take(.key(.escape), keys: keys), [.send("cancel")])
        expectEqual(stand.presentation.take(.key("x"), keys: keys), [.send("x")])
        stand.show(build(false))
        expectEqual(stand.presentation.take(.key(.escape), keys: keys), [.quit])
        stand.show { $0.add(Dialog<String> { Text("no way out") }) }
        expectEqual(stand.presentation.take(.key(.escape), keys: keys), [.quit])
    }

    @Test("Escape cancels a dialog in which no view can have the focus")
    func escapeWithoutFocus() {
        var stand = Stand<String>(30, 9)
        stand.show { screen in
            screen.add(Button("below", press: "below"))
            screen.add(Dialog(title: "About", cancel: "cancel") { Text("It is free.") })
        }
        expectEqual(stand.presentation.take(.key(.escape), keys: [.quit(.escape)]), [.send("cancel")])
    }

    @Test("Clicks beside a dialog do nothing")
    func clicks() {
        var stand = Stand<String>(30, 9)
        stand.show(build(false))
        expectEqual(stand.mouse(.press(1), 1, 0), ["below"])
        stand.show(build(true))
        expectEqual(stand.mouse(.press(1), 1, 0), [])
        expectEqual(stand.mouse(.press(1), 9, 5), ["yes"])
    }

    @Test("Keys that no view in a dialog handles do not reach the views below")
    func below() {
        var stand = Stand<ListMove>(20, 5)
        let list = List<ListMove>(["a", "b"], selected: 0, select: { $0 })
        stand.show { screen in
            screen.add(list)
            screen.add(Dialog { Text("wait") })
        }
        expectEqual(stand.press(.down), [])
        stand.show(list)
        expectEqual(stand.press(.down), [.down])
    }

    @Test("A view that is drawn over a dialog does not take its clicks")
    func above() {
        var stand = Stand<String>(20, 5)
        stand.show { screen in
            screen.add(Dialog { Button("Yes", press: "yes") })
            screen.add(Viewport { Text((1...9).map { "\($0)" }.joined(separator: "\n")) })
        }
        expectEqual(stand.mouse(.press(1), 8, 2), ["yes"])
    }

    @Test("The focus of a closed dialog is forgotten")
    func gone() {
        var stand = Stand<String>(30, 9)
        for _ in 0..<9 {
            stand.show(build(true))
            stand.show(build(false))
        }
        expectEqual(stand.presentation.focus.count, 1)
    }

    @Test("A second dialog replaces the first, which is shown again when the second closes")
    func nested() {
        func build(_ isSecond: Bool) -> (LayoutScreen<String>) -> Void {
            { screen in
                screen.add(
                    Dialog {
                        Button("a", press: "a")
                        Button("b", press: "b")
                    })
                if isSecond { screen.add(Dialog { Button("c", press: "c") }) }
            }
        }
        var stand = Stand<String>(20, 9)
        stand.show(build(false))
        expectEqual(stand.press(.tab, .enter), ["b"])
        stand.show(build(true))
        expectEqual(stand.press(.enter, .tab, .enter), ["c", "c"])
        stand.show(build(false))
        expectEqual(stand.press(.enter), ["b"])
    }

    @Test("A dialog is cut to the screen", arguments: [Size.zero, Size(columns: 1, rows: 1), Size(columns: 5, rows: 3)])
    func narrow(size: Size) {
        var stand = Stand<String>(size.columns, size.rows)
        expectEqual(stand.show(build(true)).count, size.rows)
    }

    @Test("A button is pressed by Enter, a blank or a click")
    func button() {
        var stand = Stand<Int>(10, 1)
        expectEqual(stand.show(Button("Go", press: 1)), ["[ Go ]"])
        expectEqual(stand.canvas.marks(.inverse, row: 0), "######....")
        expectEqual(stand.press(.enter, " ", "x"), [1, 1])
        expectEqual(stand.mouse(.press(1), 0, 0), [1])
        expectEqual(stand.mouse(.press(3), 0, 0), [])
        expectEqual(Button("Go", press: 1).naturalSize(in: .zero), NaturalSize(columns: 6, rows: 1))
    }

    @Test("A toggle shows whether it is on, and sends its event when it is flipped")
    func toggle() {
        var stand = Stand<Int>(10, 1)
        expectEqual(stand.show(Toggle("wrap", isOn: true, flip: 1)), ["[x] wrap"])
        expectEqual(stand.show(Toggle("wrap", isOn: false, flip: 1)), ["[ ] wrap"])
        expectEqual(stand.press(" ", .enter), [1, 1])
    }
}
