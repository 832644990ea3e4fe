import Moonlight
import SampleTerminal
import Testing

@testable import DownloadSample

@Suite("The table of downloads")
struct TableTests {
    private static let state: Downloads = {
        var state = Downloads()
        let downloads: [Download?] = [
            .completed(bytes: 12_345_678), .running(Progress(received: 500, total: 1000)),
            .running(Progress(received: 2000)),
            .starting, .failed(.source("404 Not Found")), nil,
        ]
        for (number, download) in downloads.enumerated() {
            state.files.append(
                Item(id: "file-\(number)", source: .file("/"), download: download.map { Slot($0) } ?? Slot()))
        }
        state.selected = "file-1"
        return state
    }()

    private func texts(columns: Int, rows: Int, notes: [String] = []) -> [String] {
        Table(state: Self.state, notes: notes).rows(in: Size(columns: columns, rows: rows)).map(\.text)
    }

    @Test("With room, it shows each file and how far it is")
    func roomy() {
        #expect(
            texts(columns: 60, rows: 24) == [
                "Downloads  files: failed 1 ok, 3 busy, 1 missing, 1 failed", "",
                "  file-0  done, 12.3 MB",
                "> file-1  ━━━━━━━━━━━━────────────  50 %  of 1.0 kB",
                "  file-2  2.0 kB", "  file-3  starting", "  file-4  404 Not Found", "  file-5  waiting", "",
                "↑↓ select   x cancel   r retry   d remove   q quit",
            ])
    }

    @Test("Below it are notes, as many as there is room for")
    func notes() {
        let rows = texts(columns: 60, rows: 13, notes: ["one", "two", "three"])
        #expect(rows.count == 13)
        #expect(rows.suffix(3) == ["", "two", "three"])
    }

    @Test("In a low window the selected file remains", arguments: 1...13)
    func low(rows: Int) {
        let shown = texts(columns: 60, rows: rows, notes: ["one"])
        #expect(shown.count <= rows)
        #expect(shown.contains { $0.hasPrefix("> file-1") })
    }

    @Test("No row is made wider than it must be", arguments: [20, 30, 40, 50, 60, 80, 200])
    func narrow(columns: Int) {
        let bar = texts(columns: columns, rows: 24)[3]
        #expect(bar.columns <= max(columns, 21))
        #expect(bar.contains("50 %"))
    }

    @Test(
        "Sizes are said as people do",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (999_949, "999.9 kB"),
            (1_000_000, "1.0 MB"), (2_500_000_000, "2.5 GB"), (.max, "9223372.0 TB"),
        ])
    func sizes(bytes: Int, text: String) {
        #expect(Table.size(bytes) == text)
    }
}
