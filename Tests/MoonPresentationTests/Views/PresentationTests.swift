import MoonPresentation
import MoonlightTestSupport
import Testing

/// A view that counts in its memory with `+`, and sends its name on Enter and a click.
private struct Counter: View {
    let name: String
    var focusing = Focusing.keys

    func naturalSize(in room: Size) -> NaturalSize { NaturalSize(rows: 1) }

    func draw(on surface: inout Surface<String>) {
        surface.write("\(surface.isFocused ? ">" : " ")\(name) \(surface.memory.offset.row)")
        surface.showCursor(at: Point(column: 1, row: 0))
        surface.onInput(focusing) { [name] input, memory in
            switch input {
            case .key("+"):
                memory.offset = Point(column: 0, row: memory.offset.row + 1)
                return []
            case .key(.enter): return [name]
            case .mouse(let mouse) where mouse.action == .press(1): return ["\(name) at \(mouse.point.column)"]
            case .mouse(let mouse) where mouse.action == .release(1): return ["\(name) let go at \(mouse.point.column)"]
            case .mouse(let mouse) where mouse.action == .wheel(columns: 0, rows: 1): return ["\(name) wheel"]
            case .paste(let text): return ["\(name) pasted \(text)"]
            default: return nil
            }
        }
    }
}

@Suite("Views: focus, keys, the mouse, and memory between frames")
struct PresentationTests {
    private func names(_ names: [String]) -> Rows<String> {
        Rows { for name in names { Counter(name: name).id(name) } }
    }

    // MARK: - Identity

    @Test("The memory of a view follows its id when the order changes")
    func ids() {
        var stand = Stand<String>(10, 3)
        stand.show(names(["a", "b"]))
        expectEqual(stand.press("+", .tab, "+", "+"), [])
        expectEqual(stand.show(names(["b", "c", "a"])), [">b 2", " c 0", " a 1"])
    }

    @Test("The memory of a view is lost when it is not shown in a frame")
    func away() {
        var stand = Stand<String>(10, 2)
        stand.show(names(["a", "b"]))
        _ = stand.press("+")
        stand.show(names(["b"]))
        expectEqual(stand.show(names(["a", "b"])), [" a 0", ">b 0"])
    }

    @Test("A view that appears and disappears by a condition does not disturb the others")
    func conditions() {
        func view(_ isThere: Bool) -> Rows<String> {
            Rows {
                if isThere { Counter(name: "x") }
                Counter(name: "y")
            }
        }
        var stand = Stand<String>(10, 2)
        stand.show(view(false))
        _ = stand.press("+")
        expectEqual(stand.show(view(true)), [" x 0", ">y 1"])
        expectEqual(stand.show(view(false)), [">y 1", ""])
    }

    @Test("The branches of a condition are different views")
    func branches() {
        func view(_ isFirst: Bool) -> Rows<String> {
            Rows { if isFirst { Counter(name: "x") } else { Counter(name: "y") } }
        }
        var stand = Stand<String>(10, 1)
        stand.show(view(true))
        _ = stand.press("+")
        expectEqual(stand.show(view(false)), [">y 0"])
    }

    @Test("Views of a screen are identified by the place in the source that adds them")
    func lines() {
        func build(_ isThere: Bool) -> (LayoutScreen<String>) -> Void {
            { screen in
                if isThere { screen.add(Counter(name: "x")).constrain(.top, to: screen) }
                let y = screen.add(Counter(name: "y"))
                y.constrain(.top, to: screen, constant: 1)
            }
        }
        var stand = Stand<String>(10, 2)
        stand.show(build(false))
        _ = stand.press("+")
        expectEqual(stand.show(build(true)), [" x 0", ">y 1"])
    }

    @Test("Views that two files add in the same line and column are two views")
    func files() {
        func show(_ files: [String], _ stand: inout Stand<String>) -> [String] {
            stand.show { screen in
                for (row, file) in files.enumerated() {
                    let view = screen.add(Counter(name: file), fileID: file, line: 7, column: 9)
                    view.constrain(.top, to: screen, constant: row)
                }
            }
        }
        var stand = Stand<String>(20, 2)
        expectEqual(show(["A/a.swift", "B/b.swift"], &stand), [">A/a.swift 0", " B/b.swift 0"])
        expectEqual(stand.press("+"), [])
        expectEqual(show(["B/b.swift", "A/a.swift"], &stand), [" B/b.swift 0", ">A/a.swift 1"])
    }

    @Test("Two views with the same id are two views")
    func sameIDs() {
        var stand = Stand<String>(10, 2)
        stand.show(names(["a", "a"]))
        _ = stand.press("+")
        expectEqual(stand.show(names(["a", "a"])), [">a 1", " a 0"])
    }

    @Test("A view of another type is another view, even with the same id")
    func types() {
        var stand = Stand<String>(10, 1)
        stand.show(Rows { Counter(name: "a").id(1) })
        _ = stand.press("+")
        stand.show(Rows { Text("a").id(1) })
        expectEqual(stand.show(Rows { Counter(name: "a").id(1) }), [">a 0"])
    }

    // MARK: - Focus

    @Test("The first view that takes keys has the focus, and Tab moves it through all of them")
    func ring() {
        var stand = Stand<String>(10, 3)
        let view = names(["a", "b", "c"])
        expectEqual(stand.show(view), [">a 0", " b 0", " c 0"])
        expect(stand.press(.tab) == [] && stand.presentation.needsFrame)
        expectEqual(stand.show(view), [" a 0", ">b 0", " c 0"])
        expectEqual(stand.press(.shift(.tab), .shift(.tab)), [])
        expectEqual(stand.show(view), [" a 0", " b 0", ">c 0"])
        _ = stand.press(.tab)
        expectEqual(stand.show(view), [">a 0", " b 0", " c 0"])
    }

    @Test("Tab moves the focus to each view once, even if a view handles input before and after its children")
    func ringOfNested() {
        struct Nested: View {
            func draw(on surface: inout Surface<String>) {
                surface.onInput { _ in nil }
                surface.add(Counter(name: "inner"), in: Rect(column: 0, row: 0, columns: 10, rows: 1))
                surface.onInput { _ in nil }
            }
        }
        var stand = Stand<String>(10, 2)
        let view = Rows<String> {
            Nested()
            Counter(name: "last")
        }
        stand.show(view)
        for expected in [[">inner 0", " last 0"], [" inner 0", ">last 0"], [" inner 0", " last 0"], [">inner 0", " last 0"]] {
            _ = stand.press(.tab)
            expectEqual(stand.show(view), expected)
        }
    }

    @Test("In a window that is too small for a border, the views in it keep the focus and their memory")
    func smallWindow() {
        var stand = Stand<String>(10, 4)
        let view = names(["a", "b"]).border()
        stand.show(view)
        _ = stand.press(.tab, "+")
        for size in [Size(columns: 10, rows: 1), Size(columns: 1, rows: 4), .zero] {
            stand.size = size
            stand.show(view)
        }
        stand.size = Size(columns: 10, rows: 4)
        expectEqual(stand.show(view)[1...2], ["│ a 0    │", "│>b 1    │"])
    }

    @Test("A dialog can be cancelled in a window that is too small for it")
    func smallDialog() {
        var stand = Stand<String>(10, 1)
        stand.show(Dialog(cancel: "cancelled") { Counter(name: "a") })
        expectEqual(stand.press(.escape), ["cancelled"])
        expectEqual(stand.press(.enter), ["a"])
    }

    @Test("A view that takes text has the focus before others do")
    func text() {
        var stand = Stand<String>(10, 3)
        let view = Rows<String> {
            Counter(name: "a")
            Counter(name: "b", focusing: .text)
            Counter(name: "c", focusing: .text)
        }
        expectEqual(stand.show(view), [" a 0", ">b 0", " c 0"])
        expectEqual(stand.canvas.cursor, Point(column: 1, row: 1))
    }

    @Test("A view takes the focus when its condition becomes true, and not while it stays true")
    func wishes() {
        func view(_ condition: Bool) -> Rows<String> {
            Rows {
                Counter(name: "a")
                Counter(name: "b").focused(when: condition)
            }
        }
        var stand = Stand<String>(10, 2)
        expectEqual(stand.show(view(false)), [">a 0", " b 0"])
        expectEqual(stand.show(view(true)), [" a 0", ">b 0"])
        _ = stand.press(.tab)
        expectEqual(stand.show(view(true)), [">a 0", " b 0"])
        stand.show(view(false))
        expectEqual(stand.show(view(true)), [" a 0", ">b 0"])
    }

    @Test("A view whose focus is prevented never has it: as the first text view, by Tab, by the mouse, or from an earlier frame")
    func refusedFocus() {
        func view(_ condition: Bool) -> Rows<String> {
            Rows {
                Rows { Counter(name: "a", focusing: .text) }.focused(when: condition)
                Counter(name: "b")
            }
        }
        var stand = Stand<String>(10, 2)
        expectEqual(stand.show(view(false)), [" a 0", ">b 0"])
        expectEqual(stand.press(.tab), [])
        expectEqual(stand.show(view(false)), [" a 0", ">b 0"])
        expectEqual(stand.mouse(.press(1), 1, 0), ["a at 1"])
        expectEqual(stand.show(view(false)), [" a 0", ">b 0"])
        expectEqual(stand.show(view(true)), [">a 0", " b 0"])
        expectEqual(stand.show(view(false)), [" a 0", ">b 0"])
        stand.show(Counter(name: "c", focusing: .text).focused(when: false))
        expectEqual(stand.presentation.take(.key("+"), keys: ["+": "plus"]), [.send("plus")])
    }

    @Test("A dialog has the focus even within a view whose focus is prevented")
    func dialogWithoutFocusAround() {
        var stand = Stand<String>(10, 5)
        stand.show(Rows { Dialog { Counter(name: "a") } }.focused(when: false))
        expectEqual(stand.press(.enter), ["a"])
    }

    @Test("A container that asks for the focus gives it to its first view that takes keys, and a text cannot take it")
    func containerWishes() {
        func view(_ condition: Bool) -> Rows<String> {
            Rows {
                Counter(name: "a")
                Counter(name: "b")
                Text("text").focused(when: condition)
            }
        }
        var stand = Stand<String>(10, 3)
        stand.show(view(false))
        _ = stand.press(.tab)
        expectEqual(stand.show(view(true))[..<2], [" a 0", ">b 0"])
        let container = Rows {
            Counter(name: "c")
            Rows {
                Text("text")
                Counter(name: "d")
            }
            .focused(when: true)
        }
        expectEqual(stand.show(container), [" c 0", "text", ">d 0"])
    }

    @Test("The cursor is hidden if the view with the focus shows none, or if its cell is cut off")
    func cursor() {
        var stand = Stand<String>(1, 1)
        stand.show(Counter(name: "a"))
        expect(stand.canvas.cursor == nil)
    }

    // MARK: - Keys

    @Test("A key is offered to the focused view, then to the program, then to the other views")
    func order() {
        var stand = Stand<String>(10, 2)
        stand.show(names(["a", "b"]))
        _ = stand.press(.tab)
        let table: KeyTable<String> = [.enter: "table", "x": "x", "+": "plus"]
        expectEqual(stand.presentation.take(.key(.enter), keys: table), [.send("b")])
        expectEqual(stand.presentation.take(.key("x"), keys: table), [.send("x")])
        expectEqual(stand.presentation.take(.key("+"), keys: table), [])
        expectEqual(stand.presentation.take(.key("y"), keys: table), [])
    }

    @Test("Keys with modifiers, function keys and Escape are offered to the program first")
    func commands() {
        struct Greedy: View {
            func draw(on surface: inout Surface<String>) { surface.onInput { _ in ["view"] } }
        }
        var stand = Stand<String>(10, 2)
        stand.show(Greedy())
        let table: KeyTable<String> = [
            .control("a"): "t", .alt("a"): "t", .function(1): "t", .escape: "t", "a": "t", .shift(.up): "t",
        ]
        for key in [Key.control("a"), .alt("a"), .function(1), .escape] {
            expectEqual(stand.presentation.take(.key(key), keys: table), [.send("t")])
        }
        for key in ["a", Key.shift(.up), .control("b")] {
            expectEqual(stand.presentation.take(.key(key), keys: table), [.send("view")])
        }
        expectEqual(stand.presentation.take(.key(.escape), keys: [.quit(.escape)]), [.quit])
    }

    @Test("Keys that the focused view does not handle reach other views, except those that take text")
    func rest() {
        var stand = Stand<String>(10, 3)
        stand.show(
            Rows<String> {
                Text("title")
                Counter(name: "a", focusing: .text)
                Counter(name: "b")
            })
        expectEqual(stand.press(.enter), ["a"])
        struct Deaf: View {
            func draw(on surface: inout Surface<String>) { surface.onInput(.text) { _ in nil } }
        }
        stand = Stand<String>(10, 3)
        stand.show(
            Rows<String> {
                Deaf()
                Counter(name: "a", focusing: .text)
                Counter(name: "b")
            })
        expectEqual(stand.press(.enter), ["b"])
    }

    @Test("A view receives each key once")
    func once() {
        let asked = Asked()
        struct Curious: View {
            let asked: Asked
            func draw(on surface: inout Surface<String>) {
                surface.onInput { [asked] _ in
                    asked.note(1)
                    return nil
                }
            }
        }
        var stand = Stand<String>(10, 1)
        stand.show(Curious(asked: asked))
        expect(stand.press("x") == [] && asked.rows == [1])
    }

    @Test("Pasted text is offered to the focused view only")
    func paste() {
        var stand = Stand<String>(10, 2)
        stand.show(names(["a", "b"]))
        expectEqual(stand.presentation.take(.paste("x\ty")), ["a pasted x\ty"])
    }

    @Test("Events of a child are mapped to those of its parent")
    func map() {
        var stand = Stand<Int>(10, 2)
        stand.show(names(["a", "bbb"]).map { $0.count })
        expectEqual(stand.press(.enter, .tab, .enter), [1, 3])
    }

    // MARK: - The mouse

    @Test("A click moves the focus, and is reported in the view's coordinates")
    func click() {
        var stand = Stand<String>(10, 4)
        let view = names(["a", "b"]).padding(Insets(top: 1, left: 2))
        stand.show(view)
        expectEqual(stand.mouse(.press(1), 5, 2), ["b at 3"])
        expectEqual(stand.show(view), ["", "   a 0", "  >b 0", ""])
        // A release elsewhere belongs to the view of the press.
        expectEqual(stand.mouse(.release(1), 2, 1), ["b let go at 0"])
        expectEqual(stand.mouse(.release(1), 2, 1), [])
        expectEqual(stand.mouse(.press(1), 0, 0), [])
    }

    @Test("The wheel scrolls the view under the mouse, and does not move the focus")
    func wheel() {
        var stand = Stand<String>(10, 2)
        stand.show(names(["a", "b"]))
        expectEqual(stand.mouse(.wheel(columns: 0, rows: 1), 3, 1), ["b wheel"])
        expectEqual(stand.show(names(["a", "b"])), [">a 0", " b 0"])
        expectEqual(stand.mouse(.wheel(columns: 0, rows: 1), 3, 2), [])
    }

    @Test("A click on overlapping views reaches the upper one")
    func layers() {
        var stand = Stand<String>(10, 1)
        stand.show(
            Layers<String> {
                Counter(name: "a")
                Counter(name: "b")
            })
        expectEqual(stand.mouse(.press(1), 0, 0), ["b at 0"])
    }

    @Test("A move of the mouse without a button reaches the view under it, or else the views around")
    func hover() {
        struct Target: View {
            func draw(on surface: inout Surface<String>) {
                surface.onInput { input in
                    if case .mouse(let mouse) = input { ["\(mouse.action) at \(mouse.point.column)"] } else { nil }
                }
                surface.add(Counter(name: "a"), in: Rect(column: 0, row: 1, columns: 4, rows: 1))
            }
        }
        var stand = Stand<String>(10, 2)
        stand.show(Target().padding(Insets(left: 1)))
        expectEqual(stand.mouse(.move(0), 3, 0), ["move(0) at 2"])
        expectEqual(stand.mouse(.move(0), 3, 1), ["move(0) at 2"])
        expectEqual(stand.mouse(.move(0), 0, 0), [])
    }
}
