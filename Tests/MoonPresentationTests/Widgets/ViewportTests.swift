import MoonPresentation
import MoonlightTestSupport
import Testing

@Suite("Widgets: viewport, split and scroll bars")
struct ViewportTests {
    private func lines(_ count: Int) -> Text<Never> { Text((1...count).map { "line \($0)" }.joined(separator: "\n")) }

    @Test("Keys and the wheel scroll a viewport, up to the ends of its content")
    func keys() {
        var stand = Stand<Never>(8, 3)
        let view = Viewport<Never> { lines(7) }
        expectEqual(stand.show(view), ["line 1", "line 2", "line 3"])
        _ = stand.press(.down)
        expectEqual(stand.show(view), ["line 2", "line 3", "line 4"])
        _ = stand.press(.pageDown)
        expectEqual(stand.show(view), ["line 4", "line 5", "line 6"])
        _ = stand.press(.pageDown)
        expectEqual(stand.show(view), ["line 5", "line 6", "line 7"])
        _ = stand.press(.up)
        expectEqual(stand.show(view), ["line 4", "line 5", "line 6"])
        _ = stand.press(.home)
        expectEqual(stand.show(view), ["line 1", "line 2", "line 3"])
        _ = stand.press(.end, .pageUp)
        expectEqual(stand.show(view), ["line 3", "line 4", "line 5"])
        _ = stand.mouse(.wheel(columns: 0, rows: -1), 0, 0)
        expectEqual(stand.show(view), ["line 1", "line 2", "line 3"])
        _ = stand.mouse(.wheel(columns: 0, rows: 1), 0, 0)
        expectEqual(stand.show(view), ["line 4", "line 5", "line 6"])
    }

    @Test("A viewport whose content fits passes keys on to other views")
    func fits() {
        var presentation = Presentation<Int>()
        _ = presentation.frame(Size(columns: 8, rows: 3)) { $0.add(Viewport { Text("a\nb") }) }
        expectEqual(presentation.take(.key(.down), keys: [.down: 1]), [.send(1)])
        _ = presentation.frame(Size(columns: 8, rows: 1)) { $0.add(Viewport { Text("a\nb") }) }
        expectEqual(presentation.take(.key(.down), keys: [.down: 1]), [])
        expectEqual(presentation.take(.key(.right), keys: [.right: 2]), [.send(2)])
    }

    @Test("The wheel scrolls a viewport, also over views that scroll their rows, if all of these are visible")
    func nested() {
        func view(_ items: [String]) -> Viewport<ListMove> {
            Viewport<ListMove> {
                List(items, select: { $0 }).length(.cells(2))
                TextArea("c", edit: { _ in .first }).length(.cells(1))
                Text("d\ne\nf")
            }
        }
        for row in [1, 2] {
            var stand = Stand<ListMove>(8, 3)
            expectEqual(stand.show(view(["a", "b"])), ["  a", "  b", "c"])
            expectEqual(stand.mouse(.wheel(columns: 0, rows: 1), 0, row), [])
            expectEqual(stand.show(view(["a", "b"])), ["d", "e", "f"])
        }
        // A list with hidden rows scrolls these.
        var stand = Stand<ListMove>(8, 3)
        stand.show(view(["a", "b", "B"]))
        expectEqual(stand.mouse(.wheel(columns: 0, rows: 1), 0, 1), [])
        expectEqual(stand.show(view(["a", "b", "B"])), ["  b", "  B", "c"])
    }

    @Test("A viewport can scroll sideways")
    func sideways() {
        var stand = Stand<Never>(5, 2)
        let view = Viewport<Never>([.horizontal, .vertical]) { Text("abcdefgh\nij\nkl") }
        expectEqual(stand.show(view), ["abcde", "ij"])
        _ = stand.press(.right, .down)
        expectEqual(stand.show(view), ["j", "l"])
        _ = stand.press(.up, .right, .right, .right)
        expectEqual(stand.show(view), ["defgh", ""])
        _ = stand.mouse(.wheel(columns: -1, rows: 0), 0, 0)
        expectEqual(stand.show(view), ["abcde", "ij"])
        _ = stand.mouse(.wheel(columns: 1, rows: 0), 0, 0)
        expectEqual(stand.show(view), ["defgh", ""])
    }

    @Test("Scroll bars are shown where content is hidden")
    func bars() {
        var stand = Stand<Never>(7, 3)
        expectEqual(stand.show(Viewport<Never>(scrollBars: true) { lines(6) }), ["line 1┃", "line 2│", "line 3│"])
        expectEqual(stand.show(Viewport<Never>(scrollBars: true) { Text("a\nb") }), ["a", "b", ""])
        expectEqual(
            stand.show(Viewport<Never>([.horizontal], scrollBars: true) { Text("abcdefghijkl") }), ["abcdefg", "", "━━━━───"])
        expectEqual(
            stand.show(Viewport<Never>([.horizontal, .vertical], scrollBars: true) { Text("abcdefgh\nb\nc\nd") }),
            ["abcdef┃", "b     │", "━━━━──"])
    }

    @Test("A bar below the content that hides its last row adds one at the right, which hides nothing")
    func bothBars() {
        var stand = Stand<Never>(5, 3)
        let view = Viewport<Never>([.horizontal, .vertical], scrollBars: true) { Text("abcdef\nb\nc") }
        expectEqual(stand.show(view), ["abcd┃", "b   │", "━━──"])
        _ = stand.press(.right, .right, .right)
        expectEqual(stand.show(view), ["cdef┃", "    │", "──━━"])
    }

    @Test("A view that gets the focus is scrolled into view")
    func focus() {
        let view = Viewport<Int> { for number in 0..<9 { Button("\(number)", press: number) } }
        var stand = Stand<Int>(6, 3)
        expectEqual(stand.show(view), ["[ 0 ]", "[ 1 ]", "[ 2 ]"])
        expectEqual(stand.press(.tab, .tab, .tab), [])
        expectEqual(stand.show(view), ["[ 1 ]", "[ 2 ]", "[ 3 ]"])
        expectEqual(stand.press(.enter), [3])
        // The user may scroll away from it, and back.
        expectEqual(stand.mouse(.wheel(columns: 0, rows: 1), 0, 0), [])
        expectEqual(stand.show(view), ["[ 4 ]", "[ 5 ]", "[ 6 ]"])
        expectEqual(stand.press(.shift(.tab)), [])
        expectEqual(stand.show(view), ["[ 2 ]", "[ 3 ]", "[ 4 ]"])
        // A clipped view cannot be clicked.
        expectEqual(stand.mouse(.press(1), 1, 0), [2])
        expectEqual(stand.mouse(.press(1), 1, 3), [])
    }

    @Test(
        "A viewport can be drawn without any room",
        arguments: [Size.zero, Size(columns: 1, rows: 1), Size(columns: 0, rows: 2), Size(columns: 2, rows: 2)])
    func narrow(size: Size) {
        var stand = Stand<Never>(size.columns, size.rows)
        let view = Viewport<Never>([.horizontal, .vertical], scrollBars: true) { lines(9) }
        expectEqual(stand.show(view).count, size.rows)
        _ = stand.press(.end, .right, .pageUp)
        expectEqual(stand.show(view).count, size.rows)
    }

    @Test("A split divides its space by a fraction, until its line is dragged")
    func split() {
        var stand = Stand<Never>(11, 2)
        let view = Split<Never>(.horizontal, at: 0.3) {
            Fill("a")
        } second: {
            Fill("b")
        }
        expectEqual(stand.show(view), ["aaa│bbbbbbb", "aaa│bbbbbbb"])
        _ = stand.mouse(.press(1), 3, 0)
        _ = stand.mouse(.move(1), 6, 1)
        expectEqual(stand.show(view)[0], "aaaaaa│bbbb")
        _ = stand.mouse(.move(1), 99, 1)
        expectEqual(stand.show(view)[0], "aaaaaaaaaa│")
        _ = stand.mouse(.release(1), 99, 1)
        _ = stand.mouse(.press(1), 4, 0)
        _ = stand.mouse(.move(1), 1, 0)
        expectEqual(stand.show(view)[0], "aaaaaaaaaa│")
        expectEqual(
            picture(
                3, 3,
                Split(.vertical) {
                    Fill("a")
                } second: {
                    Fill("b")
                }), ["aaa", "───", "bbb"])
        expectEqual(
            picture(
                0, 1,
                Split(.horizontal) {
                    Fill("a")
                } second: {
                    Fill("b")
                }), [""])
        expectEqual(
            picture(
                1, 1,
                Split(.horizontal) {
                    Fill("a")
                } second: {
                    Fill("b")
                }), ["│"])
    }

    @Test("A dragged line keeps its fraction when the size changes")
    func draggedPart() {
        var stand = Stand<Never>(111, 1)
        let view = Split<Never>(.horizontal) {
            Fill("a")
        } second: {
            Fill("b")
        }
        stand.show(view)
        _ = stand.mouse(.press(1), 55, 0)
        _ = stand.mouse(.move(1), 88, 0)
        _ = stand.mouse(.release(1), 88, 0)
        for (columns, place) in [(111, 88), (61, 48), (11, 8), (2, 1), (61, 48), (111, 88)] {
            stand.size = Size(columns: columns, rows: 1)
            expectEqual(Array(stand.show(view)[0]).firstIndex(of: "│"), place)
        }
    }
}
