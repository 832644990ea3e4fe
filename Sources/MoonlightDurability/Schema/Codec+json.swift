import Streams

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// The only file of this library that uses Foundation.
extension Codec where Value: Codable {
    /// JSON, as Foundation's `JSONEncoder` writes it, with sorted keys: equal values have equal bytes.
    public static var json: Codec {
        let coder = JSONCoder()
        var codec = Codec(encode: sendable { try coder.encode($0) }, decode: sendable { try coder.decode(Value.self, $0) })
        codec.decodeAll = sendable { bodies in
            try coder.decode([Value].self, Array("[".utf8) + bodies.joined(separator: Array(",".utf8)) + Array("]".utf8))
        }
        return codec
    }
}

extension Codec where Value: Decodable {
    /// Decodes JSON; what cannot be encoded any more is not needed for it.
    static func json(_ bytes: [UInt8]) throws -> Value { try JSONCoder().decode(Value.self, bytes) }
}

/// Whether bytes are JSON.
func isJSON(_ bytes: [UInt8]) -> Bool { (try? Codec<AnyJSON>.json(bytes)) != nil }

/// A value that any JSON is: the decoder reads all of it before it asks for anything.
private struct AnyJSON: Decodable {
    init(from decoder: any Decoder) {}
}

/// Returns a closure, marked as Sendable. It must capture nothing but Sendable values and the conformances of its types, which the
/// compiler cannot prove not to be isolated to an actor.
func sendable<Input, Output>(_ closure: @escaping (Input) throws -> Output) -> @Sendable (Input) throws -> Output {
    let closure = UncheckedTransfer(closure)
    return { try closure.value($0) }
}

private final class JSONCoder: @unchecked Sendable {
    // Sound: the coders are not changed after they were made, and may then be used from any thread.
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    init() { encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes] }

    func encode(_ value: some Encodable) throws -> [UInt8] { Array(try encoder.encode(value)) }
    func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
        try decoder.decode(type, from: Data(bytes))
    }
}
