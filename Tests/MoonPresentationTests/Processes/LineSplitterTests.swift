import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("LineSplitter: lines of bytes that arrive in pieces")
struct LineSplitterTests {
    /// The lines of bytes that arrive in pieces of a size.
    private func lines(_ bytes: [UInt8], longest: Int = 100, chunk: Int) -> [LineSplitter.Line] {
        var splitter = LineSplitter(longest: longest)
        var lines: [LineSplitter.Line] = []
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            lines += splitter.takeLines(bytes[start..<min(bytes.count, start + chunk)])
        }
        if let last = splitter.endLine() { lines.append(last) }
        return lines
    }

    @Test("Lines are the same for any pieces in which they arrive", arguments: [1, 2, 3, 7, 64, 1 << 16])
    func pieces(chunk: Int) {
        let lines = lines(Array("one\ntwo\r\n\n\r\nfive\rsix\n七\nlast".utf8), chunk: chunk)
        expectEqual(lines.map(\.text), ["one", "two", "", "", "five\rsix", "七", "last"])
        expect(lines.allSatisfy { !$0.isCut })
    }

    @Test("A line that is too long is cut, and the next one is whole", arguments: [1, 4, 5, 64])
    func long(chunk: Int) {
        let lines = lines(Array("abcdefghij\nabcde\nabcdef".utf8), longest: 5, chunk: chunk)
        expectEqual(lines.map(\.text), ["abcde", "abcde", "abcde"])
        expectEqual(lines.map(\.isCut), [true, false, true])
    }

    @Test("A line end does not count for the limit, in any pieces", arguments: [1, 5, 6, 7, 64])
    func longestLine(chunk: Int) {
        let lines = lines(Array("abcde\r\nabcde\rx\nabcdef\r\nabcde\r\n".utf8), longest: 5, chunk: chunk)
        expectEqual(lines.map(\.text), ["abcde", "abcde", "abcde", "abcde"])
        expectEqual(lines.map(\.isCut), [false, true, true, false])
        var whole = LineSplitter(longest: .max)
        expectEqual(whole.takeLines(Array("a\r\n".utf8)[...]), [LineSplitter.Line(text: "a", isCut: false)])
    }

    @Test("Bytes that are not UTF-8 are replaced")
    func invalid() {
        expectEqual(lines([0x61, 0xFF, 0x62, 0x0A], chunk: 64).map(\.text), ["a\u{FFFD}b"])
    }

    @Test("Empty input has no lines, and a lone line end is one empty line")
    func empty() {
        expect(lines([], chunk: 64).isEmpty)
        expectEqual(lines([0x0A], chunk: 64).map(\.text), [""])
    }

    @Test("Lines are the same wherever their bytes are cut")
    func cuts() {
        let bytes = Array("one\r\n\n0123456789\nthr\u{FF}ee\r\nlast".utf8)
        let expected: [LineSplitter.Line] = [
            .init(text: "one", isCut: false), .init(text: "", isCut: false), .init(text: "01234567", isCut: true),
            .init(text: "thr\u{FF}ee", isCut: false), .init(text: "last", isCut: false),
        ]
        for place in 0...bytes.count {
            var splitter = LineSplitter(longest: 8)
            var lines = splitter.takeLines(bytes[..<place]) + splitter.takeLines(bytes[place...])
            if let last = splitter.endLine() { lines.append(last) }
            expectEqual(lines, expected, "cut at \(place)")
        }
    }

    @Test("A line break at the end of the input begins no further line")
    func end() {
        var splitter = LineSplitter()
        expectEqual(splitter.takeLines(Array("a\n".utf8)[...]).map(\.text), ["a"])
        expect(splitter.endLine() == nil)
        expectEqual(splitter.takeLines(Array("b".utf8)[...]), [])
        expectEqual(splitter.endLine()?.text, "b")
        expect(splitter.endLine() == nil)
    }

    @Test("A line is cut between characters", arguments: [1, 2, 64])
    func cutCharacters(chunk: Int) {
        expectEqual(lines(Array("abé\nab日\nab👍\nabcé\n".utf8), longest: 3, chunk: chunk).map(\.text), ["ab", "ab", "ab", "abc"])
        expectEqual(lines(Array("é".utf8), longest: 1, chunk: chunk), [LineSplitter.Line(text: "", isCut: true)])
        expectEqual(lines([0x61, 0x62, 0xC3, 0x63, 0x0A], longest: 3, chunk: chunk).map(\.text), ["ab\u{FFFD}"])
    }
}
