/// Sequences for the terminal as a whole. Text in them is escaped, so that it cannot end them early.
enum TerminalSequence {
    /// Holds the frame back until ``endOfFrame`` (mode 2026).
    static let beginningOfFrame: StaticString = "\u{1B}[?2026h"
    /// Shows the frame that was held back.
    static let endOfFrame: StaticString = "\u{1B}[?2026l"
    static let showCursor: StaticString = "\u{1B}[?25h"
    static let hideCursor: StaticString = "\u{1B}[?25l"
    /// The longest address of a link. Terminals ignore longer ones.
    static let longestLink = 2_083
    static let longestTitle = 200
    /// The longest text for the clipboard, in bytes: terminals limit the size.
    static let longestClipboard = 74_994

    /// The title of the window.
    static func title(_ title: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append("\u{1B}]2;")
        var count = 0
        for scalar in title.unicodeScalars where count < longestTitle {
            if VisibleText.picture(of: scalar.value) != nil { continue }
            bytes.append(scalar: scalar.value)
            count += 1
        }
        bytes.append("\u{1B}\\")
        return bytes
    }

    /// Copies text to the user's clipboard (OSC 52), if the terminal allows it.
    ///
    /// - Returns: The bytes; nil if the text is longer than ``longestClipboard``.
    static func clipboard(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= longestClipboard else { return nil }
        var bytes: [UInt8] = []
        bytes.append("\u{1B}]52;c;")
        append(base64: Array(text.utf8), to: &bytes)
        bytes.append("\u{1B}\\")
        return bytes
    }

    /// Begins a link, unless its address is too long. Bytes that are not allowed in an address are percent-encoded.
    static func append(link: String, to bytes: inout [UInt8]) {
        func isPlain(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }
        guard link.utf8.reduce(0, { $0 + (isPlain($1) ? 1 : 3) }) <= longestLink else { return }
        bytes.append("\u{1B}]8;;")
        for byte in link.utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(hexadecimal(byte >> 4))
                bytes.append(hexadecimal(byte & 15))
            }
        }
        bytes.append("\u{1B}\\")
    }

    private static func hexadecimal(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }

    private static func append(base64 input: [UInt8], to bytes: inout [UInt8]) {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        for start in stride(from: 0, to: input.count, by: 3) {
            let group = (0..<3).reduce(0) { $0 << 8 | (start + $1 < input.count ? Int(input[start + $1]) : 0) }
            for index in 0..<4 {
                let isPadding = start + index - 1 >= input.count && index > 1
                bytes.append(isPadding ? UInt8(ascii: "=") : digits[group >> (18 - 6 * index) & 63])
            }
        }
    }
}
