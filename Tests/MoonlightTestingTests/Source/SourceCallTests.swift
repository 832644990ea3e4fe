import MoonlightTestSupport
import MoonlightTesting
import SwiftText
import Testing

@Suite("Calls in a source file")
struct SourceCallTests {
    @Test("Calls are found in order, but not those in comments, strings, longer names and other calls")
    func all() {
        let text = "call(1) // call(2)\nrecall(3); call { a }; \"call(4)\"; call(call(5)); call"
        let calls = SourceCall.all(of: "call", in: text)
        expectEqual(calls.map(\.arguments), ["1", "", "call(5)"])
        expectEqual(calls.map(\.closures), ["", "{ a }", ""])
    }

    @Test("Arguments are separated at commas outside brackets and strings")
    func list() throws {
        let call = try #require(SourceCall(in: #"f(a, g(b, c), "d, e", [f, g], h: i )"#, line: 1, of: "f"))
        expectEqual(call.list, ["a", " g(b, c)", #" "d, e""#, " [f, g]", " h: i "])
        expectEqual(call.argument("h"), "i")
        expect(call.argument("a") == nil)
        expectEqual(call.arguments(without: "h"), #"a, g(b, c), "d, e", [f, g]"#)
        expectEqual(call.arguments(without: "x"), call.arguments)
        expectEqual(call.last(label: "h"), "i ")
        expectEqual(call.last(), "h: i ")
    }

    @Test("A call is found by its title, or by a title that is not a literal")
    func title() throws {
        let text = #"f("a"); f("b", 2); f("c") { x } then: { y }"#
        expectEqual(SourceCall(in: text, line: 1, of: "f", title: "b")?.arguments, #""b", 2"#)
        expect(SourceCall(in: text, line: 1, of: "f", title: "z") == nil)
        expectEqual(SourceCall(in: "f(name)", line: 1, of: "f", title: "z")?.arguments, "name")
        let last = try #require(SourceCall(in: text, line: 1, of: "f", title: "c"))
        expectEqual(last.closures, "{ x } then: { y }")
        expectEqual(last.lastClosure, "{ y }")
        expectEqual(last.last(), "{ y }")
    }

    @Test("A call is searched for from its line on")
    func line() {
        expectEqual(SourceCall(in: "f(1)\nf(2)\n", line: 2, of: "f")?.arguments, "2")
        expect(SourceCall(in: "f(1)\nf(2)\n", line: 3, of: "f") == nil)
        expect(SourceCall(in: "f(1)", line: 9, of: "f") == nil)
    }

    @Test("A call is not found within a longer name, or without parentheses or a closure after its name")
    func names() {
        expectEqual(SourceCall(in: "off(1); f_(2); f(3)", line: 1, of: "f")?.arguments, "3")
        expect(SourceCall(in: "f; f + 1", line: 1, of: "f") == nil)
        expect(SourceCall(in: "f // f(1)\n\"f(2)\"", line: 1, of: "f") == nil)
        expectEqual(SourceCall(in: "/**/f(1)", line: 1, of: "f")?.arguments, "1")
        expectEqual(SourceCall(in: "a/**/f(1)", line: 1, of: "f")?.arguments, "1")
        expectEqual(SourceCall(in: "f(1)\nf(2)", line: 0, of: "f")?.arguments, "1")
        expect(SourceCall(in: "f(1", line: 1, of: "f") == nil)
    }

    @Test("Trailing closures belong to a call, the first without a label, the others with one")
    func closures() throws {
        let call = try #require(SourceCall(in: "f(1) { a } b: { c } d: { e } f: 7", line: 1, of: "f"))
        expectEqual(call.closures, "{ a } b: { c } d: { e }")
        expectEqual(call.lastClosure, "{ e }")
        expectEqual(call.arguments, "1")
        let plain = try #require(SourceCall(in: "f(1); g { a }", line: 1, of: "f"))
        expectEqual(plain.closures, "")
        expectEqual(plain.lastClosure, "")
        expectEqual(plain.last(), "1")
        let labelled = try #require(SourceCall(in: "f(1) b: { c }", line: 1, of: "f"))
        expectEqual(labelled.closures, "")
    }

    @Test("An argument is found by the label before its colon, and its value is trimmed")
    func labels() throws {
        let call = try #require(SourceCall(in: "f(\n  ab: 1,\n  a: x(a: 2) ,\n  a : 3,\n  c:\n)", line: 1, of: "f"))
        expectEqual(call.argument("a"), "x(a: 2)")
        expectEqual(call.argument("ab"), "1")
        expect(call.argument("c") == nil)
        expect(call.argument("b") == nil)
    }

    @Test("Removing one of the arguments leaves the others, trimmed")
    func without() throws {
        let one = try #require(SourceCall(in: "f( a: 1 )", line: 1, of: "f"))
        expectEqual(one.arguments(without: "a"), "")
        let two = try #require(SourceCall(in: "f(\n a: 1,\n b: 2\n)", line: 1, of: "f"))
        expectEqual(two.arguments(without: "b"), "a: 1")
        expectEqual(two.arguments(without: "a"), "b: 2")
        expectEqual(two.arguments(without: "c"), two.arguments)
    }

    @Test("A call without arguments has one empty argument, and commas in strings, brackets and comments do not separate")
    func lists() throws {
        try expectEqual(#require(SourceCall(in: "f()", line: 1, of: "f")).list, [""])
        try expectEqual(#require(SourceCall(in: "f(a, b)", line: 1, of: "f")).list, ["a", " b"])
        try expectEqual(#require(SourceCall(in: "f({ a, b }, (c, d), [e, f], /* , */ g)", line: 1, of: "f")).list.count, 4)
    }

    @Test("A title that is a raw, interpolated or multi-line literal matches any title")
    func titles() {
        func finds(_ argument: String) -> Bool { SourceCall(in: "f(\(argument))", line: 1, of: "f", title: "a") != nil }
        expect(finds(#""a""#))
        expect(finds(#" "\u{61}" "#))
        expect(!finds(#""b""#))
        expect(!finds(#""ab""#))
        expect(finds(#""\(b)""#))
        expect(finds("\"\"\"\nb\n\"\"\""))
        expect(finds("b"))
    }

    @Test("A file that cannot be read has no calls, and one that can has those from the line on")
    func files() {
        func call() -> SourceCall? { SourceCall(in: #filePath, at: #line, of: "SourceCall") }
        expectEqual(call()?.arguments, "in: #filePath, at: #line, of: \"SourceCall\"")
        expect(SourceCall(in: "/nowhere", at: 1, of: "SourceCall") == nil)
    }

    @Test("All calls are found, with closures or parentheses, and none inside the parentheses of another")
    func more() {
        let calls = SourceCall.all(of: "f", in: "f(f(1)) f { f(2) } ff(3) f(4)\nf (5) /* f(6) */ f")
        expectEqual(calls.map(\.arguments), ["f(1)", "", "2", "4", "5"])
    }
}
