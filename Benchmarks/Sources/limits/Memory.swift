import Foundation

/// The memory that this process has now, in MB; nil where nobody tells.
func memory() -> Double? { megabytes("VmRSS") }

/// The most that it has had since ``resetPeak()``.
func peakMemory() -> Double? { megabytes("VmHWM") }

/// Begins anew to look for the most memory that is used; returns what is used now.
func resetPeak() -> Double? {
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    return peakMemory()
}

private func megabytes(_ name: String) -> Double? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Double($0.trimmingCharacters(in: .whitespaces)) }
        .map { $0 / 1024 }
}

/// Does something, tells how long it took and what it needed, and fails if memory has grown.
func measured(_ what: String, allowing growth: Double = 4, _ body: () -> Bool) {
    let before = memory()
    let start = ContinuousClock.now
    let isRight = body()
    let after = memory()
    let megabytes = { (value: Double?) in value.map { String(format: "%.1f MB", $0) } ?? "unknown" }
    say("\(what): \(ContinuousClock.now - start), memory \(megabytes(before)) before, \(megabytes(after)) after")
    guard isRight else { fatalError("\(what): the result is wrong") }
    if let before, let after, after - before > growth { fatalError("\(what): memory has grown by \(after - before) MB") }
}

/// Prints a line at once, in a pipe, too.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
