import MoonPresentation
import MoonlightTestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite("LineReader: lines of a file")
struct LineReaderTests {
    /// Reads bytes through a pipe.
    private func lines(_ bytes: [UInt8], longest: Int = 100, chunk: Int) throws -> [InputLines.Line] {
        var ends: [Int32] = [-1, -1]
        expectEqual(pipe(&ends), 0)
        expectEqual(write(ends[1], bytes, bytes.count), bytes.count)
        close(ends[1])
        defer { close(ends[0]) }
        var reader = LineReader(descriptor: ends[0], longest: longest, chunk: chunk)
        var lines: [InputLines.Line] = []
        while let line = try reader.next() { lines.append(line) }
        try expect(reader.next() == nil)
        return lines
    }

    @Test("Lines are the same whatever the pieces in which they arrive", arguments: [1, 2, 3, 7, 64, 1 << 16])
    func pieces(chunk: Int) throws {
        let lines = try lines(Array("one\ntwo\r\n\n\r\nfive\rsix\n七\nlast".utf8), chunk: chunk)
        expectEqual(lines.map(\.text), ["one", "two", "", "", "five\rsix", "七", "last"])
        expectEqual(lines.map(\.number), Array(1...7))
        expect(lines.allSatisfy { !$0.isCut })
    }

    @Test("A line that is too long is cut, and the next one is whole", arguments: [1, 4, 5, 64])
    func long(chunk: Int) throws {
        let lines = try lines(Array("abcdefghij\nabcde\nabcdef".utf8), longest: 5, chunk: chunk)
        expectEqual(lines.map(\.text), ["abcde", "abcde", "abcde"])
        expectEqual(lines.map(\.isCut), [true, false, true])
    }

    @Test("Bytes that are not UTF-8 are replaced")
    func invalid() throws {
        try expectEqual(lines([0x61, 0xFF, 0x62, 0x0A], chunk: 64).map(\.text), ["a\u{FFFD}b"])
    }

    @Test("An empty file has no lines, and a lone line end is one empty line")
    func empty() throws {
        try expect(lines([], chunk: 64).isEmpty)
        try expectEqual(lines([0x0A], chunk: 64).map(\.text), [""])
    }

    @Test("Reading fails for a descriptor that cannot be read")
    func unreadable() {
        var reader = LineReader(descriptor: -1)
        #expect(throws: SystemError(code: EBADF, attempt: "read descriptor -1")) { try reader.next() }
    }
}
