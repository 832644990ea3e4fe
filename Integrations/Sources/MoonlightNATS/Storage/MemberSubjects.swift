import MoonlightDurability

/// The subjects of a fleet's stream.
struct MemberSubjects {
    let fleet: String

    var stream: String { "MOONLIGHT_FLEET_\(fleet)" }
    var all: String { "moonlight-fleet.\(fleet).>" }
    /// The subject of the message with the identity of these logs.
    var identity: String { "moonlight-fleet.\(fleet).identity" }
    var logs: String { "moonlight-fleet.\(fleet).log.*" }
    /// The subjects of the members that may be due.
    var dues: String { "moonlight-fleet.\(fleet).due.*" }

    func log(of id: String) -> String { "moonlight-fleet.\(fleet).log.\(Self.token(of: id))" }
    func due(of id: String) -> String { "moonlight-fleet.\(fleet).due.\(Self.token(of: id))" }

    /// Returns the id in a subject; nil if the subject is not that of a member.
    static func id(of subject: String) -> String? {
        subject.split(separator: ".", omittingEmptySubsequences: false).last.flatMap { id(ofToken: String($0)) }
    }

    /// Returns the token of an id in a subject: letters, digits, `-` and `_` unchanged, other bytes as `=` and two digits.
    static func token(of id: String) -> String {
        if id.isEmpty { return "=" }
        var bytes: [UInt8] = []
        for byte in id.utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func id(ofToken token: String) -> String? {
        if token == "=" { return "" }
        var (bytes, rest) = ([UInt8](), Array(token.utf8)[...])
        while let byte = rest.popFirst() {
            if isPlain(byte) {
                bytes.append(byte)
                continue
            }
            guard byte == UInt8(ascii: "="), let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value)
            else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Refuses an id whose subject would be too long: servers close the connection after a command of more than 4096 bytes, by
    /// default.
    static func check(_ id: String) throws(DurabilityError) {
        let count = token(of: id).utf8.count
        guard count <= longestToken else {
            throw .unwritable(
                "an id has \(count) bytes in a subject, but may have \(longestToken): \(id.prefix(80).debugDescription)"
            )
        }
    }

    private static let longestToken = 3000

    /// Returns whether a name is valid in a subject and in the name of a stream.
    static func isName(_ name: String) -> Bool { !name.isEmpty && name.utf8.allSatisfy(isPlain) }

    /// Returns whether a text is valid as the end of a subject: names that are separated by dots.
    static func isEnd(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { isName(String($0)) }
    }

    private static let digits = Array("0123456789abcdef".utf8)
    private static func value(_ digit: UInt8) -> UInt8? { digits.firstIndex(of: digit).map { UInt8($0) } }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
