import MoonlightTesting
import Testing

@Suite("Calls in a source file")
struct SourceCallTests {
    @Test("calls are found in order; those in comments, strings, longer names and other calls are not")
    func all() {
        let text = "call(1) // call(2)\nrecall(3); call { a }; \"call(4)\"; call(call(5)); call"
        let calls = SourceCall.all(of: "call", in: text)
        #expect(calls.map(\.arguments) == ["1", "", "call(5)"])
        #expect(calls.map(\.closures) == ["", "{ a }", ""])
    }

    @Test("arguments are told apart by the commas that are in no bracket and no string")
    func list() throws {
        let call = try #require(SourceCall(in: #"f(a, g(b, c), "d, e", [f, g], h: i )"#, line: 1, of: "f"))
        #expect(call.list == ["a", " g(b, c)", #" "d, e""#, " [f, g]", " h: i "])
        #expect(call.argument("h") == "i")
        #expect(call.argument("a") == nil)
        #expect(call.arguments(without: "h") == #"a, g(b, c), "d, e", [f, g]"#)
        #expect(call.arguments(without: "x") == call.arguments)
        #expect(call.last(label: "h") == "i ")
        #expect(call.last() == "h: i ")
    }

    @Test("a call is found by its title, or by a title that is no literal")
    func title() throws {
        let text = #"f("a"); f("b", 2); f("c") { x } then: { y }"#
        #expect(SourceCall(in: text, line: 1, of: "f", title: "b")?.arguments == #""b", 2"#)
        #expect(SourceCall(in: text, line: 1, of: "f", title: "z") == nil)
        #expect(SourceCall(in: "f(name)", line: 1, of: "f", title: "z")?.arguments == "name")
        let last = try #require(SourceCall(in: text, line: 1, of: "f", title: "c"))
        #expect(last.closures == "{ x } then: { y }")
        #expect(last.lastClosure == "{ y }")
        #expect(last.last() == "{ y }")
    }

    @Test("a call is looked for from its line on")
    func line() {
        #expect(SourceCall(in: "f(1)\nf(2)\n", line: 2, of: "f")?.arguments == "2")
        #expect(SourceCall(in: "f(1)\nf(2)\n", line: 3, of: "f") == nil)
        #expect(SourceCall(in: "f(1)", line: 9, of: "f") == nil)
    }

    @Test("a call is no part of a longer name, and needs parentheses or a closure behind its name")
    func names() {
        #expect(SourceCall(in: "off(1); f_(2); f(3)", line: 1, of: "f")?.arguments == "3")
        #expect(SourceCall(in: "f; f + 1", line: 1, of: "f") == nil)
        #expect(SourceCall(in: "f // f(1)\n\"f(2)\"", line: 1, of: "f") == nil)
        #expect(SourceCall(in: "/**/f(1)", line: 1, of: "f")?.arguments == "1")
        #expect(SourceCall(in: "a/**/f(1)", line: 1, of: "f")?.arguments == "1")
        #expect(SourceCall(in: "f(1)\nf(2)", line: 0, of: "f")?.arguments == "1")
        #expect(SourceCall(in: "f(1", line: 1, of: "f") == nil)
    }

    @Test("closures behind a call belong to it, the first without a label, the others with one")
    func closures() throws {
        let call = try #require(SourceCall(in: "f(1) { a } b: { c } d: { e } f: 7", line: 1, of: "f"))
        #expect(call.closures == "{ a } b: { c } d: { e }")
        #expect(call.lastClosure == "{ e }")
        #expect(call.arguments == "1")
        let plain = try #require(SourceCall(in: "f(1); g { a }", line: 1, of: "f"))
        #expect(plain.closures == "")
        #expect(plain.lastClosure == "")
        #expect(plain.last() == "1")
        let labelled = try #require(SourceCall(in: "f(1) b: { c }", line: 1, of: "f"))
        #expect(labelled.closures == "")
    }

    @Test("an argument has the label that stands before its colon, and its value no blanks around it")
    func labels() throws {
        let call = try #require(SourceCall(in: "f(\n  ab: 1,\n  a: x(a: 2) ,\n  a : 3,\n  c:\n)", line: 1, of: "f"))
        #expect(call.argument("a") == "x(a: 2)")
        #expect(call.argument("ab") == "1")
        #expect(call.argument("c") == nil)
        #expect(call.argument("b") == nil)
    }

    @Test("without its only or its last argument, a call has nothing but what is left, without blanks around it")
    func without() throws {
        let one = try #require(SourceCall(in: "f( a: 1 )", line: 1, of: "f"))
        #expect(one.arguments(without: "a") == "")
        let two = try #require(SourceCall(in: "f(\n a: 1,\n b: 2\n)", line: 1, of: "f"))
        #expect(two.arguments(without: "b") == "a: 1")
        #expect(two.arguments(without: "a") == "b: 2")
        #expect(two.arguments(without: "c") == two.arguments)
    }

    @Test("a call without arguments has one that is empty, and strings and brackets hold no commas that count")
    func lists() throws {
        #expect(try #require(SourceCall(in: "f()", line: 1, of: "f")).list == [""])
        #expect(try #require(SourceCall(in: "f(a, b)", line: 1, of: "f")).list == ["a", " b"])
        #expect(try #require(SourceCall(in: "f({ a, b }, (c, d), [e, f], /* , */ g)", line: 1, of: "f")).list.count == 4)
    }

    @Test("a title is a plain literal: a longer, raw or interpolated one may be any")
    func titles() {
        func finds(_ argument: String) -> Bool { SourceCall(in: "f(\(argument))", line: 1, of: "f", title: "a") != nil }
        #expect(finds(#""a""#))
        #expect(finds(#" "\u{61}" "#))
        #expect(!finds(#""b""#))
        #expect(!finds(#""ab""#))
        #expect(finds(#""\(b)""#))
        #expect(finds("\"\"\"\nb\n\"\"\""))
        #expect(finds("b"))
    }

    @Test("a file that cannot be read has no calls; one that can has those behind the line")
    func files() {
        func call() -> SourceCall? { SourceCall(at: SourcePlace(line: #line), of: "SourcePlace") }
        #expect(call()?.arguments == "line: #line")
        #expect(SourceCall(at: SourcePlace(file: "/nowhere"), of: "SourcePlace") == nil)
    }

    @Test("all calls are found, with closures or parentheses, and none inside the parentheses of another")
    func more() {
        let calls = SourceCall.all(of: "f", in: "f(f(1)) f { f(2) } ff(3) f(4)\nf (5) /* f(6) */ f")
        #expect(calls.map(\.arguments) == ["f(1)", "", "2", "4", "5"])
    }
}
