import MoonPresentation
import MoonlightTestSupport
import Streams
import Testing

@Suite("Processes and lines as publishers")
struct ProcessTests {
    private func all(_ process: ChildProcess) async throws -> [ChildProcess.Output] {
        var output: [ChildProcess.Output] = []
        for try await item in process.output.values { output.append(item) }
        return output
    }

    @Test("A process sends its lines, and then its end")
    func lines() async throws {
        let output = try await all(ChildProcess("printf", ["one\\ntwo\\r\\n\\nthree"]))
        expectEqual(output, [.line("one"), .line("two"), .line(""), .line("three"), .exit(.code(0))])
    }

    @Test("Error output and output are separate, and the exit code is sent")
    func errors() async throws {
        let output = try await all(ChildProcess("sh", ["-c", "echo out; echo err >&2; exit 3"]))
        expectEqual(Set(output.dropLast()), [.line("out"), .errorLine("err")])
        expectEqual(output.last, .exit(.code(3)))
    }

    @Test("A process that is ended by a signal sends the signal as its end")
    func signal() async throws {
        try await expectEqual(all(ChildProcess("sh", ["-c", "kill -KILL $$"])), [.exit(.signal(9))])
    }

    @Test("A program that does not exist is an error")
    func missing() async {
        let error = SystemError(code: 2, attempt: "start /nonexistent/program")
        await #expect(throws: error) { try await all(ChildProcess("/nonexistent/program")) }
    }

    @Test("The error for a program that does not exist names it, without control characters")
    func missingInWords() {
        let error = SystemError(code: 2, attempt: "start a\u{1B}b")
        expectEqual(error.description, "cannot start a\\u{1B}b: No such file or directory")
        expectEqual(error.reason, "No such file or directory")
    }

    @Test("A program whose arguments or variables the system would truncate is not started")
    func truncated() async {
        let error = SystemError(code: 22, attempt: "start echo with these arguments and variables")
        for arguments in [["a\u{0}b"], ["a", "\u{0}"]] {
            await #expect(throws: error) { try await all(ChildProcess("echo", arguments)) }
        }
        for name in ["", "A=B", "A\u{0}"] {
            await #expect(throws: error) { try await all(ChildProcess("echo", environment: [name: "x"])) }
        }
        await #expect(throws: error) { try await all(ChildProcess("echo", environment: ["A": "x\u{0}"])) }
        await #expect(throws: SystemError.self) { try await all(ChildProcess("/bin/echo\u{0}.sh")) }
    }

    @Test("A process has the given environment and no input")
    func environment() async throws {
        let process = ChildProcess("/bin/sh", ["-c", "cat; echo $MOON"], environment: ["MOON": "full", "PATH": "/usr/bin:/bin"])
        try await expectEqual(all(process), [.line("full"), .exit(.code(0))])
    }

    @Test("Lines of a process are read only as they are requested")
    func demand() async throws {
        // Otherwise, a process that prints without end would fill the memory.
        var iterator = ChildProcess("yes").output.values.makeAsyncIterator()
        for _ in 0..<1000 { try await expectEqual(iterator.next(), .line("y")) }
    }

    @Test("A process whose child keeps writing sends its output so far and its exit")
    func writingChild() async throws {
        let end = Recorder<ChildProcess.Output>()
        let process = ChildProcess("sh", ["-c", "echo $$; yes & wait"])
        let hasEnded = await endsInTask {
            do {
                var iterator = process.output.values.makeAsyncIterator()
                guard case .line(let number) = try await iterator.next() else { return }
                for _ in 0..<10_000 { _ = try await iterator.next() }
                for try await _ in ChildProcess("sh", ["-c", "kill -KILL \(number)"]).output.values {}
                while let output = try await iterator.next() { if output != .line("y") { end.append(output) } }
            } catch {
                end.append(.errorLine("\(error)"))
            }
        }
        expect(hasEnded)
        expectEqual(end.all, [.exit(.signal(9))])
    }

    @Test("The children of a process end with it when it is cancelled, even if they ignore the request")
    func cancellation() async throws {
        var process = ChildProcess("sh", ["-c", "trap '' TERM; sleep 1000 & echo $!; wait; sleep 1000"])
        process.grace = .milliseconds(50)
        let numbers = Recorder<Int32>()
        let flag = Flag()
        let subscription = process.output.sink(
            receiveCompletion: { _ in },
            receiveValue: { output in
                if case .line(let text) = output {
                    numbers.append(Int32(text) ?? 0)
                    flag.raise()
                }
            })
        await flag.wait()
        subscription.cancel()
        // A second process watches, and ends when the number no longer exists.
        let watch =
            "while kill -0 \(numbers.all[0]) 2>/dev/null && ! grep -q ' Z ' /proc/\(numbers.all[0])/stat; do sleep 0.01; done"
        try await expectEqual(all(ChildProcess("sh", ["-c", watch])), [.exit(.code(0))])
    }

    @Test("The children of a process that is cancelled have the grace period also if the process ends before them")
    func graceOfChildren() async throws {
        let made = try await all(ChildProcess("sh", ["-c", "folder=$(mktemp -d); mkfifo $folder/pipe; echo $folder"]))
        guard case .line(let folder) = made.first else { return expect(false) }
        // The worker cleans up after the end of the shell that has started it. Nothing reads its output then.
        let worker = """
            trap 'while kill -0 $PPID 2>/dev/null; do sleep 0.01; done; echo clean >"$0"; exit' TERM
            echo ready
            exec >/dev/null 2>&1
            while :; do sleep 0.01; done
            """
        var process = ChildProcess("sh", ["-c", "sh -c \"$0\" \"$1\" & wait", worker, "\(folder)/pipe"])
        process.grace = .seconds(1000)
        let flag = Flag()
        let subscription = process.output.sink(receiveCompletion: { _ in }, receiveValue: { _ in flag.raise() })
        await flag.wait()
        subscription.cancel()
        let output = Recorder<ChildProcess.Output>()
        let hasEnded = await endsInTask {
            let reader = ChildProcess("sh", ["-c", "cat $0/pipe; rm -r $0", folder])
            do { for try await item in reader.output.values { output.append(item) } } catch {
                output.append(.errorLine("\(error)"))
            }
        }
        expect(hasEnded)
        expectEqual(output.all, [.line("clean"), .exit(.code(0))])
    }

    @Test(
        "A grace period of any length does not block the program that cancels",
        arguments: [Duration.seconds(Int64.max), .seconds(Int64.max) * 18, .seconds(-1), .seconds(Int64.min) * 18])
    func grace(_ grace: Duration) async throws {
        var process = ChildProcess("sh", ["-c", "echo begun; sleep 1000"])
        process.grace = grace
        let flag = Flag()
        let subscription = process.output.sink(receiveCompletion: { _ in }, receiveValue: { _ in flag.raise() })
        await flag.wait()
        subscription.cancel()
    }

    @Test("Lines of a descriptor have numbers, and a long one is cut")
    func inputLines() async throws {
        let output = try await all(ChildProcess("sh", ["-c", "true"]))
        expectEqual(output, [.exit(.code(0))])
        let pipe = TestPipe()
        pipe.write("one\r\ntwo\n\n0123456789\nlast")
        pipe.closeWriteEnd()
        var lines: [InputLine] = []
        for await line in StandardStreams.lines(from: pipe.readEnd, longest: 5) { lines.append(line) }
        expectEqual(lines.map(\.text), ["one", "two", "", "01234", "last"])
        expectEqual(lines.map(\.number), [1, 2, 3, 4, 5])
        expectEqual(lines.map(\.isCut), [false, false, false, true, false])
    }

    @Test("A reader that waits for a line resumes when its task is cancelled")
    func cancelledLines() async {
        let pipe = TestPipe()
        let task = Task { for await _ in StandardStreams.lines(from: pipe.readEnd) {} }
        task.cancel()
        await task.value
    }

    @Test("Lines as a publisher are read as they are requested")
    func publisher() async {
        let pipe = TestPipe()
        pipe.write("a\nb\nc\n")
        pipe.closeWriteEnd()
        let lines = StandardStreams.lines(from: pipe.readEnd).publisher.map(\.text).prefix(2)
        var texts: [String] = []
        for await text in lines.values { texts.append(text) }
        expectEqual(texts, ["a", "b"])
    }

    @Test("A descriptor that is not open has no lines", .timeLimit(.minutes(1)), arguments: [-1, Int32.max])
    func closedLines(_ descriptor: Int32) async {
        for await line in StandardStreams.lines(from: descriptor) { Issue.record("\(line)") }
    }
}
