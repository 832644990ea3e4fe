import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Programs whose input or output is a pipe")
struct PipeTests {
    @Test("A program that is suspended prints nothing, and its frame once at its end")
    func suspension() throws {
        let input = TestPipe()
        let output = try Pipe(for: "a test")
        defer { output.close() }
        let update: @Sendable (inout Int, Int) -> Void = { _, _ in }
        let program = Program(0, update: update) { _, screen in screen.add(Text("frame")) }
        let size = Size(columns: 10, rows: 2)
        let (loop, notes) = program.start()
        let session = Session(
            ProgramCore(loop, notes, program.settings, size: size) {}, program.settings, TerminalCapabilities(), size: size,
            isTerminal: false)
        let signals = try SignalMail([])
        let driver = DescriptorDriver(
            session, signals, input: Descriptor(number: input.readEnd), output: output.writeEnd, TerminalRequests())
        session.open()
        driver.suspend { 0 }
        driver.comeBack()
        session.end(.finished)
        let ending = try driver.run()
        var buffer = [UInt8](repeating: 0, count: 100)
        var text = ""
        output.readEnd.drain(&buffer) { text += String(decoding: $0, as: UTF8.self) }
        expect(ending == .finished && text == "frame\n")
    }

    @Test(
        "All keys of a pipe are handled, also the last one, which more bytes could continue",
        arguments: [(String(repeating: "+", count: 36), "36\n"), ("x\u{1B}", "2\n"), ("x\u{1B}[", "2\n"), ("e\u{301}", "1\n")])
    func lastKey(_ typed: String, _ expected: String) async throws {
        let input = TestPipe()
        input.write(typed)
        input.closeWriteEnd()
        let output = try Pipe(for: "a test")
        defer { output.close() }
        let update: @Sendable (inout Int, Int) -> Void = { count, step in count += step }
        let program = Program(0, update: update) { count, screen in screen.add(Text("\(count)")) }
            .otherInput { _, input in if case .key = input { 1 } else { nil } }
        try await expectEqual(
            program.run(on: Terminal(input: input.readEnd, output: output.writeEnd.number)), .finished)
        var buffer = [UInt8](repeating: 0, count: 100)
        var text = ""
        output.readEnd.drain(&buffer) { text += String(decoding: $0, as: UTF8.self) }
        expectEqual(text, expected)
    }

    @Test("A program without an open input ends when nothing is in flight", .timeLimit(.minutes(1)))
    func noInput() async throws {
        let output = try Pipe(for: "a test")
        defer { output.close() }
        let update: @Sendable (inout Int, Int) -> Void = { _, _ in }
        let program = Program(0, update: update) { _, screen in screen.add(Text("frame")) }
        try await expectEqual(program.run(on: Terminal(input: -1, output: output.writeEnd.number)), .finished)
    }
}
