import MoonPresentation
import SampleSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where lines of text come from.
enum TextLines {
    /// What there is without a file.
    static let builtIn = [
        "The moon has no light of its own.",
        "Every tide is a message from far away.",
        "The same side has looked at us all along.",
        "A footprint up there outlives its foot.",
        "Even a thin crescent finds its reader.",
        "Between two full moons there is always a month.",
        "Nobody hears the landing.",
    ]

    /// The lines of a file that say something.
    static func read(path: String) throws(UserFacingError) -> [String] {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { throw unreadable(path, SystemError.last("open \(path)").reason) }
        defer { close(file) }
        var reader = LineReader(descriptor: file, longest: .max)
        var lines: [String] = []
        do throws(SystemError) {
            while let line = try reader.next() {
                // A byte order mark is no text.
                let hasMark = line.number == 1 && line.text.hasPrefix("\u{FEFF}")
                let text = hasMark ? String(line.text.dropFirst()) : line.text
                if !text.allSatisfy(\.isWhitespace) { lines.append(text) }
            }
        } catch {
            throw unreadable(path, error.reason)
        }
        guard !lines.isEmpty else { throw unreadable(path, "there is no text in it") }
        return lines
    }

    private static func unreadable(_ path: String, _ reason: String) -> UserFacingError {
        UserFacingError(message: "cannot read \(path): \(reason)", exitCode: ExitCode.noInput)
    }
}
