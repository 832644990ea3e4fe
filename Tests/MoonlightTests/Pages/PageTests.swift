import Foundation
import Testing

/// Where pages and their tests are.
private enum Pages {
    static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    static let texts = tests.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/Moonlight/Moonlight.docc")

    /// The pages that have a test.
    static var tested: [String] { (try? names(in: tests, ending: "Page.swift"))?.sorted() ?? [] }

    static func names(in folder: URL, ending: String) throws -> Set<String> {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return Set(files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) })
    }
}

/// The pages of the documentation say nothing that does not run: each block of Swift in `X.md` stands, word for word, in
/// `XPage.swift` beside this file, which is compiled and tested.
@Suite("Pages")
struct PageTests {
    @Test("every page has its test, and every test its page")
    func names() throws {
        // Some pages have no code: the front page, for one.
        let written = try Pages.names(in: Pages.texts, ending: ".md").filter { name in
            try String(contentsOf: Pages.texts.appendingPathComponent("\(name).md"), encoding: .utf8).contains("```swift")
        }
        let tested = Set(Pages.tested)
        #expect(written.subtracting(tested) == [])
        #expect(tested.subtracting(written) == [])
        #expect(written.count >= 8)
    }

    @Test(
        "each block of Swift on a page is compiled and run",
        arguments: Pages.tested)
    func blocks(_ page: String) throws {
        let text = try String(contentsOf: Pages.texts.appendingPathComponent("\(page).md"), encoding: .utf8)
        let code = try String(contentsOf: Pages.tests.appendingPathComponent("\(page)Page.swift"), encoding: .utf8)
        let words = Self.words(code)
        let blocks = Self.blocks(in: text)
        #expect(!blocks.isEmpty)
        for block in blocks {
            let isThere = words.contains(Self.words(block))
            #expect(isThere, "not in \(page)Page.swift:\n\(block)")
        }
    }

    private static func blocks(in text: String) -> [String] {
        text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    /// The text, however it is laid out, and whatever is private to a test or a member of one.
    private static func words(_ text: String) -> String {
        ["private ", "static "].reduce(text) { $0.replacingOccurrences(of: $1, with: "") }.filter { !$0.isWhitespace }
    }
}
