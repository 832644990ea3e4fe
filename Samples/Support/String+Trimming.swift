extension String {
    /// The text without the white space around it. Most have none, and are recognised by two bytes.
    public var trimmingSpaces: String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = utf8.first, let last = utf8.last, isSpace(first) || isSpace(last) else { return self }
        let front = utf8.drop(while: isSpace)
        guard let end = front.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(Substring(front[...end]))
    }
}
