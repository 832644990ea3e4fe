import MoonPresentation
import SampleSupport

/// The answer of a server: how long it is, if it says so, and what it holds, piece by piece.
///
/// ```swift
/// let answer = try HTTPAnswer(to: HTTPRequest("GET", url), stop: stop)
/// while let piece = try answer.next() { … }
/// ```
/// Everything blocks: see ``offload(_:)``. The protocol is HTTP/1.0, in which a connection is for one answer.
public final class HTTPAnswer {
    /// How many bytes there are; nil if the server has not said.
    public let length: Int?
    /// How many have come.
    public private(set) var received = 0
    private let socket: Socket
    private let stop: StopSign
    private var rest: [UInt8]

    /// Asks, and waits until the answer begins.
    ///
    /// - Parameters:
    ///   - request: What to ask.
    ///   - patience: How many seconds the server may keep still.
    ///   - stop: Ends the wait.
    public init(to request: HTTPRequest, patience: Int = 10, stop: StopSign) throws(HTTPError) {
        let head: HTTPHead
        do throws(SystemError) {
            let socket = try Socket.connected(to: request.url, patience: patience)
            self.socket = socket
            self.stop = stop
            stop.wake { socket.hangUp() }
            try socket.write(request.bytes)
        } catch {
            throw stop.isSet ? .stopped : HTTPError(error)
        }
        do throws(HTTPError) {
            (head, rest) = try socket.readHead()
            guard head.start[0].hasPrefix("HTTP/"), let status = Int(head.start[1]) else {
                throw .nonsense("it begins with '\(head.start[0].prefix(40))'")
            }
            guard status == 200 else { throw .status(status, head.start.count > 2 ? head.start[2] : "") }
            // Who asks in HTTP/1.0 is not to be answered in chunks.
            guard head["transfer-encoding"] == nil else { throw .nonsense("a body in chunks") }
            length = try head.length()
        } catch {
            throw stop.isSet ? .stopped : error
        }
    }

    deinit { stop.wake(by: nil) }

    /// The next piece; nil at the end.
    public func next() throws(HTTPError) -> [UInt8]? {
        if let length, received >= length { return nil }
        var piece = rest
        rest = []
        if piece.isEmpty {
            do throws(SystemError) { piece = try socket.read(atMost: 1 << 16) } catch {
                throw stop.isSet ? .stopped : HTTPError(error)
            }
        }
        if stop.isSet { throw .stopped }
        if piece.isEmpty {
            if let length { throw .cut(received: received, announced: length) }
            return nil
        }
        if let length, received + piece.count > length { piece = Array(piece.prefix(length - received)) }
        received += piece.count
        return piece
    }

    /// All of it.
    ///
    /// - Parameter limit: How many bytes there may be.
    public func all(limit: Int = 1 << 20) throws(HTTPError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try next() {
            bytes += piece
            if bytes.count > limit { throw .nonsense("more than \(limit) bytes") }
        }
        return bytes
    }
}
