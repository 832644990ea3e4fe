import MoonPresentation
import SampleSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that is not whole yet. Until it is, it has another name; if it never is, it goes.
///
/// Whoever looks for the name sees what was there before, or the whole file. If the program is killed, a file of the other
/// name remains, and is begun anew the next time.
final class PartFile {
    /// What the name ends in while the file is not whole.
    static let suffix = ".part"

    private let path: String
    private let partPath: String
    private let descriptor: Int32
    private var isWhole = false

    /// Begins a file.
    ///
    /// - Throws: Also if another program is at it.
    init(_ name: String, in folder: String) throws(FetchError) {
        path = "\(folder)/\(name)"
        partPath = path + Self.suffix
        descriptor = try Self.lock(partPath)
        // One that was killed in the middle may have left something.
        guard ftruncate(descriptor, 0) == 0 else { throw Self.failure("empty \(partPath)") }
    }

    deinit {
        if !isWhole { unlink(partPath) }
        close(descriptor)
    }

    /// Adds to the file.
    func append(_ bytes: [UInt8]) throws(FetchError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure("write to \(partPath)") }
            rest = rest.dropFirst(count)
        }
    }

    /// Gives the file its name: all of it is there.
    func complete() throws(FetchError) {
        // Else a loss of power might leave a name without what it is for.
        guard fsync(descriptor) == 0, rename(partPath, path) == 0 else { throw Self.failure("complete \(path)") }
        isWhole = true
    }

    /// Why the last system call has failed. What it was about is said where the reason is shown.
    private static func failure(_ attempt: String) -> FetchError { .folder(SystemError.last(attempt).reason) }

    /// Opens the file so that no other program is at it.
    private static func lock(_ path: String) throws(FetchError) -> Int32 {
        while true {
            let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
            guard file >= 0 else { throw failure("open \(path)") }
            var (there, here) = (stat(), stat())
            if fstat(file, &here) == 0, here.st_mode & S_IFMT == S_IFREG, flock(file, LOCK_EX | LOCK_NB) == 0 {
                // Between the two calls the other program may have given it its name, and what is locked is that file.
                if stat(path, &there) == 0, there.st_ino == here.st_ino, there.st_dev == here.st_dev { return file }
                close(file)
                continue
            }
            let isTaken = errno == EWOULDBLOCK
            close(file)
            throw .folder(isTaken ? "another program is writing it" : "\(path) is no file")
        }
    }
}
