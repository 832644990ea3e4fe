import Foundation

/// Runs a command, and returns its standard output.
///
/// - Throws: A ``Mistake`` with all its output, if it fails.
@discardableResult
func output(_ command: String..., at folder: URL? = nil) throws -> String {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = folder
    (process.standardOutput, process.standardError) = (output, errors)
    // Read concurrently, since the command would block on a full pipe.
    let reading = DispatchQueue(label: "errors")
    // Sound: written on the queue, and read here after a `sync` on it.
    nonisolated(unsafe) var complaint = Data()
    try process.run()
    reading.async { complaint = errors.fileHandleForReading.readDataToEndOfFile() }
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        let both = reading.sync { text + complaint }
        throw Mistake("\(command.joined(separator: " ")) failed:\n\(String(decoding: both, as: UTF8.self))")
    }
    return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
}
