/// Texts that must not stand anywhere, and what stands in their place.
struct SecretTexts {
    private struct Secret {
        let bytes: [UInt8]
        let replacement: [UInt8]
        /// Whether it is a number, which is no secret as a part of a longer one.
        let isNumber: Bool
    }

    /// The secrets by their first three bytes: each has as many.
    private var secrets: [UInt32: [Secret]] = [:]
    /// Whether a secret begins with a byte.
    private var isFirst = [Bool](repeating: false, count: 256)

    var isEmpty: Bool { secrets.isEmpty }

    /// Adds a text, in the forms that it has in Swift, in JSON and in a description.
    mutating func add(text: String, forms: Set<String>) {
        for form in forms {
            if text.count >= 4 {
                add(Secret(bytes: Array(form.utf8), replacement: Array("redacted".utf8), isNumber: false))
            } else {
                // A short text is part of many others: only the whole literal is meant.
                add(Secret(bytes: Array("\"\(form)\"".utf8), replacement: Array("\"redacted\"".utf8), isNumber: false))
            }
        }
    }

    /// Adds a number of four digits or more.
    mutating func add(number: String) {
        add(Secret(bytes: Array(number.utf8), replacement: Array("0".utf8), isNumber: true))
    }

    private mutating func add(_ secret: Secret) {
        secrets[Self.key(secret.bytes, 0), default: []].append(secret)
        isFirst[Int(secret.bytes[0])] = true
    }

    private static func key(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
    }

    /// Returns a text without the secrets. Of secrets that overlap, nothing is left.
    func redacted(_ text: String) -> String {
        if secrets.isEmpty { return text }
        let bytes = Array(text.utf8)
        var (result, copied): ([UInt8], Int) = ([], 0)
        // What is left out just now: up to where, and what comes in its place.
        var (end, replacement): (Int, [UInt8]) = (-1, [])
        var place = 0
        while place + 2 < bytes.count {
            if end == place {
                result += replacement
                (copied, end) = (place, -1)
            }
            if isFirst[Int(bytes[place])], let found = longest(at: place, in: bytes) {
                if end < 0 {
                    result += bytes[copied..<place]
                    replacement = found.replacement
                }
                end = max(end, place + found.bytes.count)
            }
            place += 1
        }
        if copied == 0, end < 0, result.isEmpty { return text }
        if end >= 0 {
            result += replacement
            copied = end
        }
        return String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    private func longest(at place: Int, in bytes: [UInt8]) -> Secret? {
        var longest: Secret?
        for secret in secrets[Self.key(bytes, place)] ?? [] where secret.bytes.count > longest?.bytes.count ?? 0 {
            let end = place + secret.bytes.count
            guard end <= bytes.count, bytes[place..<end].elementsEqual(secret.bytes),
                !secret.isNumber || Self.isAlone(place, end, bytes)
            else { continue }
            longest = secret
        }
        return longest
    }

    /// Whether a number is no part of a longer one.
    private static func isAlone(_ place: Int, _ end: Int, _ bytes: [UInt8]) -> Bool {
        func isDigit(_ place: Int) -> Bool { bytes.indices.contains(place) && (48...57).contains(bytes[place]) }
        return !isDigit(place - 1) && !isDigit(end)
    }
}
