import MoonPresentation
import Moonlight
import SampleSupport

/// What is shown of the downloads in a terminal: the files, and how far each is.
struct DownloadsView {
    let state: Downloads

    /// The keys, which are for the selected file.
    var keys: KeyTable<DownloadsEvent> {
        var keys = KeyTable<DownloadsEvent>()
        if let id = state.selected {
            keys = [
                .key("x", sends: .file(id, .cancel), help: "cancel"), .key("X", sends: .file(id, .cancel)),
                .key("r", sends: .file(id, .retry), help: "retry"), .key("R", sends: .file(id, .retry)),
                .key("d", sends: .remove(id), help: "remove"), .key("D", sends: .remove(id)),
            ]
        }
        keys.append(.quit("q", help: "quit"))
        keys.append(.quit("Q", .control("d")))
        return keys
    }

    /// In a low window, what matters least gives way: notes, the title, files far from the selected one.
    func body(in size: Size, notes: [String]) -> Rows<DownloadsEvent> {
        let isRoomy = size.rows > 4
        let notes = isRoomy ? notes.suffix(max(0, size.rows - 5 - min(state.files.count, 10))) : []
        return Rows {
            if isRoomy {
                Text(StyledText("Downloads", .bold) + StyledText("  \(Moonlight.statusLine(of: state))\n", .dim), wraps: false)
            }
            if state.files.isEmpty {
                Text("Nothing left.", style: .dim).length(.share())
            } else {
                List(
                    Array(state.files), selected: state.selected.flatMap { state.files.position(of: $0) },
                    select: DownloadsEvent.select, row: { row(of: $0, columns: size.columns) })
            }
            if isRoomy { HelpView([KeyHelp(keys: ["↑", "↓"], text: "select")] + keys.help) }
            for note in notes { Text(note, style: .dim, wraps: false) }
        }
    }

    /// How it all came out, a line for each file.
    var summary: [String] {
        state.files.map { file in
            switch file.download.state {
            case nil: "\(file.id): not begun"
            case .starting, .running: "\(file.id): not finished"
            case .completed(let bytes): "\(file.id): done, \(Self.size(bytes))"
            case .failed(let error): "\(file.id): \(error)"
            }
        }
    }

    private func row(of file: Item, columns: Int) -> StyledText {
        let longest = state.files.reduce(0) { max($0, $1.id.columns) }
        let room = min(longest, max(8, columns / 3))
        let name = StyledText(file.id).truncated(to: room)
        return name
            + StyledText(String(repeating: " ", count: room - name.columns + 2)) + news(of: file, columns - room - 4)
    }

    private func news(of file: Item, _ columns: Int) -> StyledText {
        switch file.download.state {
        case nil: StyledText("waiting", .dim)
        case .starting: StyledText("starting", .dim)
        case .running(let progress): bar(progress, columns)
        case .completed(let bytes): StyledText("done, \(Self.size(bytes))")
        case .failed(let error): StyledText("\(error)", .alert)
        }
    }

    /// A bar with numbers behind it; only the numbers where there is no room for more.
    private func bar(_ progress: Progress, _ columns: Int) -> StyledText {
        guard let percent = progress.percent, let total = progress.total else { return StyledText(Self.size(progress.received)) }
        let digits = String(percent)
        let share = String(repeating: " ", count: max(0, 3 - digits.count)) + digits + " %"
        let width = min(40, columns - 26)
        guard width >= 8 else { return StyledText(share) }
        let full = width * percent / 100
        return StyledText(String(repeating: "━", count: full), .accent)
            + StyledText(String(repeating: "─", count: width - full), .dim)
            + StyledText(" \(share)  ") + StyledText("of \(Self.size(total))", .dim)
    }

    /// A number of bytes, as people say it.
    static func size(_ bytes: Int) -> String {
        let units = ["kB", "MB", "GB", "TB"]
        guard bytes >= 1000 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        var tenths = bytes / 100
        var unit = 0
        while tenths >= 10_000, unit + 1 < units.count {
            tenths /= 1000
            unit += 1
        }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
