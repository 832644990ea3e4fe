/// What is asked of a server.
public struct HTTPRequest: Sendable {
    /// What to do: `GET`, `POST`.
    public let method: String
    /// What is asked for.
    public let url: LoopbackURL
    /// What is sent along.
    public let body: [UInt8]

    /// A request.
    public init(_ method: String, _ url: LoopbackURL, body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.body = body
    }

    /// What goes over the line.
    var bytes: [UInt8] {
        let head = """
            \(method) \(url.path) HTTP/1.0\r
            Host: \(url.host):\(url.port)\r
            Content-Length: \(body.count)\r
            \r

            """
        return Array(head.utf8) + body
    }
}
