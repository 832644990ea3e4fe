import MoonlightTestSupport
import Testing

@testable import MoonPresentation
@testable import MoonPresentationTesting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite("Frames as pictures")
struct FramePictureTests {
    private func canvas(_ text: StyledText = StyledText("日本", .bold) + " ab") -> Canvas {
        var canvas = Canvas(size: Size(columns: 8, rows: 2))
        canvas.write(text, at: Point(column: 1, row: 0))
        return canvas
    }

    @Test("A picture has the rows of a frame, a layer of styles, and the meaning of its letters")
    func description() {
        var canvas = canvas()
        canvas.cursor = Point(column: 5, row: 1)
        canvas.write("x", at: Point(column: 7, row: 1), style: Style(foreground: .red, background: .rgb(1, 2, 3), link: "a"))
        let text = """
            8 x 2, cursor at column 5, row 1
            | 日本 ab|
            |       x|
            styles
            | aaaa   |
            |       b|
            a: bold
            b: foreground red, background rgb 1 2 3, link a

            """
        expect(FramePicture(canvas).description == text && FramePicture(text: text) == FramePicture(canvas))
    }

    @Test("A plain frame has no layer of styles, and blanks have no style that cannot be seen")
    func plain() {
        expectEqual(FramePicture(canvas("a")).description, "8 x 2\n| a      |\n|        |\n")
        expectEqual(FramePicture(canvas(StyledText("   ", .bold))), FramePicture(canvas("")))
        expect(FramePicture(canvas(StyledText("   ", .inverse))) != FramePicture(canvas("")))
    }

    @Test("Colors are written by name")
    func colors() {
        expect(Color.gray.words == "gray" && Color.ansi(9).words == "bright red" && Color.cyan.words == "cyan")
        expect(Color.palette(200).words == "palette 200" && Color.standard.words == "standard")
    }

    /// A row of cells with a style each.
    private func canvas(of styles: [Style]) -> Canvas {
        var canvas = Canvas(size: Size(columns: styles.count, rows: 2))
        for (column, style) in styles.enumerated() { canvas.write("x", at: Point(column: column, row: 0), style: style) }
        return canvas
    }

    @Test("The 53rd style of a frame begins another layer")
    func manyStyles() {
        let styles = (0..<54).map { Style(foreground: .palette(UInt8($0))) }
        let picture = FramePicture(canvas(of: styles + [styles[53], styles[0]]))
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        expectEqual(picture.lines[3...5], ["styles", "|\(letters)###a|", "|\(String(repeating: " ", count: 56))|"])
        expectEqual(picture.lines[57], "Z: foreground palette 51")
        expectEqual(
            picture.lines[58...],
            [
                "styles 2", "|\(String(repeating: "#", count: 52))abb#|", "|\(String(repeating: " ", count: 56))|",
                "a2: foreground palette 52", "b2: foreground palette 53",
            ])
        let other = FramePicture(canvas(of: styles + [styles[52], styles[0]]))
        expectEqual(
            other.difference(from: picture)?.split(separator: "\n").filter { !$0.hasPrefix("  ") }, ["styles 2 of row 0"])
        expectEqual(FramePicture(text: picture.description), picture)
    }

    @Test("A link is written on one line, and so that links of different bytes look different")
    func links() {
        let links = ["caf\u{e9}", "cafe\u{301}", "caf\\u{E9}", "a\nb"]
        let pictures = links.map { FramePicture(canvas(of: [Style(link: $0)])) }
        expectEqual(Set(pictures).count, links.count)
        expectEqual(
            pictures.map { $0.lines.last ?? "" },
            [#"a: link caf\u{00E9}"#, #"a: link cafe\u{0301}"#, #"a: link caf\\u{E9}"#, #"a: link a\nb"#])
        for picture in pictures { expectEqual(FramePicture(text: picture.description), picture) }
    }

    @Test("A difference shows the rows that differ, with marks below their cells")
    func difference() {
        let expected = FramePicture(canvas())
        expect(FramePicture(canvas()).difference(from: expected) == nil)
        expectEqual(
            FramePicture(canvas(StyledText("日x", .bold) + " ab")).difference(from: expected),
            """
            row 0
              expected | 日本 ab|
              but got  | 日x ab |
                           ^^^^^
            styles of row 0
              expected | aaaa   |
              but got  | aaa    |
                            ^
            """)
        expectEqual(
            FramePicture(canvas(StyledText("日本", .dim) + " ab")).difference(from: expected),
            """
            expected style a: bold
            but got  style a: dim
            """)
        let small = FramePicture(Canvas(size: Size(columns: 8, rows: 1))).difference(from: FramePicture(canvas("")))
        expectEqual(small, "expected 8 x 2\nbut got  8 x 1\nrow 1\n  expected |        |\n  but got  no such row")
    }

    @Test("A frame is compared with the picture that is kept beside its test")
    func compare() throws {
        var folder = Array("/tmp/frames-XXXXXX".utf8CString)
        _ = mkdtemp(&folder)
        let test = folder.withUnsafeBufferPointer { String(cString: $0.baseAddress!) } + "/Test.swift"
        func message(_ canvas: Canvas) -> String? {
            do { try canvas.compare(to: "a list, empty", beside: test) } catch { return "\(error)" }
            return nil
        }
        expectEqual(message(canvas())?.contains("Frames/a-list--empty.txt was written: check it"), true)
        expect(message(canvas()) == nil)
        expectEqual(message(canvas("other"))?.contains("but got  | other  |"), true)
        expect(message(canvas()) == nil)
    }

    @Test("A picture of the documentation is compared with the frame")
    func compareSVG() throws {
        var folder = Array("/tmp/frames-XXXXXX".utf8CString)
        _ = mkdtemp(&folder)
        let test = folder.withUnsafeBufferPointer { String(cString: $0.baseAddress!) } + "/Test.swift"
        func message(_ canvas: Canvas, _ path: String = "list.svg", title: String = "A list") -> String? {
            do { try canvas.compareSVG(at: path, title: title, beside: test) } catch { return "\(error)" }
            return nil
        }
        expectEqual(message(canvas())?.contains("list.svg was written: check it"), true)
        expect(message(canvas()) == nil)
        expectEqual(message(canvas("other"))?.contains("the frame differs from the picture"), true)
        expect(message(canvas(), title: "Another list") != nil)
        expect(message(canvas()) == nil)
        expectEqual(message(canvas(), "nowhere/list.svg")?.contains("cannot be written: No such file or directory"), true)
    }

    @Test("An SVG has the text, its styles and the cursor, with XML's reserved characters escaped")
    func svg() throws {
        var canvas = canvas(
            StyledText("<&>", Style(foreground: .rgb(1, 2, 3), attributes: [.bold, .underline])) + "日" + StyledText(" ", .inverse)
        )
        canvas.cursor = Point(column: 2, row: 1)
        let svg = canvas.svg(title: "a < b")
        expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n") && svg.contains("<title>a &lt; b</title>"))
        expect(
            svg.contains(
                "textLength=\"27\" lengthAdjust=\"spacingAndGlyphs\" font-weight=\"bold\" text-decoration=\"underline\">&lt;&amp;&gt;</text>"
            ))
        expect(
            svg.contains("fill=\"rgb(1,2,3)\"") && svg.contains("textLength=\"18\" lengthAdjust=\"spacingAndGlyphs\">日</text>"))
        expect(
            svg.contains("<rect x=\"64\" y=\"10\" width=\"9\" height=\"18\" fill=\"#d8dee9\"/>") && svg.contains("width=\"2\""))
        expect(!Canvas(size: Size(columns: 3, rows: 1)).svg().contains("<text"))
    }

    @Test("An SVG keeps the blanks between words, in browsers and in other programs")
    func svgBlanks() {
        let svg = canvas("a   b").svg()
        expect(svg.contains(">a   b"))
        expect(svg.contains("<style>text { white-space: pre }</style>") && svg.contains("xml:space=\"preserve\""))
    }
}
