import Foundation
import Harness

/// The number of allocations per element that each row of Moonlight may make.
struct Allowances {
    static let file = "allocations.json"
    private(set) var allowed: [String: Double] = [:]

    private static func key(_ row: Report.Result) -> String { "\(row.group): \(row.name)" }

    /// - Throws: ``Mistake`` if there is no readable file.
    static func read() throws -> Allowances {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw Mistake("no \(file) here: run this in Benchmarks, or make it with --record")
        }
        return Allowances(allowed: try JSONDecoder().decode([String: Double].self, from: data))
    }

    /// Records the counted allocations of the exact rows.
    mutating func record(_ rows: [Report.Result]) {
        for row in rows where row.isExact {
            guard let count = row[.moonlight]?.allocations else { continue }
            allowed[Self.key(row)] = (count * 100).rounded() / 100
        }
    }

    func write() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try (try encoder.encode(allowed) + Data("\n".utf8)).write(to: URL(fileURLWithPath: Self.file))
    }

    /// Returns the faults of some results, one line each.
    func faults(in rows: [Report.Result]) -> [String] {
        rows.filter(\.isExact).compactMap { row in
            guard let count = row[.moonlight]?.allocations else { return nil }
            guard let most = allowed[Self.key(row)] else {
                return "\(Self.key(row)): not in \(Self.file); record it with --record"
            }
            // A tolerance for arrays that grow at different times.
            if count <= max(most + 0.05, most * 1.02) { return nil }
            return "\(Self.key(row)): \(count.hundredths) allocations \(row.unit.dropFirst(3)), \(most.hundredths) are recorded"
        }
    }
}
