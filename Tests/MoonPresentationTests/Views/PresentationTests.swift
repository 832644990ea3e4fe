import MoonPresentation
import Testing

/// A view that counts a number in its memory with `+`, and tells its name with Enter and a click.
private struct Counter: View {
    let name: String
    var focusing = Focusing.keys

    func naturalSize(in room: Size) -> NaturalSize { NaturalSize(rows: 1) }

    func draw(on surface: inout Surface<String>) {
        surface.write("\(surface.isFocused ? ">" : " ")\(name) \(surface.memory.mark ?? 0)")
        surface.showCursor(at: Point(column: 1, row: 0))
        surface.onInput(focusing) { [name] input, memory in
            switch input {
            case .key("+"):
                memory.mark = (memory.mark ?? 0) + 1
                return []
            case .key(.enter): return [name]
            case .mouse(let mouse) where mouse.action == .press(1): return ["\(name) at \(mouse.point.column)"]
            case .mouse(let mouse) where mouse.action == .release(1): return ["\(name) let go at \(mouse.point.column)"]
            case .mouse(let mouse) where mouse.action == .wheelDown: return ["\(name) wheel"]
            case .paste(let text): return ["\(name) pasted \(text)"]
            default: return nil
            }
        }
    }
}

@Suite("Views: focus, keys, the mouse and what is kept between frames")
struct PresentationTests {
    private func names(_ names: [String]) -> Rows<String> {
        Rows { for name in names { Counter(name: name).id(name) } }
    }

    // MARK: - Identity

    @Test("what is kept for a view follows its id when the order changes")
    func ids() {
        var stand = Stand<String>(10, 3)
        stand.show(names(["a", "b"]))
        #expect(stand.press("+", .tab, "+", "+") == [])
        #expect(stand.show(names(["b", "c", "a"])) == [">b 2", " c 0", " a 1"])
    }

    @Test("a view that was away begins anew")
    func away() {
        var stand = Stand<String>(10, 2)
        stand.show(names(["a", "b"]))
        _ = stand.press("+")
        stand.show(names(["b"]))
        #expect(stand.show(names(["a", "b"])) == [" a 0", ">b 0"])
    }

    @Test("a view that comes and goes by a condition does not disturb the others")
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
        #expect(stand.show(view(true)) == [" x 0", ">y 1"])
        #expect(stand.show(view(false)) == [">y 1", ""])
    }

    @Test("the branches of a condition are different views")
    func branches() {
        func view(_ isFirst: Bool) -> Rows<String> {
            Rows { if isFirst { Counter(name: "x") } else { Counter(name: "y") } }
        }
        var stand = Stand<String>(10, 1)
        stand.show(view(true))
        _ = stand.press("+")
        #expect(stand.show(view(false)) == [">y 0"])
    }

    @Test("views of a screen are known by the line that adds them")
    func lines() {
        func build(_ isThere: Bool) -> (Screen<String>) -> Void {
            { screen in
                if isThere { screen.add(Counter(name: "x")).constrain(.top, to: screen) }
                let y = screen.add(Counter(name: "y"))
                y.constrain(.top, to: screen, constant: 1)
            }
        }
        var stand = Stand<String>(10, 2)
        stand.show(build(false))
        _ = stand.press("+")
        #expect(stand.show(build(true)) == [" x 0", ">y 1"])
    }

    @Test("two views with the same id are two views")
    func sameIDs() {
        var stand = Stand<String>(10, 2)
        stand.show(names(["a", "a"]))
        _ = stand.press("+")
        #expect(stand.show(names(["a", "a"])) == [">a 1", " a 0"])
    }

    @Test("a view of another type is another view, even with the same id")
    func types() {
        var stand = Stand<String>(10, 1)
        stand.show(Rows { Counter(name: "a").id(1) })
        _ = stand.press("+")
        stand.show(Rows { Text("a").id(1) })
        #expect(stand.show(Rows { Counter(name: "a").id(1) }) == [">a 0"])
    }

    // MARK: - Focus

    @Test("the first view that can has the focus, and Tab moves it round")
    func ring() {
        var stand = Stand<String>(10, 3)
        let view = names(["a", "b", "c"])
        #expect(stand.show(view) == [">a 0", " b 0", " c 0"])
        #expect(stand.press(.tab) == [] && stand.presentation.needsFrame)
        #expect(stand.show(view) == [" a 0", ">b 0", " c 0"])
        #expect(stand.press(.shift(.tab), .shift(.tab)) == [])
        #expect(stand.show(view) == [" a 0", " b 0", ">c 0"])
        _ = stand.press(.tab)
        #expect(stand.show(view) == [">a 0", " b 0", " c 0"])
    }

    @Test("a view that takes text has the focus before others do")
    func text() {
        var stand = Stand<String>(10, 3)
        let view = Rows<String> {
            Counter(name: "a")
            Counter(name: "b", focusing: .text)
            Counter(name: "c", focusing: .text)
        }
        #expect(stand.show(view) == [" a 0", ">b 0", " c 0"])
        #expect(stand.canvas.cursor == Point(column: 1, row: 1))
    }

    @Test("a view takes the focus when its condition becomes true, and not while it stays so")
    func wishes() {
        func view(_ condition: Bool) -> Rows<String> {
            Rows {
                Counter(name: "a")
                Counter(name: "b").focused(when: condition)
            }
        }
        var stand = Stand<String>(10, 2)
        #expect(stand.show(view(false)) == [">a 0", " b 0"])
        #expect(stand.show(view(true)) == [" a 0", ">b 0"])
        _ = stand.press(.tab)
        #expect(stand.show(view(true)) == [">a 0", " b 0"])
        stand.show(view(false))
        #expect(stand.show(view(true)) == [" a 0", ">b 0"])
    }

    @Test("a container that asks for the focus gives it to its first view that can have it; a text cannot take it away")
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
        #expect(stand.show(view(true))[..<2] == [" a 0", ">b 0"])
        let container = Rows {
            Counter(name: "c")
            Rows {
                Text("text")
                Counter(name: "d")
            }
            .focused(when: true)
        }
        #expect(stand.show(container) == [" c 0", "text", ">d 0"])
    }

    @Test("the cursor is hidden if the view with the focus shows none, or if its cell is cut off")
    func cursor() {
        var stand = Stand<String>(1, 1)
        stand.show(Counter(name: "a"))
        #expect(stand.canvas.cursor == nil)
    }

    // MARK: - Keys

    @Test("a key goes to the focus, then to the program, then to the other views")
    func order() {
        var stand = Stand<String>(10, 2)
        stand.show(names(["a", "b"]))
        _ = stand.press(.tab)
        let table: KeyTable<String> = [.enter: "table", "x": "x", "+": "plus"]
        #expect(stand.presentation.take(.key(.enter), keys: table) == [.send("b")])
        #expect(stand.presentation.take(.key("x"), keys: table) == [.send("x")])
        #expect(stand.presentation.take(.key("+"), keys: table) == [])
        #expect(stand.presentation.take(.key("y"), keys: table) == [])
    }

    @Test("keys with modifiers, function keys and Escape are the program's first")
    func commands() {
        struct Greedy: View {
            func draw(on surface: inout Surface<String>) { surface.onInput { _, _ in ["view"] } }
        }
        var stand = Stand<String>(10, 2)
        stand.show(Greedy())
        let table: KeyTable<String> = [
            .control("a"): "t", .alt("a"): "t", .function(1): "t", .escape: "t", "a": "t", .shift(.up): "t",
        ]
        for key in [Key.control("a"), .alt("a"), .function(1), .escape] {
            #expect(stand.presentation.take(.key(key), keys: table) == [.send("t")])
        }
        for key in ["a", Key.shift(.up), .control("b")] {
            #expect(stand.presentation.take(.key(key), keys: table) == [.send("view")])
        }
        #expect(stand.presentation.take(.key(.escape), keys: [.quit(.escape)]) == [.quit])
    }

    @Test("keys that nobody wants are offered to other views, but not to those that take text")
    func rest() {
        var stand = Stand<String>(10, 3)
        stand.show(
            Rows<String> {
                Text("title")
                Counter(name: "a", focusing: .text)
                Counter(name: "b")
            })
        #expect(stand.press(.enter) == ["a"])
        struct Deaf: View {
            func draw(on surface: inout Surface<String>) { surface.onInput(.text) { _, _ in nil } }
        }
        stand = Stand<String>(10, 3)
        stand.show(
            Rows<String> {
                Deaf()
                Counter(name: "a", focusing: .text)
                Counter(name: "b")
            })
        #expect(stand.press(.enter) == ["b"])
    }

    @Test("a view is asked once for each key")
    func once() {
        let asked = Asked()
        struct Curious: View {
            let asked: Asked
            func draw(on surface: inout Surface<String>) {
                surface.onInput { [asked] _, _ in
                    asked.note(1)
                    return nil
                }
            }
        }
        var stand = Stand<String>(10, 1)
        stand.show(Curious(asked: asked))
        #expect(stand.press("x") == [] && asked.rows == [1])
    }

    @Test("pasted text goes to the focus only")
    func paste() {
        var stand = Stand<String>(10, 2)
        stand.show(names(["a", "b"]))
        #expect(stand.presentation.take(.paste("x\ty")) == ["a pasted x\ty"])
    }

    @Test("events of a child become those of its parent")
    func map() {
        var stand = Stand<Int>(10, 2)
        stand.show(names(["a", "bbb"]).map { $0.count })
        #expect(stand.press(.enter, .tab, .enter) == [1, 3])
    }

    // MARK: - The mouse

    @Test("a click moves the focus, and tells the place in the view's own coordinates")
    func click() {
        var stand = Stand<String>(10, 4)
        let view = names(["a", "b"]).padding(Insets(top: 1, left: 2))
        stand.show(view)
        #expect(stand.mouse(.press(1), 5, 2) == ["b at 3"])
        #expect(stand.show(view) == ["", "   a 0", "  >b 0", ""])
        // Let go elsewhere: that belongs to where it was pressed, too.
        #expect(stand.mouse(.release(1), 2, 1) == ["b let go at 0"])
        #expect(stand.mouse(.release(1), 2, 1) == [])
        #expect(stand.mouse(.press(1), 0, 0) == [])
    }

    @Test("the wheel goes to what is under the mouse, and leaves the focus alone")
    func wheel() {
        var stand = Stand<String>(10, 2)
        stand.show(names(["a", "b"]))
        #expect(stand.mouse(.wheelDown, 3, 1) == ["b wheel"])
        #expect(stand.show(names(["a", "b"])) == [">a 0", " b 0"])
        #expect(stand.mouse(.wheelDown, 3, 2) == [])
    }

    @Test("of views over each other the upper one is clicked")
    func layers() {
        var stand = Stand<String>(10, 1)
        stand.show(
            Layers<String> {
                Counter(name: "a")
                Counter(name: "b")
            })
        #expect(stand.mouse(.press(1), 0, 0) == ["b at 0"])
    }

    // MARK: - Frames that need not be made

    @Test("a frame of an equal state is not made again, unless the size or what is kept has changed")
    func unchanged() {
        var presentation = Presentation<String>()
        var built = 0
        func frame(_ state: Int, _ columns: Int = 10) -> [String] {
            presentation.frame(of: state, Size(columns: columns, rows: 1)) { state, screen in
                built += 1
                screen.add(Counter(name: "n\(state)"))
            }.picture
        }
        #expect(frame(1) == [">n1 0"] && built == 1)
        #expect(frame(1) == [">n1 0"] && built == 1)
        #expect(frame(2) == [">n2 0"] && built == 2)
        #expect(frame(2, 3) == [">n2"] && built == 3)
        #expect(presentation.take(.key("x")) == [])
        #expect(frame(2, 3) == [">n2"] && built == 3)
        #expect(presentation.take(.key("+")) == [])
        #expect(frame(2, 3) == [">n2"] && built == 4)
        #expect(frame(2) == [">n2 1"] && built == 5)
    }
}
