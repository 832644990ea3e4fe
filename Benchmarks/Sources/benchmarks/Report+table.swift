import Harness

// The report as Markdown tables, aligned for reading as plain text.
extension Report {
    var table: String {
        var groups: [String] = []
        for row in rows where !groups.contains(row.group) { groups.append(row.group) }
        let tables = groups.map { group in Self.table(of: rows.filter { $0.group == group }, group) }
        return "Measured on: \(machine.description)\n\n" + tables.joined(separator: "\n")
    }

    private static func table(of rows: [Result], _ group: String) -> String {
        let contenders = Contender.allCases.filter { contender in rows.contains { $0[contender] != nil } }
        let units = Set(rows.map(\.unit))
        let title = units.count == 1 ? "\(group), \(rows[0].unit)" : group
        let header = [title] + contenders.map(\.rawValue) + ["÷ limit", "peer ÷"]
        let lines = rows.map { row in
            [units.count == 1 ? row.name : "\(row.name), \(row.unit)"] + contenders.map { row[$0].map(cell) ?? "" }
                + [row.timesLimit?.short ?? "", row.timesBetterThanPeers?.short ?? ""]
        }
        let widths = header.indices.map { column in ([header] + lines).map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let padded = cells.enumerated().map { index, cell in
                let space = String(repeating: " ", count: widths[index] - cell.count)
                return index == 0 ? cell + space : space + cell
            }
            return "| \(padded.joined(separator: " | ")) |\n"
        }
        let rule = widths.enumerated().map { String(repeating: "-", count: $1 - ($0 == 0 ? 0 : 1)) + ($0 == 0 ? "" : ":") }
        return line(header) + line(rule) + lines.map(line).joined()
    }

    /// Formats a median, a minimum and, if there are any, allocations.
    private static func cell(_ measurement: Measurement) -> String {
        var text = measurement.median.short
        if measurement.minimum != measurement.median { text += " · " + measurement.minimum.short }
        if let allocations = measurement.allocations, allocations >= 0.005 { text += " (\(allocations.hundredths))" }
        return text
    }
}
