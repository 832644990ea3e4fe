import Foundation

/// The resident memory of this process, in bytes; zero if unknown.
enum Memory {
    /// The peak since ``resetPeak()``.
    static var peak: Int { bytes("VmHWM") }

    /// Resets the peak.
    ///
    /// - Returns: The current value.
    static func resetPeak() -> Int {
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        return bytes("VmRSS")
    }

    private static func bytes(_ name: String) -> Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1024 } ?? 0
    }
}
