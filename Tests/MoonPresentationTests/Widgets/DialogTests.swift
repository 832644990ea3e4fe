import Testing

@testable import MoonPresentation

@Suite("Widgets: dialog, button and toggle")
struct DialogTests {
    private func build(_ isOpen: Bool) -> (Screen<String>) -> Void {
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

    @Test("a dialog stands in the middle, in front of all")
    func picture() {
        var stand = Stand<String>(22, 7)
        #expect(
            stand.show(build(true))
                == [
                    "[ below ]", "[ ╭ Sure? ─────────╮", "  │ It is lost.    │", "  │                │", "  │ [ Yes ] [ No ] │",
                    "  ╰────────────────╯", "",
                ])
    }

    @Test("the focus stays in it, and returns to where it was")
    func focus() {
        var stand = Stand<String>(30, 9)
        stand.show(build(false))
        #expect(stand.press(.tab, .enter) == ["second"])
        stand.show(build(true))
        #expect(stand.press(.enter, .tab, .enter, .tab, .enter) == ["yes", "no", "yes"])
        #expect(stand.press(.escape) == ["cancel"])
        stand.show(build(false))
        #expect(stand.press(.enter) == ["second"])
        #expect(stand.press(.escape) == [])
    }

    @Test("Escape is the dialog's before the program's, as long as it is open")
    func escape() {
        var stand = Stand<String>(30, 9)
        let keys: KeyTable<String> = [.quit(.escape), .key("x", sends: "x")]
        stand.show(build(true))
        #expect(stand.presentation.take(.key(.escape), keys: keys) == [.send("cancel")])
        #expect(stand.presentation.take(.key("x"), keys: keys) == [.send("x")])
        stand.show(build(false))
        #expect(stand.presentation.take(.key(.escape), keys: keys) == [.quit])
        stand.show { $0.add(Dialog<String> { Text("no way out") }) }
        #expect(stand.presentation.take(.key(.escape), keys: keys) == [.quit])
    }

    @Test("clicks beside it do nothing")
    func clicks() {
        var stand = Stand<String>(30, 9)
        stand.show(build(false))
        #expect(stand.mouse(.press(1), 1, 0) == ["below"])
        stand.show(build(true))
        #expect(stand.mouse(.press(1), 1, 0) == [])
        #expect(stand.mouse(.press(1), 9, 5) == ["yes"])
    }

    @Test("the views below are not offered the keys that nobody in it wants")
    func below() {
        var stand = Stand<ListMove>(20, 5)
        let list = List<ListMove>(["a", "b"], selected: 0, select: { $0 })
        stand.show { screen in
            screen.add(list)
            screen.add(Dialog { Text("wait") })
        }
        #expect(stand.press(.down) == [])
        stand.show(list)
        #expect(stand.press(.down) == [.down])
    }

    @Test("a view that is drawn over it does not take its clicks")
    func above() {
        var stand = Stand<String>(20, 5)
        stand.show { screen in
            screen.add(Dialog { Button("Yes", press: "yes") })
            screen.add(Viewport { Text((1...9).map { "\($0)" }.joined(separator: "\n")) })
        }
        #expect(stand.mouse(.press(1), 8, 2) == ["yes"])
    }

    @Test("a dialog that is gone leaves nothing behind")
    func gone() {
        var stand = Stand<String>(30, 9)
        for _ in 0..<9 {
            stand.show(build(true))
            stand.show(build(false))
        }
        #expect(stand.presentation.core.focus.count == 1)
    }

    @Test("a dialog over a dialog takes its place, and gives it back")
    func nested() {
        func build(_ isSecond: Bool) -> (Screen<String>) -> Void {
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
        #expect(stand.press(.tab, .enter) == ["b"])
        stand.show(build(true))
        #expect(stand.press(.enter, .tab, .enter) == ["c", "c"])
        stand.show(build(false))
        #expect(stand.press(.enter) == ["b"])
    }

    @Test("a dialog is cut to the screen", arguments: [Size.zero, Size(columns: 1, rows: 1), Size(columns: 5, rows: 3)])
    func narrow(size: Size) {
        var stand = Stand<String>(size.columns, size.rows)
        #expect(stand.show(build(true)).count == size.rows)
    }

    @Test("a button is pressed by Enter, a blank or a click")
    func button() {
        var stand = Stand<Int>(10, 1)
        #expect(stand.show(Button("Go", press: 1)) == ["[ Go ]"])
        #expect(stand.canvas.marks(.inverse, row: 0) == "######....")
        #expect(stand.press(.enter, " ", "x") == [1, 1])
        #expect(stand.mouse(.press(1), 0, 0) == [1])
        #expect(stand.mouse(.press(3), 0, 0) == [])
        #expect(Button("Go", press: 1).naturalSize(in: .zero) == NaturalSize(columns: 6, rows: 1))
    }

    @Test("a toggle shows whether it holds, and asks for the other")
    func toggle() {
        var stand = Stand<Int>(10, 1)
        #expect(stand.show(Toggle("wrap", isOn: true, flip: 1)) == ["[x] wrap"])
        #expect(stand.show(Toggle("wrap", isOn: false, flip: 1)) == ["[ ] wrap"])
        #expect(stand.press(" ", .enter) == [1, 1])
    }
}
