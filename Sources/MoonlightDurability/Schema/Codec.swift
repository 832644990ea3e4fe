import Streams

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A conversion between values and bytes.
///
/// The default for `Codable` values is ``json``. A custom codec may be smaller or faster, or encrypt:
///
/// ```swift
/// let sealed = Codec<OrderEffect>(
///     encode: { try seal(Codec.json.encode($0)) },
///     decode: { try Codec.json.decode(open($0)) })
/// ```
public struct Codec<Value>: Sendable {
    /// Encodes a value: an effect or an event inside the loop, before the effect is applied, and a state on threads of the log. If it
    /// throws, the effect is refused and its sender receives the error.
    public let encode: @Sendable (Value) throws -> [UInt8]
    /// Decodes bytes that ``encode`` has returned, possibly years ago.
    public let decode: @Sendable ([UInt8]) throws -> Value
    /// Decodes many values at once, if that is faster. It may fail for values that ``decode`` accepts.
    var decodeAll: (@Sendable ([ArraySlice<UInt8>]) throws -> [Value])?

    /// Creates a codec.
    ///
    /// - Parameters:
    ///   - encode: Encodes a value. Called inside the loop for an effect or an event, on threads of the log for a state.
    ///   - decode: Decodes bytes that `encode` has returned.
    public init(
        encode: @escaping @Sendable (Value) throws -> [UInt8], decode: @escaping @Sendable ([UInt8]) throws -> Value
    ) {
        self.encode = encode
        self.decode = decode
    }
}

// The only file of this library that uses Foundation.
extension Codec where Value: Codable {
    /// JSON with sorted keys, by Foundation's `JSONEncoder`. Equal values have equal bytes, unless they contain sets, or dictionaries that
    /// are not encoded as objects.
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
    /// Decodes JSON of a type that may no longer be encodable.
    static func json(_ bytes: [UInt8]) throws -> Value { try JSONCoder().decode(Value.self, bytes) }
}

/// Returns whether bytes are JSON.
func isJSON(_ bytes: [UInt8]) -> Bool { (try? Codec<AnyJSON>.json(bytes)) != nil }

/// A value that any JSON decodes to: the decoder parses all of it before it calls the initializer.
private struct AnyJSON: Decodable {
    init(from decoder: any Decoder) {}
}

/// Marks a closure as Sendable. It must capture only Sendable values and conformances of its types, which the compiler cannot prove to be
/// nonisolated.
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
