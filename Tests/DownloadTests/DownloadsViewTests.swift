import MoonPresentation
import Moonlight
import MoonlightTestSupport
import SampleSupport
import Testing

@testable import DownloadSample

@Suite("Download: the view")
struct DownloadsViewTests {
    private static let state: Downloads = {
        var state = Downloads()
        let downloads: [Download?] = [
            .completed(bytes: 12_345_678), .running(DownloadSample.Progress(received: 500, total: 1000)),
            .running(DownloadSample.Progress(received: 2000)),
            .starting, .failed(.source("404 Not Found")), nil,
        ]
        for (number, download) in downloads.enumerated() {
            state.files.append(
                Item(id: "file-\(number)", source: .file("/"), download: download.map { Slot($0) } ?? Slot()))
        }
        state.selected = "file-1"
        return state
    }()

    private func rows(columns: Int = 60, rows: Int, notes: [String] = []) -> [String] {
        var presentation = Presentation<DownloadsEvent>()
        let size = Size(columns: columns, rows: rows)
        return presentation.frame(size) { $0.add(DownloadsView(state: Self.state).body(in: size, notes: notes)) }.rows
    }

    @Test("The view with enough room shows each file and its progress")
    func roomy() {
        expectEqual(
            rows(rows: 9),
            [
                "Downloads  files: failed 1 ok, 3 busy, 1 missing, 1 failed", "",
                "  file-0  done, 12.3 MB",
                "> file-1  ━━━━━━━━━━━━────────────  50 %  of 1.0 kB",
                "  file-2  2.0 kB", "  file-3  starting", "  file-4  404 Not Found", "  file-5  waiting",
                "↑/↓ select  x cancel  r retry  d remove  q quit",
            ])
    }

    @Test("Notes are shown below the files, as many as there is room for")
    func notes() {
        expectEqual(rows(rows: 13, notes: ["one", "two", "three"]).suffix(2), ["two", "three"])
    }

    @Test("The selected file is visible in a low window", arguments: 1...13)
    func low(height: Int) {
        expect(rows(rows: height, notes: ["one"]).contains { $0.hasPrefix("> file-1") })
    }

    @Test("The progress of a file is visible in a window of any width", arguments: [20, 30, 40, 50, 60, 80, 200])
    func narrow(columns: Int) {
        expect(rows(columns: columns, rows: 9)[3].contains("50 %"))
    }

    @Test("Keys apply to the selected file, and without one only quitting has a key")
    func keys() {
        let keys = DownloadsView(state: Self.state).keys
        expectEqual(keys["x"], .send(.file("file-1", .cancel)))
        expectEqual(keys["R"], .send(.file("file-1", .retry)))
        expectEqual(keys["d"], .send(.remove("file-1")))
        expect(DownloadsView(state: Downloads()).keys["x"] == nil)
        for key in ["q", .control("d")] as [Key] { expectEqual(DownloadsView(state: Downloads()).keys[key], .quit) }
    }

    @Test("The summary has a line for each file")
    func summary() {
        expectEqual(DownloadsView(state: Self.state).summary.first, "file-0: done, 12.3 MB")
        expectEqual(DownloadsView(state: Self.state).summary.last, "file-5: not begun")
    }

    @Test(
        "Sizes are written with decimal units",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (999_949, "999.9 kB"),
            (1_000_000, "1.0 MB"), (2_500_000_000, "2.5 GB"), (.max, "9223372.0 TB"),
        ])
    func sizes(bytes: Int, text: String) {
        expectEqual(DownloadsView.size(bytes), text)
    }

    @Test("The picture of the downloads in the documentation is the frame of the terminal")
    func picture() throws {
        var presentation = Presentation<DownloadsEvent>()
        let size = Size(columns: 62, rows: 10)
        let frame = presentation.frame(size) { $0.add(DownloadsView(state: Self.state).body(in: size, notes: [])) }
        try frame.compare(to: "download")
        try frame.compareSVG(
            at: "../../Documentation/Samples/download.svg",
            title: "Six files: one is there, three are at work, one has failed, one waits; and the keys")
    }
}
