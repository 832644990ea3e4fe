import Testing

@testable import SampleTerminal

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite("Lines to a file")
struct OutputTests {
    @Test("Lines come out whole and in order, more of them than are held at once")
    func order() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let output = Output(descriptor: ends[1], capacity: 64, delay: .seconds(3600))
        let expected = (0..<100).map { "line \($0)" }
        for line in expected { output.write([line]) }
        output.flush()
        close(ends[1])
        var reader = LineReader(descriptor: ends[0])
        var lines: [String] = []
        while let line = try reader.next() { lines.append(line.text) }
        #expect(lines == expected)
        #expect(output.failure == nil)
    }

    @Test("After a failure nothing is kept, and the reason is known")
    func failure() {
        let output = Output(descriptor: -1, delay: .seconds(3600))
        output.write(["lost"])
        output.flush()
        #expect(output.failure == SystemError(code: EBADF))
        output.write(["lost too"])
        output.flush()
        #expect(output.failure == SystemError(code: EBADF))
    }
}
