#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A frame is not the one that is kept beside a test.
public struct FrameMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file with the picture that was expected.
    public let file: String
    /// What differs, or why there was nothing to compare with.
    public let description: String
}

extension Canvas {
    /// Compares the frame with a picture that is kept in the folder `Frames` beside the test's file.
    ///
    /// A picture that does not exist yet is written, which fails the test: look at it, and commit it. To write pictures anew after
    /// an intended change, delete them or set the variable `RECORD_FRAMES` in the environment.
    ///
    /// ```swift
    /// try canvas.compare(to: "an empty list")
    /// ```
    /// - Parameters:
    ///   - name: The picture's name, which becomes the name of a file.
    ///   - file: The test's file, which the compiler knows.
    /// - Throws: ``FrameMismatch`` with the rows that differ.
    public func compare(to name: String, beside file: String = #filePath) throws(FrameMismatch) {
        let folder = file.prefix(through: file.lastIndex(of: "/") ?? file.startIndex) + "Frames"
        let path = folder + "/" + String(name.map { $0.isLetter || $0.isNumber ? $0 : "-" }) + ".txt"
        let picture = FramePicture(self)
        if getenv("RECORD_FRAMES") == nil, let text = Self.read(path) {
            guard let difference = picture.difference(from: FramePicture(text: text)) else { return }
            throw FrameMismatch(file: path, description: "the frame is not the one in \(path)\n\(difference)")
        }
        mkdir(String(folder), 0o755)
        guard Self.write(picture.description, to: path) else {
            throw FrameMismatch(file: path, description: "\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
        if getenv("RECORD_FRAMES") == nil {
            throw FrameMismatch(file: path, description: "\(path) was written; look at it, and commit it\n\(picture)")
        }
    }

    private static func read(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func write(_ text: String, to path: String) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        let bytes = Array(text.utf8)
        let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
        return fclose(file) == 0 && isWritten
    }
}
