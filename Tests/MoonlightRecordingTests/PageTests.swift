import Foundation
import MoonlightTestSupport
import Testing

@testable import MoonlightRecording

@Suite("The page of a recording")
struct PageTests {
    private let content = PageContent(
        title: "till <1> & more", start: nil,
        state: .node(.structure, "Till", [.init("total", .leaf("0")), .init("user", .leaf("\"</script>\""))]),
        steps: [
            step(5, .event, "add(1)", time: 1_500_000),
            step(
                6, .effect, "added(1)", child: "cart", cause: 5, time: 1_700_000,
                changes: [
                    .init(["total"], .leaf("1")), .init(["user"], nil), .init([], .node(.structure, "Till", [])),
                ]),
            step(9, .note, "add(1)", child: "cart", time: 2_000_000_000),
        ])

    private static func step(
        _ number: Int, _ kind: StepKind, _ text: String, child: String = "", cause: Int? = nil, time: Int,
        changes: [TreeChange] = []
    ) -> StepRecord {
        var step = StepRecord()
        step.number = number
        step.kind = kind
        step.text = text
        step.child = child
        step.cause = cause
        step.time = time
        step.changes = changes
        return step
    }

    private func object() throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(content.json().utf8))
        return try #require(object as? [String: Any])
    }

    private func numbers(_ key: String) throws -> [Int]? { try object()[key] as? [Int] }

    private func strings() throws -> [String] { try object()["strings"] as? [String] ?? [] }

    private func column(_ key: String) throws -> [Int] { try numbers(key) ?? [] }

    @Test("Each property of the steps is a column, and numbers and times are differences")
    func columns() throws {
        try expectEqual(numbers("n"), [5, 1, 3])
        try expectEqual(numbers("k"), [0, 1, 8])
        try expectEqual(numbers("c"), [0, 1, 0])
        try expectEqual(numbers("a"), [1_500, 200, 1_998_300])
        try expect(object()["v"] as? Int == 1)
        try expect(object()["title"] as? String == "till <1> & more")
        try expect(object()["start"] is NSNull)
    }

    @Test("A text is in the page once, and referenced by its index")
    func table() throws {
        let strings = try strings()
        expectEqual(Set(strings).count, strings.count)
        try expectEqual(column("t").map { strings[$0] }, ["add(1)", "added(1)", "add(1)"])
        try expectEqual(column("l").map { $0 == 0 ? nil : strings[$0 - 1] }, [nil, "cart", "cart"])
    }

    @Test("Texts that differ only in their code points are two texts of the page")
    func forms() throws {
        let texts = ["caf\u{e9}", "cafe\u{301}"]
        let steps = texts.enumerated().map { Self.step($0.offset + 1, .event, $0.element, time: 0) }
        let json = PageContent(title: "", start: nil, state: .leaf(""), steps: steps).json()
        for text in texts { expect(Array(json.utf8).contains(Array(text.utf8)), "\(json)") }
    }

    @Test("A state is its type and its parts, a change is a path and a value, and a removed value is null")
    func changes() throws {
        let strings = try strings()
        let object = try object()
        let state = try #require(object["state"] as? [Any])
        expectEqual(strings[try #require(state[0] as? Int)], "Till")
        expectEqual((state[1] as? [Int])?.map { strings[$0] }, ["total", "0", "user", "\"</script>\""])
        let differences = try #require(object["d"] as? [Any])
        expectEqual(differences.count, 3)
        expect(differences[0] as? Int == 0)
        let changes = try #require(differences[1] as? [Any])
        expectEqual(changes.count, 6)
        expectEqual((changes[0] as? [Int])?.map { strings[$0] }, ["total"])
        expectEqual((changes[1] as? Int).map { strings[$0] }, "1")
        expectEqual((changes[2] as? [Int])?.map { strings[$0] }, ["user"])
        expect(changes[3] is NSNull)
        expect((changes[4] as? [Int]) == [])
        expectEqual((changes[5] as? [Any])?.count, 2)
    }

    @Test("A text cannot end the script around it, and the title is escaped")
    func escaping() {
        expect(!content.json().contains("<"))
        expect(content.json().contains(#"\u003c/script>"#))
        let html = content.html()
        expect(html.contains("<title>till &lt;1&gt; &amp; more</title>"))
        expectEqual(html.components(separatedBy: "</script>").count, 3)
    }

    @Test("Control characters and quotes of a text are read back unchanged")
    func quoting() throws {
        let text = "\"\\\n\t\r\u{1}\u{7F}\u{2028}<é🙂"
        let json = PageContent(title: text, state: .leaf(""), steps: []).json()
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        expect(object?["title"] as? String == text)
        expect(json.contains(#"\n\t\r\u0001\u007f\u2028\u003c"#))
    }

    @Test("A page with updates may connect to its own server only, and contains the path")
    func updates() {
        let html = content.html(updates: "a\"<b")
        expect(html.contains(#"id="data" data-updates="a&quot;&lt;b">"#))
        expect(html.contains("script-src 'unsafe-inline'; connect-src 'self'\">"))
        expect(!content.html().contains("connect-src"))
        expect(!content.html().contains("data-updates="))
    }

    @Test("A page contains no address, and loads nothing")
    func alone() {
        let html = content.html()
        for scheme in ["http:", "https:", "//www", "src=", "url("] { #expect(!html.contains(scheme)) }
        expect(html.contains("default-src 'none'"))
    }
}
