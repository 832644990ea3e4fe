/// A text that is compared by bytes, like names of files and keys of databases.
///
/// As `String`s, `caf\u{e9}` and `cafe\u{301}` are equal. To a storage they are two members, and to a recording two texts.
package struct ExactText: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (one: ExactText, other: ExactText) -> Bool {
        // Texts that are unequal as `String` have different bytes, too.
        one.text == other.text && one.text.utf8.elementsEqual(other.text.utf8)
    }

    package static func < (one: ExactText, other: ExactText) -> Bool { one.text.utf8.lexicographicallyPrecedes(other.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        if isHashed == nil { for byte in text.utf8 { hasher.combine(byte) } }
        // A byte that occurs in no text.
        hasher.combine(0xff as UInt8)
    }
}
