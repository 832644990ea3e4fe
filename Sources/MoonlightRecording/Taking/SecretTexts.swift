/// Secrets, with their replacements.
///
/// A secret is found by its bytes and in each canonically equivalent form: `é` is the same as one code point and as two. A
/// joiner before or after it changes nothing, although it makes another `Character` of the first or the last one.
struct SecretTexts {
    private struct Secret {
        let replacement: [UInt8]
        /// True for a number, which is not a secret as a part of a longer one.
        let isNumber: Bool
    }

    /// The secrets that begin with the same bytes or segment, and their lengths.
    private struct Bucket<Key: Hashable> {
        private(set) var secrets: [Key: Secret] = [:]
        /// The lengths of the secrets, the longest first.
        private(set) var lengths: [Int] = []

        mutating func add(_ key: Key, _ length: Int, _ secret: Secret) {
            secrets[key] = secret
            if let place = lengths.firstIndex(where: { $0 <= length }) {
                if lengths[place] != length { lengths.insert(length, at: place) }
            } else {
                lengths.append(length)
            }
        }
    }

    /// A match in a text: its end, and the replacement.
    private typealias Hit = (end: Int, replacement: [UInt8])

    /// The secrets by their first three bytes; each has at least three.
    private var byBytes: [UInt32: Bucket<ArraySlice<UInt8>>] = [:]
    /// For each byte, whether a secret begins with it.
    private var isFirst = [Bool](repeating: false, count: 256)
    /// The secrets with segments that have several forms, by the first segment.
    private var bySegments: [String: Bucket<String>] = [:]
    /// The number of secrets.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a text, in its forms in Swift, in JSON and in a description.
    mutating func add(text: String, forms: Set<String>) {
        for form in forms {
            // A short text is part of many others: only the whole literal is replaced.
            let (form, replacement) = text.count >= 4 ? (form, "redacted") : ("\"\(form)\"", "\"redacted\"")
            add(form, Secret(replacement: Array(replacement.utf8), isNumber: false))
        }
    }

    /// Adds a number of four digits or more.
    mutating func add(number: String) { add(number, Secret(replacement: Array("0".utf8), isNumber: true)) }

    private mutating func add(_ text: String, _ secret: Secret) {
        count += 1
        let bytes = Array(text.utf8)
        byBytes[Self.key(bytes, 0), default: Bucket()].add(bytes[...], bytes.count, secret)
        isFirst[Int(bytes[0])] = true
        if bytes.allSatisfy({ $0 < 0x80 }) { return }
        let segments = Self.segments(of: text)
        bySegments[segments[0], default: Bucket()].add(text, segments.count, secret)
    }

    /// Returns the parts of a text each of which has its own canonical forms: a code point with the marks that combine with it.
    ///
    /// They are smaller than characters, the parts of which may belong to a secret and to what surrounds it.
    private static func segments(of text: String) -> [String] {
        var segments: [String] = []
        var last = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if !last.isEmpty, !combines(scalar) {
                segments.append(String(last))
                last = String.UnicodeScalarView()
            }
            last.append(scalar)
        }
        if !last.isEmpty { segments.append(String(last)) }
        return segments
    }

    /// Returns true for a code point that may form one with those before it.
    static func combines(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x300 { return false }
        // Vowels and final consonants of Hangul.
        if (0x1160...0x11FF).contains(scalar.value) { return true }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return !scalar.properties.isVariationSelector
        default: return false
        }
    }

    private static func key(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
    }

    /// Returns a text without the secrets. Overlapping secrets are removed as a whole.
    ///
    /// - Complexity: Linear in the text, for any number of secrets; where one could begin, one lookup for each length.
    func redacted(_ text: String) -> String {
        if isEmpty { return text }
        let bytes = Array(text.utf8)
        let alike = alike(in: text, bytes)
        var (result, copied): ([UInt8], Int) = ([], 0)
        // The current match.
        var (end, replacement): Hit = (-1, [])
        var place = 0
        while place < bytes.count {
            if end == place {
                result += replacement
                (copied, end) = (place, -1)
            }
            if let found = longest(at: place, in: bytes, alike) {
                if end < 0 {
                    result += bytes[copied..<place]
                    replacement = found.replacement
                }
                end = max(end, found.end)
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

    private func longest(at place: Int, in bytes: [UInt8], _ alike: [Int: Hit]) -> Hit? {
        let other = alike.isEmpty ? nil : alike[place]
        guard isFirst[Int(bytes[place])], place + 2 < bytes.count, let bucket = byBytes[Self.key(bytes, place)] else {
            return other
        }
        for length in bucket.lengths {
            let end = place + length
            guard end <= bytes.count, let secret = bucket.secrets[bytes[place..<end]] else { continue }
            if secret.isNumber, !Self.isAlone(place, end, bytes) { continue }
            if let other, other.end > end { return other }
            return (end, secret.replacement)
        }
        return other
    }

    /// Returns the matches by segments, by the index of their first byte.
    private func alike(in text: String, _ bytes: [UInt8]) -> [Int: Hit] {
        if bySegments.isEmpty || bytes.allSatisfy({ $0 < 0x80 }) { return [:] }
        var hits: [Int: Hit] = [:]
        // The indices of all segments in bytes, and the end.
        var places = [0]
        let segments = Self.segments(of: text)
        for segment in segments { places.append(places[places.count - 1] + segment.utf8.count) }
        for index in segments.indices {
            guard let bucket = bySegments[segments[index]] else { continue }
            for length in bucket.lengths where index + length <= segments.count {
                guard let secret = bucket.secrets[segments[index..<index + length].joined()] else { continue }
                hits[places[index]] = (places[index + length], secret.replacement)
                break
            }
        }
        return hits
    }

    /// Returns true for a number that is not part of a longer one.
    private static func isAlone(_ place: Int, _ end: Int, _ bytes: [UInt8]) -> Bool {
        func isDigit(_ place: Int) -> Bool { bytes.indices.contains(place) && (48...57).contains(bytes[place]) }
        return !isDigit(place - 1) && !isDigit(end)
    }
}
