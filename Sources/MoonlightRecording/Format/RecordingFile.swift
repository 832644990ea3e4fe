import SystemCalls

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file to which a recording is written as it grows. It is closed on release.
final class RecordingFile {
    // Used by one thread at a time.
    private let path: String
    private var descriptor: Int32
    private var written = 0
    /// The header in the file.
    private var header: RecordingHeader
    /// The last segment in the file, and its end there.
    private var last: (first: Int, end: (texts: Int, steps: Int, count: Int))?
    private(set) var failure: RecordingError?

    /// Begins a file with the kept steps.
    init(_ path: String, _ archive: Archive) throws(RecordingError) {
        self.path = path
        header = archive.header
        descriptor = -1
        try begin(archive)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Writes the steps that the file does not have yet. After a failure nothing more is written.
    ///
    /// - Parameter isAnew: True if segments in the file have changed, so that it must be rewritten.
    func write(_ archive: Archive, isAnew: Bool) {
        if failure != nil { return }
        do throws(RecordingError) {
            let isInside = archive.segments.contains { $0.first == last?.first }
            let isOld = isAnew || header != archive.header || !isInside
            if isOld || written > 2 * max(archive.size, 1 << 16) { return try begin(archive) }
            try append(archive)
        } catch {
            failure = error
            close(descriptor)
            descriptor = -1
        }
    }

    private func append(_ archive: Archive) throws(RecordingError) {
        guard let last, let place = archive.segments.lastIndex(where: { $0.first == last.first }) else { return }
        var bytes: [UInt8] = []
        if let steps = archive.segments[place].tail(from: last.end) { RecordingFormat.add(steps, to: &bytes) }
        for segment in archive.segments[(place + 1)...] {
            RecordingFormat.add(segment.head(texts: segment.texts.count), to: &bytes)
            if let steps = segment.tail(from: (segment.texts.count, 0, 0)) { RecordingFormat.add(steps, to: &bytes) }
        }
        if let segment = archive.segments.last { self.last = (segment.first, segment.end) }
        try Self.write(bytes, to: descriptor, path)
        written += bytes.count
    }

    /// Writes a new file beside the old one, and replaces it.
    private func begin(_ archive: Archive) throws(RecordingError) {
        let bytes = archive.bytes()
        let new = try Self.replace(path, by: bytes)
        if descriptor >= 0 { close(descriptor) }
        (descriptor, written, header) = (new, bytes.count, archive.header)
        last = archive.segments.last.map { ($0.first, $0.end) }
    }

    /// Writes bytes to a file, which is replaced if it exists.
    static func write(_ bytes: [UInt8], to path: String) throws(RecordingError) { close(try replace(path, by: bytes)) }

    /// Replaces a file, keeping its mode, owner and links; returns the descriptor of the new one, for further writes.
    private static func replace(_ path: String, by bytes: [UInt8]) throws(RecordingError) -> Int32 {
        try calling(bytes) { bytes throws(FileReplacement.Failure) in
            try FileReplacement.replace(path, by: bytes, suffix: ".new", mode: 0o600, syncs: false)
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(RecordingError) {
        try calling(bytes) { bytes throws(FileReplacement.Failure) in try FileReplacement.write(bytes, to: descriptor, path) }
    }

    private static func calling<Value>(
        _ bytes: [UInt8], _ call: (UnsafeRawBufferPointer) throws(FileReplacement.Failure) -> Value
    ) throws(RecordingError) -> Value {
        switch bytes.withUnsafeBytes({ bytes in Result { () throws(FileReplacement.Failure) in try call(bytes) } }) {
        case .success(let value): return value
        case .failure(let error): throw .file(path: error.path, reason: error.reason)
        }
    }

    /// Reads a file, if it is not larger than a limit.
    static func read(_ path: String, limit: Int) throws(RecordingError) -> [UInt8] {
        // The system would open the file at the path up to the NUL.
        if path.utf8.contains(0) { throw .file(path: path, reason: reason(ofError: EINVAL)) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file(path: path, reason: FileReplacement.Failure.last(path).reason) }
        defer { close(descriptor) }
        return try read(descriptor, path, limit: limit)
    }

    /// Reads the Swift source that a recording names; nil if it cannot be read.
    ///
    /// A recording may be untrusted: it must not refer to arbitrary files, or to endless devices and pipes.
    static func source(at path: String) -> String? {
        // The system would open the file at the path up to a NUL, which could have any name.
        guard path.hasSuffix(".swift"), !path.utf8.contains(0) else { return nil }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return (try? read(descriptor, path, limit: 1 << 24)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func read(_ descriptor: Int32, _ path: String, limit: Int) throws(RecordingError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .file(path: path, reason: FileReplacement.Failure.last(path).reason) }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else { throw .tooLarge(what: path, size: bytes.count + count, limit: limit) }
            bytes += chunk[..<count]
        }
    }
}

// Outside the type, in which `read` would be its method.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
