/// The version and codec of a type's values in a log, with upcasts from older versions.
///
/// ```swift
/// enum OrderEffect: Codable { case placed(id: Int, currency: String) }
///
/// let orders = Schema(OrderEffect.self, version: 2)
///     .upcasting(from: 1) { (old: OrderEffectV1) in .placed(id: old.id, currency: "EUR") }
/// ```
/// The version is written into each record. Raise it when the encoded form changes, and keep the old type for its upcast. A change that
/// `Codable` can read, such as a new optional property, needs no new version.
public struct Schema<Value>: Sendable {
    /// The version of the values that are written.
    public let version: UInt32
    let codec: Codec<Value>
    /// True if the bytes of every version are passed through.
    private var isRaw = false
    private var upcasts: [UInt32: @Sendable ([UInt8]) throws -> Value] = [:]

    /// Creates a schema with a codec.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - version: The version of the values that are written.
    ///   - codec: The codec of the values.
    public init(_ type: Value.Type, version: UInt32, codec: Codec<Value>) {
        self.version = version
        self.codec = codec
    }

    /// Creates a schema of values that are encoded as JSON.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - version: The version of the values that are written.
    public init(_ type: Value.Type, version: UInt32 = 1) where Value: Codable {
        self.init(type, version: version, codec: .json)
    }

    /// Returns a schema that also reads JSON values of an older version.
    ///
    /// - Parameters:
    ///   - version: The older version.
    ///   - upcast: Converts an old value. Must be pure.
    public func upcasting<Old: Decodable>(
        from version: UInt32, _ upcast: @escaping @Sendable (Old) throws -> Value
    ) -> Schema {
        upcasting(from: version, reading: sendable { try upcast(Codec<Old>.json($0)) })
    }

    /// Returns a schema that also reads values of an older version with another codec.
    ///
    /// - Parameters:
    ///   - version: The older version.
    ///   - read: Decodes and converts an old value. Must be pure.
    public func upcasting(
        from version: UInt32, reading read: @escaping @Sendable ([UInt8]) throws -> Value
    ) -> Schema {
        precondition(version != self.version, "version \(version) is the current version, which needs no upcast")
        var schema = self
        schema.upcasts[version] = read
        return schema
    }

    /// The versions that can be read.
    var known: [UInt32] { (upcasts.keys + [version]).sorted() }

    /// Decodes values of the current version at once; nil if each must be decoded by itself.
    var decodeAll: (@Sendable ([ArraySlice<UInt8>]) throws -> [Value])? { codec.decodeAll }

    func knows(_ version: UInt32) -> Bool { isRaw || version == self.version || upcasts[version] != nil }

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - bytes: The encoded value.
    ///   - version: The version with which it was encoded.
    ///   - what: The kind of value, for an error: `an effect`.
    ///   - sequence: The record, for an error.
    func read(_ bytes: [UInt8], version: UInt32, _ what: String, in sequence: UInt64) throws(DurabilityError) -> Value {
        guard let read = isRaw || version == self.version ? codec.decode : upcasts[version] else {
            throw .unknownVersion(of: what, version: version, sequence: sequence, known: known)
        }
        do { return try read(bytes) } catch {
            throw .unreadable(
                sequence: sequence,
                reason: "\(what) of version \(version): \(error) (if \(Value.self) has changed, raise the version of its schema, "
                    + "and read version \(version) with `upcasting(from: \(version))`)")
        }
    }

    func write(_ value: Value) throws(DurabilityError) -> [UInt8] {
        do { return try codec.encode(value) } catch { throw .unwritable(because: error) }
    }
}

extension Schema<[UInt8]> {
    /// A schema that passes the bytes of every version through, for a tool that does not know the type.
    static var raw: Schema {
        var schema = Schema([UInt8].self, version: 0, codec: Codec(encode: { $0 }, decode: { $0 }))
        schema.isRaw = true
        return schema
    }
}
