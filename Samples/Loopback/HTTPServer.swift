import Dispatch
import MoonPresentation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A small server for programs on this machine.
///
/// ```swift
/// let server = try HTTPServer { request in HTTPReply(200, "hello") }
/// print(server.port)
/// ```
/// It serves until it is closed, or nobody holds it any more. What it has begun to answer by then is still answered.
public final class HTTPServer: @unchecked Sendable {
    // Sound: a dispatch source may be used from any thread; nothing else changes.
    /// What is asked.
    public struct Request: Sendable {
        /// What to do: `GET`, `POST`.
        public let method: String
        /// What is asked for.
        public let path: String
        /// What was sent along.
        public let body: [UInt8]

        /// A request, as a test makes it.
        public init(method: String, path: String, body: [UInt8]) {
            self.method = method
            self.path = path
            self.body = body
        }
    }

    /// What is answered.
    public struct Reply: Sendable {
        /// The status.
        public let status: Int
        /// What is sent along.
        public let body: [UInt8]

        /// An answer.
        public init(_ status: Int, _ body: some Collection<UInt8>) {
            self.status = status
            self.body = Array(body)
        }

        /// An answer in words.
        public init(_ status: Int, _ text: String) { self.init(status, Array("\(text)\n".utf8)) }
    }

    /// Where it listens, on 127.0.0.1.
    public let port: UInt16
    private let source: any DispatchSourceRead
    /// Entered until the socket is closed.
    private let listening = DispatchGroup()

    /// Starts to serve.
    ///
    /// - Parameters:
    ///   - port: Where to listen; 0 for any port that is free.
    ///   - answer: Called for each request, on a thread of its own: it may block, and several may be called at once.
    public init(port: UInt16 = 0, _ answer: @escaping @Sendable (Request) -> Reply) throws(SystemError) {
        let listener = try SocketAddress.socket(AF_INET)
        do throws(SystemError) {
            self.port = try Self.listen(listener, port)
        } catch {
            close(listener)
            throw error
        }
        source = DispatchSource.makeReadSource(
            fileDescriptor: listener, queue: DispatchQueue(label: "Loopback.HTTPServer"))
        source.setEventHandler {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { return }
            let socket = Socket(descriptor: connection, patience: 10)
            DispatchQueue(label: "Loopback.HTTPServer.connection").async { Self.serve(socket, answer) }
        }
        listening.enter()
        source.setCancelHandler { [listening] in
            close(listener)
            listening.leave()
        }
        source.activate()
    }

    deinit { stop() }

    /// Listens no more: connections are refused when this returns.
    public func stop() {
        source.cancel()
        listening.wait()
    }

    private static func listen(_ listener: Int32, _ port: UInt16) throws(SystemError) -> UInt16 {
        _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
        // A connection may be gone by the time that it is accepted: that must not block.
        _ = fcntl(listener, F_SETFL, O_NONBLOCK)
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let bound = SocketAddress(port: port, isVersion6: false).withPointer { bind(listener, $0, $1) }
        guard bound == 0 else { throw .last("listen at port \(port)") }
        #if canImport(Glibc)
            let listening = Glibc.listen(listener, 64)
        #elseif canImport(Musl)
            let listening = Musl.listen(listener, 64)
        #else
            let listening = Darwin.listen(listener, 64)
        #endif
        guard listening == 0 else { throw .last("listen at port \(port)") }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let named = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
        }
        guard named == 0 else { throw .last("find out the port of the server") }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func serve(_ socket: Socket, _ answer: (Request) -> Reply) {
        do {
            let reply: Reply
            do throws(HTTPError) { reply = answer(try request(from: socket)) } catch {
                reply = Reply(400, error.description)
            }
            let head = """
                HTTP/1.0 \(reply.status) \(reply.status == 200 ? "OK" : "Not OK")\r
                Content-Length: \(reply.body.count)\r
                Connection: close\r
                \r

                """
            try socket.write(Array(head.utf8) + reply.body)
        } catch {
            // Who has asked is gone: nobody is there to be told.
        }
    }

    private static func request(from socket: Socket) throws(HTTPError) -> Request {
        var (head, body) = try socket.readHead()
        let length = try head.length() ?? 0
        guard length <= 1 << 20 else { throw .nonsense("a body of \(length) bytes") }
        while body.count < length {
            let piece: [UInt8]
            do throws(SystemError) { piece = try socket.read(atMost: 1 << 16) } catch { throw HTTPError(error) }
            if piece.isEmpty { throw .cut(received: body.count, announced: length) }
            body += piece
        }
        return Request(method: head.start[0], path: head.start[1], body: Array(body.prefix(length)))
    }
}
