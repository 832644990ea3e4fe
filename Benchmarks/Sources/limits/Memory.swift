import Foundation

/// Returns the current memory of this process in MB, without the pages of libraries, which grow when code runs for the first time;
/// nil if unknown.
func memory() -> Double? { megabytes("RssAnon") }

/// Returns the peak since ``resetPeak()``.
func peakMemory() -> Double? { megabytes("VmHWM") }

/// Resets the peak, and returns the current memory.
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

/// Runs a closure, prints its duration and memory, and fails if the memory has grown.
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

/// Prints a line without buffering.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
