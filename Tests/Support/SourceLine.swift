import Foundation

/// A line of a test's source that waits for something or expects something.
struct SourceLine: CustomStringConvertible {
    let path: StaticString
    let line: UInt

    /// The line's text; empty if the file cannot be read.
    var text: String {
        let lines = (try? String(contentsOfFile: "\(path)", encoding: .utf8))?.components(separatedBy: "\n") ?? []
        return lines.indices.contains(Int(line) - 1) ? lines[Int(line) - 1].trimmingCharacters(in: .whitespaces) : ""
    }

    var description: String { "\(path):\(line): \(text)" }
}
