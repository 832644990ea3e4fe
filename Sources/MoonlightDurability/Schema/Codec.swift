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
    /// Decodes bytes that ``encode`` has returned, perhaps years ago.
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
