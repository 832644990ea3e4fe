import MoonlightTesting
import Testing

@Suite("Source text")
struct SourceTextTests {
    @Test("lines are skipped with their breaks, and there have to be so many")
    func lines() {
        var rest = SourceText("a\nb\nc")
        let hasTwo = rest.skip(lines: 2)
        #expect(hasTwo)
        #expect(rest.text == "c")
        let hasThree = rest.skip(lines: 1)
        #expect(!hasThree)
        var none = SourceText("a\nb")
        let hasNone = none.skip(lines: 0)
        #expect(hasNone)
        #expect(none.text == "a\nb")
    }

    @Test(
        "a comment or a string is skipped to its end, with what is nested or interpolated",
        arguments: [
            ("// a\nb", "\nb"), ("/**/b", "b"), ("/* a /* b */ c */ d", " d"), ("/* open", ""),
            (#""a\"b" c"#, " c"), (#""a\(f(")"))b" c"#, " c"), (##"#"a"b\"# c"##, " c"), (##"#"a\#(f("b"))c"# d"##, " d"),
            ("\"\"\"\na \"b\" c\n\"\"\" d", " d"), ("\"\" c", " c"), ("//", ""), ("// a", ""), ("/* a *//* b */c", "/* b */c"),
            ("/*/ a */b", "b"), (#""open"#, ""), (#""a\\" b"#, " b"), (##"#"a\"# b"##, " b"), (##"#"a\#"b"# c"##, " c"),
            (###"##"a"#b"## c"###, " c"), (#""\(a"#, ""), (#""\(a) b\(c)" d"#, " d"), ("\"\"\"\n\\\"\"\"\n\"\"\" d", " d"),
            ("#\"\"\"\n\"\"\"\n\"\"\"# d", " d"),
        ])
    func skipped(text: String, left: String) {
        var rest = SourceText(text[...])
        let isSkipped = rest.skipCommentOrString()
        #expect(isSkipped)
        #expect(rest.text == left)
    }

    @Test("where neither a comment nor a string begins, nothing is skipped", arguments: ["a // b", "/ a", "#if a", ""])
    func notSkipped(text: String) {
        var rest = SourceText(text[...])
        let isSkipped = rest.skipCommentOrString()
        #expect(!isSkipped)
        #expect(rest.text == text)
    }

    @Test("a group ends at its own bracket, whatever is nested in it")
    func groups() {
        var rest = SourceText(#"  (a, ")", [b], { c }) d"#)
        let taken = rest.takeGroup("(", ")")
        #expect(taken == #"(a, ")", [b], { c })"#)
        #expect(rest.text == " d")
    }

    @Test(
        "of two groups the first is taken, and of nested ones the outer",
        arguments: [
            ("(a)(b)", "(a)", "(b)"), ("((a) [b] {c}) d", "((a) [b] {c})", " d"), ("(/* ) */ a) b", "(/* ) */ a)", " b"),
            ("()", "()", ""),
            ("\n ( ) x", "( )", " x"),
        ])
    func firstGroup(text: String, group: String, left: String) {
        var rest = SourceText(text[...])
        let taken = rest.takeGroup("(", ")")
        #expect(taken == group[...])
        #expect(rest.text == left)
    }

    @Test("where no group begins or ends, nothing is taken", arguments: ["a(b)", "(a]", "(a", "{a}", "", "((a)", ")"])
    func noGroup(text: String) {
        var rest = SourceText(text[...])
        let taken = rest.takeGroup("(", ")")
        #expect(taken == nil)
        #expect(rest.text == text)
    }

    @Test("a closure with a label is taken without it")
    func labelledClosure() {
        var rest = SourceText(" then_2: { a } b")
        let taken = rest.takeLabelledClosure()
        #expect(taken == "{ a }")
        #expect(rest.text == " b")
    }

    @Test("a name goes on with letters, digits and underscores")
    func names() {
        #expect("aÜ_9(. :-\"".filter(\.isPartOfName) == "aÜ_9")
    }

    @Test("a closure without a label is not taken as one with a label", arguments: [": { a }", "then { a }", "then: a", "{ a }"])
    func noLabelledClosure(text: String) {
        var rest = SourceText(text[...])
        let taken = rest.takeLabelledClosure()
        #expect(taken == nil)
        #expect(rest.text == text)
    }

    @Test("a literal stands for its text, unless something is interpolated or no character")
    func literals() {
        #expect(SourceText.value(ofLiteral: #""a\n\u{41}b\t\\""#) == "a\nAb\t\\")
        #expect(SourceText.value(ofLiteral: #""\"\'\r\0\u{1F511}x""#) == "\"'\r\0\u{1F511}x")
        #expect(SourceText.value(ofLiteral: #""""#) == "")
        #expect(SourceText.value(ofLiteral: #""\q""#) == nil)
        #expect(SourceText.value(ofLiteral: #""\u{D800}""#) == nil)
        #expect(SourceText.value(ofLiteral: #""\(a)""#) == nil)
        #expect(SourceText.value(ofLiteral: #""\u{xyz}""#) == nil)
    }

    @Test("lines move together, so that the leftmost but the first has the indentation")
    func indented() {
        #expect("a {\n        b\n   \n      c".indented(by: 2) == "a {\n    b\n\n  c")
        #expect("a\nb".indented(by: 4) == "a\n    b")
        #expect("a".indented(by: 4) == "a")
        #expect("a\n  b\n c\n\n    d".indented(by: 0) == "a\n b\nc\n\n   d")
        #expect("a\n   \n".indented(by: 4) == "a\n   \n")
        #expect("    a\n  b".indented(by: 4) == "    a\n    b")
    }

    @Test("an interpolation that is not closed ends with its string, and nothing behind that is lost")
    func openInterpolation() {
        var rest = SourceText(#""\(a" b"#)
        let isSkipped = rest.skipCommentOrString()
        #expect(isSkipped)
        #expect(rest.text == " b")
    }
}
