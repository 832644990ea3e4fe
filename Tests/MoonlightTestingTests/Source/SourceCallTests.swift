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
}
