import MoonlightTestSupport
import SwiftText
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

    @Test("A call is read with its arguments and its closure, past brackets in strings and comments")
    func call() {
        let call = SourceCall(in: text, line: 2, of: "explore")
        expectEqual(call?.arguments, #"search, given: Search(text: "a \") b")"#)
        expectEqual(call?.closures, "{ World(find: $0.async(find)) }")
        let property = SourceCall(in: text, line: 3, of: "always")
        expectEqual(property?.last().hasSuffix("state.text != \"}\"\n    }"), true)
    }

    @Test("The last argument is read if no closure follows the parentheses")
    func argument() {
        expectEqual(SourceCall(in: text, line: 7, of: "never")?.last(), "{ $0.isLost }")
        expectEqual(SourceCall(in: text, line: 8, of: "eventually")?.last(label: "until"), "isOver")
    }

    @Test("A line without the call yields no call")
    func elsewhere() {
        expect(SourceCall(in: text, line: 3, of: "explore") == nil)
        expect(SourceCall(in: text, line: 1, of: "plore") == nil)
        expect(SourceCall(in: text, line: 99, of: "explore") == nil)
    }

    @Test("A call that a macro reports on an earlier line is found by its name and title")
    func moved() {
        expect(SourceCall(in: text, line: 1, of: "explore") != nil)
        expect(SourceCall(in: text, line: 1, of: "never", title: "it is so") != nil)
        expect(SourceCall(in: text, line: 1, of: "never", title: "it holds") == nil)
    }

    @Test("Titles with quotation marks and escapes, raw strings and strings with interpolations are read correctly")
    func titles() {
        let text = #"""
            .always("it's \"so\"\n\u{41}") { $0 }
            .always(title) { $0.count > 1 }
            .always(#"a \") { "#) { "\($0.map { "}" }.joined(separator: ")"))" == /* } /* } */ */ "" }
            """#
        expectEqual(SourceCall(in: text, line: 1, of: "always", title: "it's \"so\"\nA")?.last(), "{ $0 }")
        expectEqual(SourceCall(in: text, line: 1, of: "always", title: "of the constant")?.last(), "{ $0.count > 1 }")
        expectEqual(
            SourceCall(in: text, line: 3, of: "always")?.last(),
            #"{ "\($0.map { "}" }.joined(separator: ")"))" == /* } /* } */ */ "" }"#)
    }

    @Test("Closures with labels belong to the call, and the last one is the last argument")
    func labelledClosures() {
        let text = """
            Exploration(r, given: f(1, 2)) { $0.feedback } environment: { World($0) }
                .eventually("it ends") { $0.began } until: { $0.ended }
            """
        expectEqual(SourceCall(in: text, line: 1, of: "Exploration")?.closures, "{ $0.feedback } environment: { World($0) }")
        expectEqual(SourceCall(in: text, line: 1, of: "eventually", title: "it ends")?.last(label: "until"), "{ $0.ended }")
    }

    @Test("A call with type arguments is read, and not the next one")
    func typeArguments() {
        let text = """
            Exploration<[Int: String], (Int) -> Bool>(first) { _ in }
            Exploration(second)
            """
        expectEqual(SourceCall(in: text, line: 1, of: "Exploration")?.arguments, "first")
        expectEqual(SourceCall.all(of: "Exploration", in: text).map(\.arguments), ["first", "second"])
        let typed = "var other: Exploration<Int> { Exploration(second) }"
        expectEqual(SourceCall(in: typed, line: 1, of: "Exploration")?.arguments, "second")
        expectEqual(SourceCall(in: "explore<1 || explore(2)", line: 1, of: "explore")?.arguments, "2")
    }

    @Test("The lines of a closure keep their relative indentation in the plan")
    func indentation() {
        expectEqual(
            "{ state in\n            a {\n\n                b\n        }".indented(by: 4),
            "{ state in\n        a {\n\n            b\n    }")
        expectEqual("{ $0 }".indented(by: 4), "{ $0 }")
    }

    @Test("One argument of a call can be omitted")
    func withoutArgument() {
        let call = SourceCall(in: "e(r, given: f(key: 1, 2), key: { [$0.a, $0.b] }, feedback: nil)", line: 1, of: "e")
        expectEqual(call?.arguments(without: "key"), "r, given: f(key: 1, 2), feedback: nil")
        expectEqual(call?.arguments(without: "nothing"), call?.arguments)
    }
}
