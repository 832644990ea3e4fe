/// A parameter of a statement, in the server's binary form.
struct Parameter: Sendable {
    /// The object identifier (OID) of the type.
    let type: UInt32
    /// The bytes; nil for NULL.
    let bytes: [UInt8]?

    static func text(_ value: String) -> Parameter { Parameter(type: 25, bytes: Array(value.utf8)) }
    static func number(_ value: Int64?) -> Parameter { Parameter(type: 20, bytes: value.map(bigEndian)) }
    static func number(_ value: UInt64) -> Parameter { .number(Int64(bitPattern: value)) }
    static func bytes(_ value: [UInt8]) -> Parameter { Parameter(type: 17, bytes: value) }

    static func texts(_ values: [String]) -> Parameter { array(1009, of: 25, values.map { Array($0.utf8) }) }
    static func numbers(_ values: [Int64?]) -> Parameter { array(1016, of: 20, values.map { $0.map(bigEndian) }) }
    static func numbers(_ values: [UInt64]) -> Parameter { .numbers(values.map { Int64(bitPattern: $0) }) }
    static func bytes(_ values: [[UInt8]]) -> Parameter { array(1001, of: 17, values) }

    /// Encodes a one-dimensional array: the number of dimensions, a flag for NULLs, the type, the count and the first index; then
    /// each element, preceded by its length.
    private static func array(_ type: UInt32, of element: UInt32, _ values: [[UInt8]?]) -> Parameter {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + values.reduce(0) { $0 + 4 + ($1?.count ?? 0) })
        func append(_ value: Int32) { withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) } }
        append(values.isEmpty ? 0 : 1)
        append(values.contains { $0 == nil } ? 1 : 0)
        append(Int32(bitPattern: element))
        if !values.isEmpty {
            append(Int32(values.count))
            append(1)
        }
        for value in values {
            append(value.map { Int32($0.count) } ?? -1)
            if let value { bytes.append(contentsOf: value) }
        }
        return Parameter(type: type, bytes: bytes)
    }

    private static func bigEndian(_ value: Int64) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
}

/// A statement with its parameters.
struct Command: Sendable {
    let sql: String
    let parameters: [Parameter]

    init(_ sql: String, _ parameters: Parameter...) { self.init(sql: sql, parameters) }

    init(sql: String, _ parameters: [Parameter]) {
        self.sql = sql
        self.parameters = parameters
    }
}
