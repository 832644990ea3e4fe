import MoonPresentation
import SampleLoopback
import SampleSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What comes from a source, piece by piece. Everything blocks.
struct Incoming {
    /// How many bytes there will be, if it is known.
    let total: Int?
    /// The next piece; nil at the end.
    let next: () throws(FetchError) -> [UInt8]?

    /// Asks a source.
    ///
    /// - Parameter stop: Ends the wait.
    init(_ source: Source, stop: StopSign) throws(FetchError) {
        switch source {
        case .file(let path): self = try Self.reading(path)
        case .http(let url):
            do throws(HTTPError) {
                let answer = try HTTPAnswer(to: HTTPRequest("GET", url), stop: stop)
                self.init(total: answer.length) { () throws(FetchError) in
                    do throws(HTTPError) { return try answer.next() } catch { throw FetchError(error) }
                }
            } catch {
                throw FetchError(error)
            }
        }
    }

    private init(total: Int?, next: @escaping () throws(FetchError) -> [UInt8]?) {
        self.total = total
        self.next = next
    }

    private static func reading(_ path: String) throws(FetchError) -> Incoming {
        let file: OpenFile
        do throws(SystemError) { file = try OpenFile(path) } catch { throw .source(error.reason) }
        // A pipe or a device may never end.
        guard let size = file.size else { throw .source("it is no file") }
        var received = 0
        return Incoming(total: size) { () throws(FetchError) in
            do throws(SystemError) {
                let piece = try file.piece(atMost: 1 << 16)
                received += piece.count
                if !piece.isEmpty { return piece }
            } catch {
                throw .source(error.reason)
            }
            if received < size { throw .source("cut off after \(received) of \(size) bytes") }
            return nil
        }
    }
}

extension FetchError {
    fileprivate init(_ error: HTTPError) { self = error == .stopped ? .cancelled : .source(error.description) }
}

/// A file that is read.
private final class OpenFile {
    private let path: String
    private let descriptor: Int32
    /// How many bytes it has; nil if it is something else.
    let size: Int?

    init(_ path: String) throws(SystemError) {
        self.path = path
        // To open a pipe waits for who writes to it, unless it is said not to.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            size = nil
            throw .last("open \(path)")
        }
        size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func piece(atMost count: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { [descriptor, path] buffer, filled in
            let result = read(descriptor, buffer.baseAddress, count)
            if result < 0 { failure = .last("read \(path)") }
            filled = max(0, result)
        }
        if let failure { throw failure }
        return bytes
    }
}
