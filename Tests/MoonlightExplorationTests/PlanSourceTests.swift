import Testing

@testable import MoonlightExploration
@testable import MoonlightTesting

@Suite("Exploration: the source of a plan")
struct PlanSourceTests {
    private let text = """
        // Calls, as a test writes them.
        let a = explore(search, given: Search(text: "a \\") b")) { World(find: $0.async(find)) }  // }
            .always("it holds") { state in
                // A brace in a comment: }
                state.text != "}"
            }
            .never("it is so", { $0.isLost })
            .eventually("it ends", after: { $0 == 1 }, until: isOver)
        """

    @Test("a call is read with its arguments and its closure, past brackets in strings and comments")
    func call() {
        let call = SourceCall(in: text, line: 2, of: "explore")
        #expect(call?.arguments == #"search, given: Search(text: "a \") b")"#)
        #expect(call?.closures == "{ World(find: $0.async(find)) }")
        let property = SourceCall(in: text, line: 3, of: "always")
        #expect(property?.last().hasSuffix("state.text != \"}\"\n    }") == true)
    }

    @Test("an argument is read where there is no closure behind the parentheses")
    func argument() {
        #expect(SourceCall(in: text, line: 7, of: "never")?.last() == "{ $0.isLost }")
        #expect(SourceCall(in: text, line: 8, of: "eventually")?.last(label: "until") == "isOver")
    }

    @Test("a place where something else stands is none")
    func elsewhere() {
        #expect(SourceCall(in: text, line: 3, of: "explore") == nil)
        #expect(SourceCall(in: text, line: 1, of: "plore") == nil)
        #expect(SourceCall(in: text, line: 99, of: "explore") == nil)
    }

    @Test("a call that a macro has put on an earlier line is found by its name and title")
    func moved() {
        #expect(SourceCall(in: text, line: 1, of: "explore") != nil)
        #expect(SourceCall(in: text, line: 1, of: "never", title: "it is so") != nil)
        #expect(SourceCall(in: text, line: 1, of: "never", title: "it holds") == nil)
    }

    @Test("a title may hold quotation marks and escapes, and strings may be raw or hold code")
    func titles() {
        let text = #"""
            .always("it's \"so\"\n\u{41}") { $0 }
            .always(title) { $0.count > 1 }
            .always(#"a \") { "#) { "\($0.map { "}" }.joined(separator: ")"))" == /* } /* } */ */ "" }
            """#
        #expect(SourceCall(in: text, line: 1, of: "always", title: "it's \"so\"\nA")?.last() == "{ $0 }")
        #expect(SourceCall(in: text, line: 1, of: "always", title: "of the constant")?.last() == "{ $0.count > 1 }")
        #expect(
            SourceCall(in: text, line: 3, of: "always")?.last()
                == #"{ "\($0.map { "}" }.joined(separator: ")"))" == /* } /* } */ */ "" }"#)
    }

    @Test("closures with labels belong to the call, and the last one is the last argument")
    func labelledClosures() {
        let text = """
            Exploration(r, given: f(1, 2)) { $0.feedback } environment: { World($0) }
                .eventually("it ends") { $0.began } until: { $0.ended }
            """
        #expect(SourceCall(in: text, line: 1, of: "Exploration")?.closures == "{ $0.feedback } environment: { World($0) }")
        #expect(SourceCall(in: text, line: 1, of: "eventually", title: "it ends")?.last(label: "until") == "{ $0.ended }")
    }

    @Test("the lines of a closure keep their shape where the plan puts it")
    func indentation() {
        #expect(
            "{ state in\n            a {\n\n                b\n        }".indented(by: 4)
                == "{ state in\n        a {\n\n            b\n    }")
        #expect("{ $0 }".indented(by: 4) == "{ $0 }")
    }

    @Test("an argument can be left out")
    func withoutArgument() {
        let call = SourceCall(in: "e(r, given: f(key: 1, 2), key: { [$0.a, $0.b] }, feedback: nil)", line: 1, of: "e")
        #expect(call?.arguments(without: "key") == "r, given: f(key: 1, 2), feedback: nil")
        #expect(call?.arguments(without: "nothing") == call?.arguments)
    }
}
