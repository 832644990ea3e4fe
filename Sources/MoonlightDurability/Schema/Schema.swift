/// How values of a type are kept in a log: their version, their codec, and how values of older versions become present ones.
///
/// ```swift
/// enum OrderEffect: Codable { case placed(id: Int, currency: String) }
///
/// let orders = Schema(OrderEffect.self, version: 2)
///     .upcasting(from: 1) { (old: OrderEffectV1) in .placed(id: old.id, currency: "EUR") }
/// ```
/// The version is written into each record. Raise it when the encoded form changes, and keep the old type beside its upcast; what
/// `Codable` reads anyway, such as a new optional property, needs no new version.
public struct Schema<Value>: Sendable {
    /// The version of the values that are written.
    public let version: UInt32
    let codec: Codec<Value>
    /// Whether the bytes of every version are taken as they are.
    private var isRaw = false
    private var upcasts: [UInt32: @Sendable ([UInt8]) throws -> Value] = [:]

    /// Creates a schema with a codec.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - version: The version of the values that are written.
    ///   - codec: How they are written and read.
    public init(_ type: Value.Type, version: UInt32, codec: Codec<Value>) {
        self.version = version
        self.codec = codec
    }

    /// Creates a schema of values that are written as JSON.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - version: The version of the values that are written.
    public init(_ type: Value.Type, version: UInt32 = 1) where Value: Codable {
        self.init(type, version: version, codec: .json)
    }

    /// Returns a schema that also reads values of an older version, which were written as JSON.
    ///
    /// - Parameters:
    ///   - version: The older version.
    ///   - upcast: Turns an old value into a present one. Must be pure.
    public func upcasting<Old: Decodable>(
        from version: UInt32, _ upcast: @escaping @Sendable (Old) throws -> Value
    ) -> Schema {
        upcasting(from: version, reading: sendable { try upcast(Codec<Old>.json($0)) })
    }

    /// Returns a schema that also reads values of an older version, which were written by another codec.
    ///
    /// - Parameters:
    ///   - version: The older version.
    ///   - read: Turns the bytes of an old value into a present one. Must be pure.
    public func upcasting(
        from version: UInt32, reading read: @escaping @Sendable ([UInt8]) throws -> Value
    ) -> Schema {
        precondition(version != self.version, "version \(version) is the present one, which needs no upcast")
        var schema = self
        schema.upcasts[version] = read
        return schema
    }

    /// The versions that can be read.
    var known: [UInt32] { (upcasts.keys + [version]).sorted() }

    /// Decodes values of the present version at once; nil if each has to be decoded by itself.
    var decodeAll: (@Sendable ([ArraySlice<UInt8>]) throws -> [Value])? { codec.decodeAll }

    func knows(_ version: UInt32) -> Bool { isRaw || version == self.version || upcasts[version] != nil }

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - bytes: The encoded value.
    ///   - version: The version by which it was encoded.
    ///   - what: What it is, for an error: `an effect`.
    ///   - sequence: The record that has it, for an error.
    func read(_ bytes: [UInt8], version: UInt32, _ what: String, in sequence: UInt64) throws(DurabilityError) -> Value {
        guard let read = isRaw || version == self.version ? codec.decode : upcasts[version] else {
            throw .unknownVersion(of: what, version: version, sequence: sequence, known: known)
        }
        do { return try read(bytes) } catch {
            throw .unreadable(sequence: sequence, reason: "\(what) of version \(version): \(error)")
        }
    }

    func write(_ value: Value) throws(DurabilityError) -> [UInt8] {
        do { return try codec.encode(value) } catch EncodingError.invalidValue(_, let context) {
            // Without the value, which may be very long.
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw .unwritable(context.debugDescription + (path.isEmpty ? "" : " (\(path))"))
        } catch { throw .unwritable("\(error)") }
    }
}

extension Schema<[UInt8]> {
    /// Takes the bytes of every version as they are, for a tool that does not know the values.
    static var raw: Schema {
        var schema = Schema([UInt8].self, version: 0, codec: Codec(encode: { $0 }, decode: { $0 }))
        schema.isRaw = true
        return schema
    }
}
