/// The address of something that a server on this machine has: `http://localhost:8000/path`.
public struct LoopbackURL: Hashable, Sendable, CustomStringConvertible {
    /// Where on this machine: `localhost`, `127.0.0.1` or `[::1]`.
    public let host: String
    /// The port; 80 unless it says otherwise.
    public let port: UInt16
    /// What to ask for there, as it stands in a request; begins with a slash.
    public let path: String

    /// Why a text is no such address.
    public enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// It does not begin with `http://`.
        case scheme
        /// The host is another machine, or none.
        case host(String)
        /// The port is no number from 1 to 65535.
        case port(String)
        /// The path has a space, a control character, or a letter outside ASCII.
        case path

        /// The fault in words.
        public var description: String {
            switch self {
            case .scheme: "it does not begin with http://"
            case .host(let host): "only servers on this machine are asked (localhost, 127.0.0.1, [::1]), not '\(host)'"
            case .port(let port): "'\(port)' is no port"
            case .path: "a character in its path needs an escape such as %20"
            }
        }
    }

    /// An address, from its parts.
    public init(host: String = "127.0.0.1", port: UInt16, path: String) {
        self.host = host
        self.port = port
        self.path = path
    }

    /// An address, from its text. A fragment is left out: it is none of the server's business.
    public init(_ text: String) throws(Fault) {
        guard text.lowercased().hasPrefix("http://") else { throw .scheme }
        let rest = text.dropFirst("http://".count).prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let target = rest[authority.endIndex...]
        let path = target.hasPrefix("/") ? String(target) : "/" + target
        guard path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .path }
        // An IPv6 address has colons of its own, and stands in brackets.
        let end = authority.lastIndex(of: "]").map(authority.index(after:)) ?? authority.startIndex
        let colon = authority[end...].firstIndex(of: ":") ?? authority.endIndex
        let host = authority[..<colon].lowercased()
        guard ["localhost", "127.0.0.1", "[::1]"].contains(host) else { throw .host(String(authority[..<colon])) }
        let port = authority[colon...].dropFirst()
        guard let number = colon == authority.endIndex ? 80 : UInt16(port), number > 0 else {
            throw .port(String(port))
        }
        self.init(host: host, port: number, path: path)
    }

    /// The address as text.
    public var description: String { "http://\(host):\(port)\(path)" }
}
