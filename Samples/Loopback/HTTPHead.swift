import MoonPresentation

/// The beginning of a request or of an answer: a first line, and fields with names.
struct HTTPHead: Equatable {
    /// The first line, in its three parts.
    let start: [String]
    /// The fields, their names in small letters.
    private let fields: [String: String]

    /// How many bytes a head may have.
    static let longest = 16_384

    /// What a peer has sent, up to and including the empty line.
    init(_ bytes: [UInt8]) throws(HTTPError) {
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\r\n" as Character, omittingEmptySubsequences: false)
            .flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
        start = lines.first?.split(separator: " ", maxSplits: 2).map(String.init) ?? []
        guard start.count >= 2 else { throw .nonsense("it begins with '\(lines.first?.prefix(40) ?? "")'") }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() where !line.isEmpty {
            guard let colon = line.firstIndex(of: ":") else { throw .nonsense("a field without a colon") }
            fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].filter { $0 != " " })
        }
        self.fields = fields
    }

    /// What a field says, without spaces.
    subscript(name: String) -> String? { fields[name] }

    /// How many bytes follow, if it is said.
    func length() throws(HTTPError) -> Int? {
        guard let text = fields["content-length"] else { return nil }
        guard let length = Int(text), length >= 0 else { throw .nonsense("a length of '\(text)'") }
        return length
    }
}

extension Socket {
    /// Reads a head.
    ///
    /// - Returns: The head, and what had come with it of what follows.
    func readHead() throws(HTTPError) -> (HTTPHead, rest: [UInt8]) {
        var bytes: [UInt8] = []
        while bytes.count <= HTTPHead.longest {
            let piece: [UInt8]
            do throws(SystemError) { piece = try read(atMost: 4096) } catch { throw HTTPError(error) }
            if piece.isEmpty {
                throw bytes.isEmpty ? .connection("closed without an answer") : .nonsense("it has no end")
            }
            let from = max(0, bytes.count - 3)
            bytes += piece
            if let end = Self.endOfHead(bytes, from: from) {
                return (try HTTPHead(Array(bytes[..<end])), Array(bytes[end...]))
            }
        }
        throw .nonsense("its head is longer than \(HTTPHead.longest) bytes")
    }

    /// Where the empty line ends, whose line ends may be of either kind.
    private static func endOfHead(_ bytes: [UInt8], from start: Int) -> Int? {
        let (cr, lf) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
        for index in start..<bytes.count where bytes[index] == lf {
            if index + 1 < bytes.count, bytes[index + 1] == lf { return index + 2 }
            if index + 2 < bytes.count, bytes[index + 1] == cr, bytes[index + 2] == lf { return index + 3 }
        }
        return nil
    }
}
