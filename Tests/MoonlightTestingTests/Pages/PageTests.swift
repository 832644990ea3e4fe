import Foundation
import Testing

/// Checks that the code of the documentation compiles and runs: each Swift block of `X.md` is in `XPage.swift`, line for
/// line.
@Suite("Pages")
struct PageTests {
    private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let pages = here.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/MoonlightTesting/MoonlightTesting.docc")

    @Test(
        "Each Swift block of a page is in a file that is compiled and run",
        arguments: ["Plans"])
    func blocks(_ page: String) throws {
        let text = try String(contentsOf: Self.pages.appendingPathComponent("\(page).md"), encoding: .utf8)
        let code = try String(contentsOf: Self.here.appendingPathComponent("\(page)Page.swift"), encoding: .utf8)
        let lines = Self.lines(code)
        let blocks = Self.blocks(in: text)
        #expect(!blocks.isEmpty)
        for block in blocks {
            #expect(Self.contains(lines, block), "not in \(page)Page.swift:\n\(block.joined(separator: "\n"))")
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

    /// Returns whether a text contains a block, with any indentation.
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
