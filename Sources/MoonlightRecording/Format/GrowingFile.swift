#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file that another program writes, and may replace by a new one of the same name.
///
/// It stays open, so that the system gives its number to no other file: so a new file is known to be another one.
final class GrowingFile {
    private let path: String
    private let descriptor: Int32
    private let identity: Identity

    /// How large the file is, and when it was changed.
    struct Version: Equatable {
        let size: Int
        let seconds: Int
        let nanoseconds: Int

        fileprivate init(_ status: stat) {
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            (size, seconds, nanoseconds) = (Int(status.st_size), Int(time.tv_sec), Int(time.tv_nsec))
        }
    }

    private struct Identity: Equatable {
        let device: UInt64
        let number: UInt64

        init(_ status: stat) { (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino)) }
    }

    init(_ path: String) throws(RecordingError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let failure = Self.failure(path)
            close(descriptor)
            throw failure
        }
        self.path = path
        self.descriptor = descriptor
        identity = Identity(status)
    }

    deinit { close(descriptor) }

    /// The file as it is now; nil if the path leads to another file.
    ///
    /// - Throws: ``RecordingError/file(path:reason:)`` if there is no file any more.
    func version() throws(RecordingError) -> Version? {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Self.failure(path) }
        return Identity(status) == identity ? Version(status) : nil
    }

    /// Reads from a place to the end, or so many bytes if there are more.
    ///
    /// - Throws: ``RecordingError/tooLarge(what:size:limit:)`` if the file is larger than the limit.
    func read(from place: Int, count most: Int = .max, limit: Int = .max) throws(RecordingError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(most, 1 << 18))
        while true {
            let count = chunk.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress, buffer.count, off_t(place + bytes.count))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure(path) }
            if count == 0 { return bytes }
            guard place + bytes.count + count <= limit else {
                throw .tooLarge(what: path, size: place + bytes.count + count, limit: limit)
            }
            bytes += chunk[..<count]
            if bytes.count >= most { return Array(bytes[..<most]) }
        }
    }

    private static func failure(_ path: String) -> RecordingError {
        .file(path: path, reason: strerror(errno).map { String(cString: $0) } ?? "error \(errno)")
    }
}
