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

/// The pages of the documentation say nothing that does not run: each block of Swift in `X.md` stands, line for line, in
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
        let lines = Self.lines(code)
        let blocks = Self.blocks(in: text)
        #expect(!blocks.isEmpty)
        for block in blocks {
            let isThere = Self.contains(lines, block)
            #expect(isThere, "not in \(page)Page.swift:\n\(block.joined(separator: "\n"))")
        }
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static func blocks(in text: String) -> [[String]] {
        var (blocks, block): ([[String]], [String]?) = ([], nil)
        for line in lines(text) {
            if block != nil, line == "```" {
                blocks.append(block ?? [])
                block = nil
            } else if block != nil {
                block?.append(line)
            } else if line == "```swift" {
                block = []
            }
        }
        return blocks
    }

    /// Whether a block stands in a text, indented by whatever.
    private static func contains(_ lines: [String], _ block: [String]) -> Bool {
        guard let first = block.first, lines.count >= block.count else { return false }
        return (0...(lines.count - block.count)).contains { start in
            guard lines[start].hasSuffix(first) else { return false }
            let indent = String(lines[start].dropLast(first.count))
            guard indent.allSatisfy({ $0 == " " }) else { return false }
            return zip(lines[start...], block).allSatisfy { $0 == ($1.isEmpty ? "" : indent + $1) }
        }
    }
}
