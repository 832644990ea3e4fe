import SampleLoopback

/// Where a file comes from.
enum Source: Hashable, Sendable {
    /// A file of this machine, by its path.
    case file(String)
    /// A server on this machine.
    case http(LoopbackURL)

    /// Why a text is no source.
    struct Fault: Error, Equatable {
        let reason: String
    }

    /// A source from its text: `file:` with a path, or `http://`.
    init(_ text: String) throws(Fault) {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        switch scheme {
        case "file": self = .file(try Self.path(text.dropFirst("file:".count)))
        case "http":
            do throws(LoopbackURL.Fault) { self = .http(try LoopbackURL(text)) } catch {
                throw Fault(reason: error.description)
            }
        default: throw Fault(reason: "a source begins with file: or http://")
        }
    }

    private static func path(_ rest: Substring) throws(Fault) -> String {
        // `file:///a` names an empty host; `file:a` none, and a path from here.
        var path = rest
        if path.hasPrefix("//") {
            let host = path.dropFirst(2).prefix { $0 != "/" }
            guard host.isEmpty || host == "localhost" else { throw Fault(reason: "'\(host)' is another machine") }
            path = path[host.endIndex...]
        }
        guard let decoded = path.percentDecoded, !decoded.isEmpty else { throw Fault(reason: "there is no path in it") }
        return decoded
    }

    /// What the file is to be called.
    func name() throws(Fault) -> String {
        let path: String
        switch self {
        case .file(let file): path = file
        case .http(let url):
            guard let decoded = url.path.prefix(while: { $0 != "?" }).percentDecoded else {
                throw Fault(reason: "its name is no text")
            }
            path = decoded.hasSuffix("/") ? decoded + "index.html" : decoded
        }
        let name = String(path.split(separator: "/").last ?? "")
        if name.isEmpty || name == "." || name == ".." { throw Fault(reason: "there is no name in it") }
        if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            throw Fault(reason: "a control character is in its name")
        }
        if name.hasSuffix(PartFile.suffix) {
            throw Fault(reason: "names that end in \(PartFile.suffix) are for files that are not whole")
        }
        if name.utf8.count > 250 { throw Fault(reason: "its name is too long") }
        return name
    }
}

extension Source: CustomStringConvertible {
    var description: String {
        switch self {
        case .file(let path): "file:\(path)"
        case .http(let url): url.description
        }
    }
}

extension StringProtocol {
    /// The text with each `%41` as the byte that it stands for; nil if that is no text.
    fileprivate var percentDecoded: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
