import Foundation
import Testing

@testable import MoonlightRecording

/// The folder for the pages of `.ci/look-recording`; nil in other runs.
private let folderOfPages = ProcessInfo.processInfo.environment["MOONLIGHT_PAGES"].map { URL(filePath: $0) }

/// Writes the pages that `.ci/look-recording` inspects.
@Suite("Recording: pages in files")
struct PageFilesTests {
    @Test("A page with all kinds of steps, and one of 100,000 records, are written to files", .enabled(if: folderOfPages != nil))
    func write() throws {
        let folder = try #require(folderOfPages)
        let small = Stage(hasFeedback: true).send(.typed("mo"), .search, .stamp, .watch("tea"), .logIn("token", pin: 4711))
        small.price(101).answer(.success(["moon", "moonlight"])).send(.note("a", count: 1), .note("b", count: -1), .remind(1))
        small.pass(.seconds(2)).send(.pay("4111"), .unwatch, .search).answer(.failure(.busy(3)))
        small.end()
        try small.recording.page().write(to: folder.appending(path: "small.html"), atomically: true, encoding: .utf8)

        let large = Stage(keeping: .last(100_000))
        for count in 1...50_000 {
            switch count % 5 {
            case 0: large.send(.typed("text \(count % 977)"))
            case 1: large.send(.logIn("token \(count % 11)", pin: count % 9999))
            case 2: large.send(.pay("card \(count % 31)"))
            default: large.send(.note("note \(count % 53)", count: count % 7))
            }
            if count % 10_000 == 0 { large.send(.typed("")).recording.flush() }
        }
        large.end()
        try large.recording.page().write(to: folder.appending(path: "large.html"), atomically: true, encoding: .utf8)
    }
}
