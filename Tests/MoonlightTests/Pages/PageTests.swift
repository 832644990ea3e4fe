import Foundation
import Testing

/// The pages and their tests.
private enum Pages {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let modules = [
        "Streams", "StreamLimits", "Moonlight", "MoonlightTesting", "MoonlightExploration", "MoonlightDurability",
        "MoonlightRecording", "MoonlightRecordingTesting", "MoonPresentation", "MoonPresentationTesting",
    ]
    /// Not MoonFoundation, whose one page has its own test, nor Extending, which `.ci/follow` follows.
    static let texts = files(in: modules.map { "Sources/\($0)/\($0).docc" }, ending: ".md")
        .merging(["Readme": root.appendingPathComponent("README.md")]) { $1 }
    static let tests = files(in: modules.map { "Tests/\($0)Tests/Pages" }, ending: "Page.swift")

    /// The files of some folders by their names without an ending.
    private static func files(in folders: [String], ending: String) -> [String: URL] {
        let found = folders.map(root.appendingPathComponent).flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(ending) }
                .map { (String($0.dropLast(ending.count)), folder.appendingPathComponent($0)) }
        }
        return Dictionary(found) { first, _ in first }
    }

    /// The blocks of Swift on a page. Not a package's manifest, which `.ci/follow` builds.
    static func blocks(of page: String) throws -> [String] {
        let text = try String(contentsOf: #require(texts[page]), encoding: .utf8)
        return text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
            .filter { !$0.contains(".package(") }
    }
}

/// Each block of Swift on a page of the documentation, `X.md`, is in the `XPage.swift` of a test target, word for word, where it
/// is compiled and tested.
@Suite("Pages of the documentation")
struct PageTests {
    @Test("Every page with code has a test, and every test a page")
    func names() throws {
        // Some pages have no code, such as the front page.
        let written = Set(try Pages.texts.keys.filter { try !Pages.blocks(of: $0).isEmpty })
        #expect(written.subtracting(Pages.tests.keys) == [])
        #expect(Set(Pages.tests.keys).subtracting(written) == [])
        #expect(written.count >= 20)
    }

    @Test("Each block of Swift on a page is compiled and run", arguments: Pages.tests.keys.sorted())
    func blocks(_ page: String) throws {
        let code = Self.words(try String(contentsOf: #require(Pages.tests[page]), encoding: .utf8))
        for block in try Pages.blocks(of: page) {
            let isThere = code.contains(Self.words(block))
            #expect(isThere, "not in \(page)Page.swift:\n\(block)")
        }
    }

    /// The text without whitespace, imports, and the modifiers that make it private to a test or a member of one.
    private static func words(_ text: String) -> String {
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("import ") && !$0.hasPrefix("@testable import ") }
        return ["@main", "fileprivate ", "private ", "static "]
            .reduce(lines.joined(separator: "\n")) { $0.replacingOccurrences(of: $1, with: "") }
            .filter { !$0.isWhitespace }
    }
}
