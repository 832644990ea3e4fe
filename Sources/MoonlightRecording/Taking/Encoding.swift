#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Values as JSON, and back.
package enum Encoding {
    /// Returns a value as JSON; nil if its type is not `Codable`, or if it cannot be encoded.
    static func json(_ value: Any) -> String? {
        guard let value = value as? any Encodable, let data = try? encode(value) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+infinity", negativeInfinity: "-infinity", nan: "nan")
        return encoder
    }()

    private static func encode(_ value: some Encodable) throws -> Data { try encoder.encode(value) }

    /// Returns the value of JSON.
    ///
    /// - Throws: The reason why it cannot be decoded.
    package static func value(_ type: Any.Type, of json: String) throws(EncodingFault) -> Any {
        if type == Void.self { return () }
        guard let type = type as? any Decodable.Type else { throw EncodingFault(reason: "\(type) is not Decodable") }
        guard !json.isEmpty else {
            throw EncodingFault(reason: "it was recorded without its value: \(type) was not Encodable, or its JSON too large")
        }
        do { return try decode(type, json) } catch { throw EncodingFault(reason: "\(error)") }
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "+infinity", negativeInfinity: "-infinity", nan: "nan")
        return try decoder.decode(type, from: Data(json.utf8))
    }
}

/// The reason why a value cannot be decoded.
package struct EncodingFault: Error { package let reason: String }

/// JSON as a tree, from which parts can be removed. Numbers keep their digits.
indirect enum JSONTree: Equatable {
    case null
    case bool(Bool)
    case number(String)
    case text(String)
    case list([JSONTree])
    case object([String: JSONTree])

    /// Parses JSON that ``Encoding`` has written; nil if it is invalid.
    init?(_ json: String) {
        var rest = Substring(json).utf8
        guard let tree = Self(&rest, 0), rest.isEmpty else { return nil }
        self = tree
    }

    private init?(_ rest: inout Substring.UTF8View, _ depth: Int) {
        guard depth < 512, let first = rest.first else { return nil }
        switch first {
        case UInt8(ascii: "{"):
            var members: [String: JSONTree] = [:]
            repeat {
                rest.removeFirst()
                if members.isEmpty, rest.first == UInt8(ascii: "}") { break }
                guard case .text(let name)? = Self(&rest, depth + 1), rest.first == UInt8(ascii: ":") else { return nil }
                rest.removeFirst()
                guard let value = Self(&rest, depth + 1) else { return nil }
                members[name] = value
            } while rest.first == UInt8(ascii: ",")
            guard rest.popFirst() == UInt8(ascii: "}") else { return nil }
            self = .object(members)
        case UInt8(ascii: "["):
            var elements: [JSONTree] = []
            repeat {
                rest.removeFirst()
                if elements.isEmpty, rest.first == UInt8(ascii: "]") { break }
                guard let value = Self(&rest, depth + 1) else { return nil }
                elements.append(value)
            } while rest.first == UInt8(ascii: ",")
            guard rest.popFirst() == UInt8(ascii: "]") else { return nil }
            self = .list(elements)
        case UInt8(ascii: "\""):
            let start = rest
            rest.removeFirst()
            while let byte = rest.first, byte != UInt8(ascii: "\"") { rest = rest.dropFirst(byte == UInt8(ascii: "\\") ? 2 : 1) }
            guard rest.popFirst() != nil else { return nil }
            let literal = String(Substring(start[start.startIndex..<rest.startIndex]))
            guard let text = (try? Encoding.value(String.self, of: literal)) as? String else { return nil }
            self = .text(text)
        default:
            let word = String(Substring(rest.prefix { !",]}:".utf8.contains($0) }))
            rest = rest.dropFirst(word.utf8.count)
            switch word {
            case "null": self = .null
            case "true": self = .bool(true)
            case "false": self = .bool(false)
            default:
                guard Double(word) != nil else { return nil }
                self = .number(word)
            }
        }
    }

    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let digits): digits
        case .text(let text): Encoding.json(text) ?? "\"\""
        case .list(let elements): "[\(elements.map(\.text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\(Self.text($0.key).text):\($0.value.text)" }.joined(separator: ","))}"
        }
    }

    /// Changes the value at a path of names; returns true if there is one. A null on the path needs no change.
    mutating func change(_ path: ArraySlice<String>, _ change: (JSONTree) -> JSONTree) -> Bool {
        guard let name = path.first else {
            self = change(self)
            return true
        }
        guard case .object(var members) = self else { return self == .null }
        guard var member = members[name] else { return false }
        guard member.change(path.dropFirst(), change) else { return false }
        members[name] = member
        self = .object(members)
        return true
    }
}
