/// Places in a text, counted in bytes of UTF-8, at which characters begin.
extension String {
    enum Rounding {
        case down
        case up
    }

    /// The place itself if a character begins or the text ends there, or else the next one in a direction.
    func characterBoundary(at offset: Int, _ rounding: Rounding) -> Int {
        if offset <= 0 { return 0 }
        let count = utf8.count
        if offset >= count { return count }
        // `index(after:)` rounds down to where the character begins, and goes to where it ends.
        let end = index(after: utf8.index(startIndex, offsetBy: offset))
        let start = place(index(before: end))
        return start == offset || rounding == .down ? start : place(end)
    }

    /// The beginning of the word before a place: what is no word is skipped first.
    func wordStart(before offset: Int) -> Int {
        var index = utf8.index(startIndex, offsetBy: offset)
        while index > startIndex, !self[self.index(before: index)].isPartOfWord { index = self.index(before: index) }
        while index > startIndex, self[self.index(before: index)].isPartOfWord { index = self.index(before: index) }
        return place(index)
    }

    /// The end of the word behind a place: what is no word is skipped first.
    func wordEnd(behind offset: Int) -> Int {
        var index = utf8.index(startIndex, offsetBy: offset)
        while index < endIndex, !self[index].isPartOfWord { index = self.index(after: index) }
        while index < endIndex, self[index].isPartOfWord { index = self.index(after: index) }
        return place(index)
    }

    /// The beginning of the line in which a place lies.
    func lineStart(at offset: Int) -> Int {
        let index = utf8.index(startIndex, offsetBy: offset)
        return utf8[..<index].lastIndex(of: 0x0A).map { place($0) + 1 } ?? 0
    }

    /// The end of the line in which a place lies.
    func lineEnd(at offset: Int) -> Int {
        let index = utf8.index(startIndex, offsetBy: offset)
        return utf8[index...].firstIndex(of: 0x0A).map { place($0) } ?? utf8.count
    }

    /// What is left of the text behind another one that it begins with; nil if it does not. Characters are compared, not bytes.
    func rest(behind beginning: String) -> Substring? {
        var index = startIndex
        for character in beginning {
            guard index < endIndex, self[index] == character else { return nil }
            formIndex(after: &index)
        }
        return self[index...]
    }

    /// Whether both texts consist of the same bytes. Texts that are equal may differ in their Unicode form, and in their length then.
    func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    private func place(_ index: Index) -> Int { utf8.distance(from: startIndex, to: index) }
}

extension Character {
    fileprivate var isPartOfWord: Bool { isLetter || isNumber || self == "_" }
}
