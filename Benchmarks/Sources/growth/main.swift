import Foundation

// The growth of time and memory from a thousand to a million items: see the README of this package.
//
//     swift run -c release growth                    a table; each row in a process of its own
//     swift run -c release growth --svg growth.svg   also a chart
//     swift run -c release growth NAME SIZE          one measurement, in this process
let arguments = Array(CommandLine.arguments.dropFirst())
let sizes = [1_000, 10_000, 100_000, 1_000_000]

if let subject = arguments.first.flatMap(Subject.init), let size = arguments.dropFirst().first.flatMap({ Int($0) }) {
    let cost = try await subject.cost(of: size)
    print("\(cost.nanoseconds) \(cost.bytes)")
} else {
    var rows: [(Subject, [Cost])] = []
    for subject in Subject.allCases {
        rows.append((subject, try sizes.map { try measured(subject, $0) }))
        print(line(subject, rows.last?.1 ?? []))
    }
    if let place = arguments.firstIndex(of: "--svg"), place + 1 < arguments.count {
        try chart(of: rows).write(toFile: arguments[place + 1], atomically: true, encoding: .utf8)
    }
}

/// The least of three measurements, each in a process of its own, so that none uses memory that another has freed.
func measured(_ subject: Subject, _ size: Int) throws -> Cost {
    let costs = try (0..<3).map { _ in
        let (child, pipe) = (Process(), Pipe())
        child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        child.arguments = [subject.rawValue, "\(size)"]
        child.standardOutput = pipe
        try child.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        child.waitUntilExit()
        let numbers = output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard child.terminationStatus == 0, numbers.count == 2 else { fatalError("\(subject.rawValue) \(size): \(output)") }
        return Cost(nanoseconds: numbers[0], bytes: numbers[1])
    }
    return Cost(nanoseconds: costs.map(\.nanoseconds).min() ?? 0, bytes: costs.map(\.bytes).min() ?? 0)
}

/// A row of the table: nanoseconds and bytes for each item at each size, and the last divided by the first.
func line(_ subject: Subject, _ costs: [Cost]) -> String {
    let cells = costs.map { "\(grouped($0.nanoseconds)) · \(grouped($0.bytes))" }
    let growth = costs.growth(\.nanoseconds).last ?? 1
    return "| \(subject.title) | \(cells.joined(separator: " | ")) | \(String(format: "%.1f", growth)) |"
}

func grouped(_ number: Double) -> String {
    let digits = "\(Int(number.rounded()))"
    return String(
        digits.reversed().enumerated().reversed().reduce(into: "") { text, digit in
            text.append(digit.element)
            if digit.offset > 0 && digit.offset % 3 == 0 { text.append(",") }
        })
}
