extension FramePicture {
    /// Says in which rows another picture differs, with marks below the cells.
    ///
    /// - Parameter expected: The picture that was expected.
    /// - Returns: The difference, to be read in a test's failure; nil if there is none.
    public func difference(from expected: FramePicture) -> String? {
        guard self != expected else { return nil }
        let (old, new) = (expected.parts, parts)
        var report: [String] = []
        if old.head != new.head { report += ["expected \(old.head)", "but got  \(new.head)"] }
        for (name, old, new) in [("row", old.rows, new.rows), ("styles of row", old.styles, new.styles)] {
            for index in 0..<max(old.count, new.count) {
                let (before, after) = (index < old.count ? old[index] : nil, index < new.count ? new[index] : nil)
                guard before != after else { continue }
                report.append("\(name) \(index)")
                report.append("  expected \(before ?? "no such row")")
                report.append("  but got  \(after ?? "no such row")")
                if let before, let after { report.append("           " + Self.marks(before, after)) }
            }
        }
        if old.legend != new.legend {
            report += old.legend.filter { !new.legend.contains($0) }.map { "expected style \($0)" }
            report += new.legend.filter { !old.legend.contains($0) }.map { "but got  style \($0)" }
        }
        return report.joined(separator: "\n")
    }

    /// A caret below each cell that differs.
    private static func marks(_ one: String, _ other: String) -> String {
        let (before, after) = (one.cells, other.cells)
        var marks = ""
        for index in 0..<max(before.count, after.count) {
            let isEqual = index < before.count && index < after.count && before[index] == after[index]
            marks += isEqual ? " " : "^"
        }
        return String(marks.reversed().drop { $0 == " " }.reversed())
    }

    /// The parts of a picture: its first line, the rows, the layer of styles and what its letters mean.
    private var parts: (head: String, rows: [String], styles: [String], legend: [String]) {
        let middle = lines.firstIndex(of: "styles") ?? lines.endIndex
        let layer = lines[middle...].dropFirst()
        return (
            lines.first ?? "", Array(lines[..<middle].dropFirst()), layer.filter { $0.hasPrefix("|") },
            layer.filter { !$0.hasPrefix("|") }
        )
    }
}

extension String {
    /// The characters, one for each cell: an empty one for the second half of a wide character.
    fileprivate var cells: [String] {
        flatMap { character in
            let text = String(character)
            return [text] + Array(repeating: "", count: Swift.max(0, text.columns - 1))
        }
    }
}
