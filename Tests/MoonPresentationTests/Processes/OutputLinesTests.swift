import Moonlight
import MoonlightTestSupport
import Testing

@testable import MoonPresentation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite("OutputLines: lines to a file")
struct OutputLinesTests {
    @Test("Lines are written whole and in order, also more of them than are held at once")
    func order() {
        var ends: [Int32] = [-1, -1]
        expectEqual(pipe(&ends), 0)
        defer { close(ends[0]) }
        let output = OutputLines(descriptor: ends[1], capacity: 64, delay: .seconds(3600))
        let expected = (0..<100).map { "line \($0)" }
        for line in expected { output.write([line]) }
        output.flush()
        close(ends[1])
        var splitter = LineSplitter()
        var lines: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case .bytes(let count) = Descriptor(number: ends[0]).read(into: &buffer) {
            lines += splitter.takeLines(buffer[..<count]).map(\.text)
        }
        expectEqual(lines, expected)
        expect(output.failure == nil)
    }

    @Test("Lines wait for others until they fill the buffer, which is then written before `write` returns")
    func capacity() {
        var ends: [Int32] = [-1, -1]
        expectEqual(pipe(&ends), 0)
        defer { for end in ends { close(end) } }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        let output = OutputLines(descriptor: ends[1], capacity: 8, delay: .seconds(3600))
        var buffer = [UInt8](repeating: 0, count: 64)
        output.write(["one"])
        expectEqual(read(ends[0], &buffer, buffer.count), -1)
        output.write(["two"])
        expectEqual(read(ends[0], &buffer, buffer.count), 8)
    }

    @Test("`finish` returns the exit code: 74 if lines could not be written")
    func exitCode() {
        let output = OutputLines(descriptor: -1)
        expectEqual(output.finish(of: "test"), 0)
        output.write(["lost"])
        expectEqual(output.finish(of: "test"), 74)
    }

    @Test("Lines after a failure are dropped, and the reason is known")
    func failure() {
        let output = OutputLines(descriptor: -1, delay: .seconds(3600))
        output.write(["lost"])
        output.flush()
        expectEqual(output.failure, SystemError(code: EBADF, attempt: "write to descriptor -1"))
        output.write(["lost too"])
        output.flush()
        expectEqual(output.failure, SystemError(code: EBADF, attempt: "write to descriptor -1"))
    }

    @Test(
        "Control characters are made visible, and all other text stays as it is",
        arguments: [
            ("plain", "plain"), ("月 é 👩‍🚀", "月 é 👩‍🚀"), ("\u{1B}[2J", "\\u{1B}[2J"), ("a\tb\r\n", "a\\tb\\r\\n"),
            ("\u{9B}m", "\\u{009B}m"), ("\u{7F}", "\\u{7F}"), ("a\u{202E}b", "a\\u{202E}b"), ("\0", "\\0"),
            ("\u{2028}", "\\u{2028}"),
        ])
    func escaping(text: String, expected: String) {
        expectEqual(text.escapingControls, expected)
    }
}
