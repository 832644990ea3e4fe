import Moonlight
import SampleTerminal

/// What the panel shows.
struct Table {
    let state: Downloads
    /// Lines to show below.
    let notes: [String]

    /// The rows for a window. In a low one, what matters least gives way: notes, the title, files far from the selected one.
    func rows(in size: Size) -> [Row] {
        let files = state.files.map { row(of: $0, columns: size.columns) }
        let selected = state.selected.flatMap { state.files.position(of: $0) } ?? 0
        if size.rows < 5 { return files.window(size.rows, around: selected) }
        let notes = notes.suffix(max(0, size.rows - 5 - min(files.count, 10))).map { Row($0, .dim) }
        let room = size.rows - 4 - (notes.isEmpty ? 0 : notes.count + 1)
        return [Row("Downloads", .bold) + Row("  \(Moonlight.statusLine(of: state))", .dim), ""]
            + (files.isEmpty ? [Row("Nothing left.", .dim)] : files.window(room, around: selected))
            + ["", keys(in: size)] + (notes.isEmpty ? [] : [""] + notes)
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

    private func row(of file: Item, columns: Int) -> Row {
        let isSelected = file.id == state.selected
        let longest = state.files.reduce(0) { max($0, $1.id.columns) }
        let room = min(longest, max(8, columns / 3))
        let name = file.id.fitting(columns: room)
        let start = Row(isSelected ? "> " : "  ", .accent) + Row(name, isSelected ? .bold : .plain)
        return start + Row(String(repeating: " ", count: room - name.columns + 2)) + news(of: file, columns - room - 4)
    }

    private func news(of file: Item, _ columns: Int) -> Row {
        switch file.download.state {
        case nil: Row("waiting", .dim)
        case .starting: Row("starting", .dim)
        case .running(let progress): bar(progress, columns)
        case .completed(let bytes): Row("done, \(Self.size(bytes))")
        case .failed(let error): Row("\(error)", .alert)
        }
    }

    /// A bar with numbers behind it; only the numbers where there is no room for more.
    private func bar(_ progress: Progress, _ columns: Int) -> Row {
        guard let percent = progress.percent, let total = progress.total else {
            return Row(Self.size(progress.received))
        }
        let digits = String(percent)
        let share = String(repeating: " ", count: max(0, 3 - digits.count)) + digits + " %"
        let width = min(40, columns - 26)
        guard width >= 8 else { return Row(share) }
        let full = width * percent / 100
        let bar =
            Row(String(repeating: "━", count: full), .accent) + Row(String(repeating: "─", count: width - full), .dim)
        return bar + Row(" \(share)  ") + Row("of \(Self.size(total))", .dim)
    }

    private func keys(in size: Size) -> Row {
        func key(_ key: String, _ meaning: String) -> Row { Row(key, .accent) + Row(meaning) }
        let long =
            key("↑↓", " select   ") + key("x", " cancel   ") + key("r", " retry   ") + key("d", " remove   ")
            + key("q", " quit")
        return long.columns <= size.columns ? long : key("↑↓ x r d q", "")
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
