import Foundation
import Testing

@testable import MoonlightRecording

@Suite("The page of a recording")
struct PageTests {
    private let content = PageContent(
        title: "till <1> & more", start: nil,
        state: .node("Till", [("total", .leaf("0")), ("user", .leaf("\"</script>\""))]),
        steps: [
            .init(number: 5, kind: .event, text: "add(1)", time: .microseconds(1_500)),
            .init(
                number: 6, kind: .effect, child: "cart", text: "added(1)", cause: 5, time: .microseconds(1_700),
                changes: [
                    .init(path: ["total"], value: .leaf("1")), .init(path: ["user"], value: nil),
                    .init(path: [], value: .node("Till", [])),
                ]),
            .init(number: 9, kind: .note, child: "cart", text: "add(1)", time: .seconds(2)),
        ])

    private func object() throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(content.json().utf8))
        return try #require(object as? [String: Any])
    }

    private func numbers(_ key: String) throws -> [Int]? { try object()[key] as? [Int] }

    private func strings() throws -> [String] { try object()["strings"] as? [String] ?? [] }

    private func column(_ key: String) throws -> [Int] { try numbers(key) ?? [] }

    @Test("each property of the steps is a column; numbers and times are differences")
    func columns() throws {
        #expect(try numbers("n") == [5, 1, 3])
        #expect(try numbers("k") == [0, 1, 8])
        #expect(try numbers("c") == [0, 1, 0])
        #expect(try numbers("a") == [1_500, 200, 1_998_300])
        #expect(try object()["v"] as? Int == 1)
        #expect(try object()["title"] as? String == "till <1> & more")
        #expect(try object()["start"] is NSNull)
    }

    @Test("a text is there once, and its index wherever it is used")
    func table() throws {
        let strings = try strings()
        #expect(Set(strings).count == strings.count)
        #expect(try column("t").map { strings[$0] } == ["add(1)", "added(1)", "add(1)"])
        #expect(try column("l").map { $0 == 0 ? nil : strings[$0 - 1] } == [nil, "cart", "cart"])
    }

    @Test("a state is its type and its parts, a change a path and a value, and what is gone is null")
    func changes() throws {
        let strings = try strings()
        let object = try object()
        let state = try #require(object["state"] as? [Any])
        #expect(strings[try #require(state[0] as? Int)] == "Till")
        #expect((state[1] as? [Int])?.map { strings[$0] } == ["total", "0", "user", "\"</script>\""])
        let differences = try #require(object["d"] as? [Any])
        #expect(differences.count == 3)
        #expect(differences[0] as? Int == 0)
        let changes = try #require(differences[1] as? [Any])
        #expect(changes.count == 6)
        #expect((changes[0] as? [Int])?.map { strings[$0] } == ["total"])
        #expect((changes[1] as? Int).map { strings[$0] } == "1")
        #expect((changes[2] as? [Int])?.map { strings[$0] } == ["user"])
        #expect(changes[3] is NSNull)
        #expect((changes[4] as? [Int]) == [])
        #expect((changes[5] as? [Any])?.count == 2)
    }

    @Test("no text can end the script that it stands in, and the title is a title")
    func escaping() {
        #expect(!content.json().contains("<"))
        #expect(content.json().contains(#"\u003c/script>"#))
        let html = content.html()
        #expect(html.contains("<title>till &lt;1&gt; &amp; more</title>"))
        #expect(html.components(separatedBy: "</script>").count == 3)
    }

    @Test("control characters and quotes of a text come back as they were")
    func quoting() throws {
        let text = "\"\\\n\t\r\u{1}\u{7F}\u{2028}<é🙂"
        let json = PageContent(title: text, state: .leaf(""), steps: []).json()
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect(object?["title"] as? String == text)
        #expect(json.contains(#"\n\u0009\u000d\u0001\u007f\u2028\u003c"#))
    }

    @Test("a page that is kept up to date may ask its own server, and names the place")
    func updates() {
        let html = content.html(updates: "a\"<b")
        #expect(html.contains(#"id="data" data-updates="a&quot;&lt;b">"#))
        #expect(html.contains("script-src 'unsafe-inline'; connect-src 'self'\">"))
        #expect(!content.html().contains("connect-src"))
        #expect(!content.html().contains("data-updates="))
    }

    @Test("the page names no address, and lets nothing be loaded")
    func alone() {
        let html = content.html()
        for scheme in ["http:", "https:", "//www", "src=", "url("] { #expect(!html.contains(scheme)) }
        #expect(html.contains("default-src 'none'"))
    }
}
