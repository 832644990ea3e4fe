import MoonPresentation
import Testing

@Suite("Widgets: viewport, split and scroll bars")
struct ViewportTests {
    private func lines(_ count: Int) -> Text<Never> { Text((1...count).map { "line \($0)" }.joined(separator: "\n")) }

    @Test("keys and the wheel scroll, as far as there is something to see")
    func keys() {
        var stand = Stand<Never>(8, 3)
        let view = Viewport<Never> { lines(7) }
        #expect(stand.show(view) == ["line 1", "line 2", "line 3"])
        _ = stand.press(.down)
        #expect(stand.show(view) == ["line 2", "line 3", "line 4"])
        _ = stand.press(.pageDown)
        #expect(stand.show(view) == ["line 4", "line 5", "line 6"])
        _ = stand.press(.pageDown)
        #expect(stand.show(view) == ["line 5", "line 6", "line 7"])
        _ = stand.press(.up)
        #expect(stand.show(view) == ["line 4", "line 5", "line 6"])
        _ = stand.press(.home)
        #expect(stand.show(view) == ["line 1", "line 2", "line 3"])
        _ = stand.press(.end, .pageUp)
        #expect(stand.show(view) == ["line 3", "line 4", "line 5"])
        _ = stand.mouse(.wheelUp, 0, 0)
        #expect(stand.show(view) == ["line 1", "line 2", "line 3"])
        _ = stand.mouse(.wheelDown, 0, 0)
        #expect(stand.show(view) == ["line 4", "line 5", "line 6"])
    }

    @Test("what fits does not want the keys")
    func fits() {
        var presentation = Presentation<Int>()
        _ = presentation.frame(Size(columns: 8, rows: 3)) { $0.add(Viewport { Text("a\nb") }) }
        #expect(presentation.take(.key(.down), keys: [.down: 1]) == [.send(1)])
        _ = presentation.frame(Size(columns: 8, rows: 1)) { $0.add(Viewport { Text("a\nb") }) }
        #expect(presentation.take(.key(.down), keys: [.down: 1]) == [])
        #expect(presentation.take(.key(.right), keys: [.right: 2]) == [.send(2)])
    }

    @Test("a viewport can scroll sideways, too")
    func sideways() {
        var stand = Stand<Never>(5, 2)
        let view = Viewport<Never>([.horizontal, .vertical]) { Text("abcdefgh\nij\nkl") }
        #expect(stand.show(view) == ["abcde", "ij"])
        _ = stand.press(.right, .down)
        #expect(stand.show(view) == ["j", "l"])
        _ = stand.press(.up, .right, .right, .right)
        #expect(stand.show(view) == ["defgh", ""])
        _ = stand.mouse(.wheelLeft, 0, 0)
        #expect(stand.show(view) == ["abcde", "ij"])
        _ = stand.mouse(.wheelRight, 0, 0)
        #expect(stand.show(view) == ["defgh", ""])
    }

    @Test("scroll bars are there where there is more to see")
    func bars() {
        var stand = Stand<Never>(7, 3)
        #expect(stand.show(Viewport<Never>(scrollBars: true) { lines(6) }) == ["line 1┃", "line 2│", "line 3│"])
        #expect(stand.show(Viewport<Never>(scrollBars: true) { Text("a\nb") }) == ["a", "b", ""])
        #expect(
            stand.show(Viewport<Never>([.horizontal], scrollBars: true) { Text("abcdefghijkl") }) == ["abcdefg", "", "━━━━───"])
        #expect(
            stand.show(Viewport<Never>([.horizontal, .vertical], scrollBars: true) { Text("abcdefgh\nb\nc\nd") })
                == ["abcdef┃", "b     │", "━━━━──"])
    }

    @Test("a view that gets the focus is scrolled into sight")
    func focus() {
        let view = Viewport<Int> { for number in 0..<9 { Button("\(number)", press: number) } }
        var stand = Stand<Int>(6, 3)
        #expect(stand.show(view) == ["[ 0 ]", "[ 1 ]", "[ 2 ]"])
        #expect(stand.press(.tab, .tab, .tab) == [])
        #expect(stand.show(view) == ["[ 1 ]", "[ 2 ]", "[ 3 ]"])
        #expect(stand.press(.enter) == [3])
        // The user may scroll away from it, and back.
        #expect(stand.mouse(.wheelDown, 0, 0) == [])
        #expect(stand.show(view) == ["[ 4 ]", "[ 5 ]", "[ 6 ]"])
        #expect(stand.press(.shift(.tab)) == [])
        #expect(stand.show(view) == ["[ 2 ]", "[ 3 ]", "[ 4 ]"])
        // What is cut off cannot be clicked.
        #expect(stand.mouse(.press(1), 1, 0) == [2])
        #expect(stand.mouse(.press(1), 1, 3) == [])
    }

    @Test(
        "there may be no room",
        arguments: [Size.zero, Size(columns: 1, rows: 1), Size(columns: 0, rows: 2), Size(columns: 2, rows: 2)])
    func narrow(size: Size) {
        var stand = Stand<Never>(size.columns, size.rows)
        let view = Viewport<Never>([.horizontal, .vertical], scrollBars: true) { lines(9) }
        #expect(stand.show(view).count == size.rows)
        _ = stand.press(.end, .right, .pageUp)
        #expect(stand.show(view).count == size.rows)
    }

    @Test("a split divides by a fraction, until its line is dragged")
    func split() {
        var stand = Stand<Never>(11, 2)
        let view = Split<Never>(.horizontal, at: 0.3) {
            Fill("a")
        } second: {
            Fill("b")
        }
        #expect(stand.show(view) == ["aaa│bbbbbbb", "aaa│bbbbbbb"])
        _ = stand.mouse(.press(1), 3, 0)
        _ = stand.mouse(.move(1), 6, 1)
        #expect(stand.show(view)[0] == "aaaaaa│bbbb")
        _ = stand.mouse(.move(1), 99, 1)
        #expect(stand.show(view)[0] == "aaaaaaaaaa│")
        _ = stand.mouse(.release(1), 99, 1)
        _ = stand.mouse(.press(1), 4, 0)
        _ = stand.mouse(.move(1), 1, 0)
        #expect(stand.show(view)[0] == "aaaaaaaaaa│")
        #expect(
            picture(
                3, 3,
                Split(.vertical) {
                    Fill("a")
                } second: {
                    Fill("b")
                }) == ["aaa", "───", "bbb"])
        #expect(
            picture(
                0, 1,
                Split(.horizontal) {
                    Fill("a")
                } second: {
                    Fill("b")
                }) == [""])
        #expect(
            picture(
                1, 1,
                Split(.horizontal) {
                    Fill("a")
                } second: {
                    Fill("b")
                }) == ["│"])
    }
}
