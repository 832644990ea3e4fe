import MoonlightDurability

/// An event on its way to the owner of a member.
struct RoutedRequest: Equatable, Sendable {
    var partition: Int
    var id: String
    /// The idempotency key of the event.
    var key: String
    var event: [UInt8]

    private static let version: UInt8 = 1

    var bytes: [UInt8] {
        var bytes = [Self.version]
        Self.append(UInt32(partition), to: &bytes)
        for part in [Array(id.utf8), Array(key.utf8), event] {
            Self.append(UInt32(part.count), to: &bytes)
            bytes += part
        }
        return bytes
    }

    init(partition: Int, id: String, key: String, event: [UInt8]) {
        self.partition = partition
        self.id = id
        self.key = key
        self.event = event
    }

    /// Decodes the request in a message; nil if the message is invalid.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        guard rest.popFirst() == Self.version, let number = Self.number(&rest) else { return nil }
        guard let id = Self.part(&rest).flatMap({ String(validating: $0, as: UTF8.self) }),
            let key = Self.part(&rest).flatMap({ String(validating: $0, as: UTF8.self) }), let event = Self.part(&rest),
            rest.isEmpty
        else { return nil }
        self.init(partition: Int(number), id: id, key: key, event: event)
    }

    private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> UInt32? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func part(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard let count = number(&rest), rest.count >= Int(count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return Array(rest.prefix(Int(count)))
    }
}
