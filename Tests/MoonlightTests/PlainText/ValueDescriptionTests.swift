import MoonlightTestSupport
import Testing

@testable import PlainText

@Suite("Value descriptions")
struct ValueDescriptionTests {
    private indirect enum Nest {
        case end
        case more(Nest)
    }
    private struct Box { var content: [Any] }

    /// A text inside a number of nested pairs.
    private func nested(_ count: Int, _ open: String, _ text: String, _ close: String) -> String {
        String(repeating: open, count: count) + text + String(repeating: close, count: count)
    }

    @Test("The description contains 64 levels, including payloads of cases and elements")
    func depth() {
        func nest(_ count: Int) -> Nest { (0..<count).reduce(.end) { nest, _ in .more(nest) } }
        expectEqual(ValueDescription.of(nest(63)), nested(63, "more(", "end", ")"))
        expectEqual(ValueDescription.of(nest(64)), nested(64, "more(", "…", ")"))
        func list(_ count: Int) -> Any { (0..<count).reduce(0 as Any) { list, _ in [list] } }
        expectEqual(ValueDescription.of(list(63)), nested(63, "[", "0", "]"))
        expectEqual(ValueDescription.of(list(64)), nested(64, "[", "…", "]"))
        func box(_ count: Int) -> Any { (0..<count).reduce(0 as Any) { box, _ in Box(content: [box]) } }
        expectEqual(ValueDescription.of(box(31)), nested(31, "Box(content: [", "0", "])"))
        expectEqual(ValueDescription.of(box(32)), nested(32, "Box(content: [", "…", "])"))
    }

    @Test("The description of a set or a dictionary has its parts in a stable order")
    func sorted() {
        let numbers = 10..<30
        let texts = numbers.map { "\($0)" }
        expectEqual(ValueDescription.of(Set(numbers)), "[" + texts.joined(separator: ", ") + "]")
        let entries = texts.map { $0 + ": true" }
        expectEqual(
            ValueDescription.of(Dictionary(uniqueKeysWithValues: numbers.map { ($0, true) })),
            "[" + entries.joined(separator: ", ") + "]")
    }
}
