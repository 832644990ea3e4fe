import MoonlightTestSupport
import MoonlightTesting
import SwiftText
import Testing

@Suite("Source text")
struct SourceTextTests {
    @Test("Lines are skipped with their line breaks, and skipping too many lines fails")
    func lines() {
        var rest = SourceText("a\nb\nc")
        let hasTwo = rest.skip(lines: 2)
        expect(hasTwo)
        expectEqual(rest.text, "c")
        let hasThree = rest.skip(lines: 1)
        expect(!hasThree)
        var none = SourceText("a\nb")
        let hasNone = none.skip(lines: 0)
        expect(hasNone)
        expectEqual(none.text, "a\nb")
    }

    @Test(
        "A comment or a string is skipped to its end, including nested comments and interpolations",
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
        expect(isSkipped)
        expect(rest.text == left)
    }

    @Test("Nothing is skipped if neither a comment nor a string begins", arguments: ["a // b", "/ a", "#if a", ""])
    func notSkipped(text: String) {
        var rest = SourceText(text[...])
        let isSkipped = rest.skipCommentOrString()
        expect(!isSkipped)
        expect(rest.text == text)
    }

    @Test("A group ends at its own bracket, with anything nested in it")
    func groups() {
        var rest = SourceText(#"  (a, ")", [b], { c }) d"#)
        let taken = rest.takeGroup("(", ")")
        expectEqual(taken, #"(a, ")", [b], { c })"#)
        expectEqual(rest.text, " d")
    }

    @Test(
        "The first of two groups is taken, and the outer one of nested groups",
        arguments: [
            ("(a)(b)", "(a)", "(b)"), ("((a) [b] {c}) d", "((a) [b] {c})", " d"), ("(/* ) */ a) b", "(/* ) */ a)", " b"),
            ("()", "()", ""),
            ("\n ( ) x", "( )", " x"),
        ])
    func firstGroup(text: String, group: String, left: String) {
        var rest = SourceText(text[...])
        let taken = rest.takeGroup("(", ")")
        expectEqual(taken, group[...])
        expect(rest.text == left)
    }

    @Test(
        "Nothing is taken if no group begins, or if it does not end",
        arguments: ["a(b)", "(a]", "(a", "{a}", "", "((a)", ")"])
    func noGroup(text: String) {
        var rest = SourceText(text[...])
        let taken = rest.takeGroup("(", ")")
        expect(taken == nil)
        expect(rest.text == text)
    }

    @Test("A closure with a label is taken without the label")
    func labelledClosure() {
        var rest = SourceText(" then_2: { a } b")
        let taken = rest.takeLabelledClosure()
        expectEqual(taken, "{ a }")
        expectEqual(rest.text, " b")
    }

    @Test("A name consists of letters, digits and underscores")
    func names() {
        expectEqual("aÜ_9(. :-\"".filter(\.isPartOfName), "aÜ_9")
    }

    @Test("A closure without a label is not taken as one with a label", arguments: [": { a }", "then { a }", "then: a", "{ a }"])
    func noLabelledClosure(text: String) {
        var rest = SourceText(text[...])
        let taken = rest.takeLabelledClosure()
        expect(taken == nil)
        expect(rest.text == text)
    }

    @Test("A literal is read as its text, unless it has an interpolation or an invalid escape")
    func literals() {
        expectEqual(SourceText.value(ofLiteral: #""a\n\u{41}b\t\\""#), "a\nAb\t\\")
        expectEqual(SourceText.value(ofLiteral: #""\"\'\r\0\u{1F511}x""#), "\"'\r\0\u{1F511}x")
        expectEqual(SourceText.value(ofLiteral: #""""#), "")
        expect(SourceText.value(ofLiteral: #""\q""#) == nil)
        expect(SourceText.value(ofLiteral: #""\u{D800}""#) == nil)
        expect(SourceText.value(ofLiteral: #""\(a)""#) == nil)
        expect(SourceText.value(ofLiteral: #""\u{xyz}""#) == nil)
    }

    @Test("Lines are indented together, so that the leftmost one after the first has the given indentation")
    func indented() {
        expectEqual("a {\n        b\n   \n      c".indented(by: 2), "a {\n    b\n\n  c")
        expectEqual("a\nb".indented(by: 4), "a\n    b")
        expectEqual("a".indented(by: 4), "a")
        expectEqual("a\n  b\n c\n\n    d".indented(by: 0), "a\n b\nc\n\n   d")
        expectEqual("a\n   \n".indented(by: 4), "a\n   \n")
        expectEqual("    a\n  b".indented(by: 4), "    a\n    b")
    }

    @Test("An unclosed interpolation ends with its string, and the rest is kept")
    func openInterpolation() {
        var rest = SourceText(#""\(a" b"#)
        let isSkipped = rest.skipCommentOrString()
        expect(isSkipped)
        expectEqual(rest.text, " b")
    }
}
