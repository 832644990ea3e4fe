import MoonPresentation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The error for a frame that differs from the picture stored beside a test.
package struct FrameMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file with the picture that was expected.
    package let file: String
    /// The difference, or the reason why there is no picture.
    package let description: String
}

extension Canvas {
    /// Compares the frame with a picture in the folder `Frames` beside the test's file.
    ///
    /// A missing picture is written, and the test fails: check the picture, and commit it. After an intended change, delete
    /// pictures or set `RECORD_FRAMES` in the environment, to write them again.
    ///
    /// ```swift
    /// try canvas.compare(to: "an empty list")
    /// ```
    /// - Parameters:
    ///   - name: The picture's name, which becomes the name of a file.
    ///   - file: The test's file.
    /// - Throws: An error that describes the rows that differ.
    public func compare(to name: String, beside file: String = #filePath) throws {
        let folder = Self.folder(of: file) + "Frames"
        mkdir(folder, 0o755)
        let picture = FramePicture(self)
        try Self.compare(
            picture.description, to: folder + "/" + String(name.map { $0.isLetter || $0.isNumber ? $0 : "-" }) + ".txt"
        ) { kept in picture.difference(from: FramePicture(text: kept)).map { "the frame differs from the picture\n\($0)" } }
    }

    /// Compares the frame, as an SVG, with a picture of the documentation. Pictures are written as by ``compare(to:beside:)``.
    ///
    /// ```swift
    /// try pilot.frame.compareSVG(at: "../../Documentation/notes.svg", title: "Three notes, of which one is selected")
    /// ```
    /// - Parameters:
    ///   - path: The path of the picture, relative to the folder of the test's file.
    ///   - title: A description of the picture, for readers who cannot see it.
    ///   - file: The test's file.
    /// - Throws: ``FrameMismatch`` if the picture differs.
    package func compareSVG(at path: String, title: String, beside file: String = #filePath) throws(FrameMismatch) {
        let svg = svg(title: title)
        try Self.compare(svg, to: Self.folder(of: file) + path) { $0 == svg ? nil : "the frame differs from the picture" }
    }

    /// - Parameter difference: The difference from the kept picture; nil if there is none.
    private static func compare(
        _ picture: String, to path: String, _ difference: (String) -> String?
    ) throws(FrameMismatch) {
        let isRecording = getenv("RECORD_FRAMES") != nil
        if !isRecording, let kept = read(path) {
            guard let difference = difference(kept) else { return }
            throw FrameMismatch(
                file: path, description: "\(path): \(difference)\nIf this is intended, run with RECORD_FRAMES=1 and check it")
        }
        guard write(picture, to: path) else {
            throw FrameMismatch(file: path, description: "\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
        if !isRecording {
            throw FrameMismatch(file: path, description: "\(path) was written: check it, and commit it\n\(picture)")
        }
    }

    private static func folder(of file: String) -> String {
        String(file.prefix(through: file.lastIndex(of: "/") ?? file.startIndex))
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
