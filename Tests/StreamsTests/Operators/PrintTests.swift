import MoonlightTestSupport
import Streams
import Testing

@Suite("Operator `print`")
struct PrintTests {
    /// A stream that stores the written text.
    private final class Paper: TextOutputStream {
        var text = ""
        func write(_ string: String) { text += string }
        var lines: [Substring] { text.split(separator: "\n") }
    }

    @Test("`print` writes a line with its prefix for each event")
    func lines() {
        let paper = Paper()
        let cancellable = Just(1).print("one", to: paper).sink { _ in }
        expectEqual(
            paper.text,
            """
            one: receive subscription: (Just)
            one: request unlimited
            one: receive value: (1)
            one: receive finished

            """)
        cancellable.cancel()
        expectEqual(paper.lines.count, 4)
    }

    @Test("`print` without a prefix writes requests, returned demand and the cancellation, without a colon")
    func demand() {
        let paper = Paper()
        let subject = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(2)], returned: [.max(3)]))
        subject.print(to: paper).subscribe(recorder)
        subject.send(5)
        subject.send(6)
        recorder.cancel()
        recorder.cancel()
        expectEqual(
            paper.lines,
            [
                "receive subscription: (PassthroughSubject)", "request max: (2)", "receive value: (5)",
                "request max: (3) (synchronous)", "receive value: (6)", "receive cancel",
            ])
    }

    @Test("A line that another thread prints while a line is being written appears after that line")
    func severalThreads() {
        /// A stream that makes another thread send while it writes the first value.
        final class BusyPaper: TextOutputStream, @unchecked Sendable {
            // Sound: lines are written one at a time.
            var (text, others) = ("", { @Sendable in })
            func write(_ string: String) {
                text += string
                guard string.hasSuffix("(1)") else { return }
                elsewhere(others)
            }
        }
        let (paper, subject) = (BusyPaper(), PassthroughSubject<Int, Never>())
        let recorder = Recorder<Int, Never>(Appetite(description: "", atStart: [.max(1)]))
        subject.print(to: paper).subscribe(recorder)
        paper.others = { recorder.request(.max(7)) }
        subject.send(1)
        settle()
        expectEqual(paper.text.split(separator: "\n").suffix(2), ["receive value: (1)", "request max: (7)"])
        recorder.cancel()
    }

    @Test("A cancellation that comes while a line is being written is written, even if the chain is released at once")
    func cancelled() {
        /// A stream that makes another thread cancel while it writes the first value.
        final class BusyPaper: TextOutputStream, @unchecked Sendable {
            // Sound: lines are written one at a time.
            var (text, cancellable) = ("", AnyCancellable?.none)
            func write(_ string: String) {
                text += string
                guard string.hasSuffix("(1)") else { return }
                let held = Carrier(cancellable.take())
                elsewhere { held.value?.cancel() }
            }
        }
        let (paper, subject) = (BusyPaper(), PassthroughSubject<Int, Never>())
        paper.cancellable = subject.print(to: paper).sink(isolation: nil) { _ in }
        subject.send(1)
        settle()
        expectEqual(paper.text.split(separator: "\n").suffix(2), ["receive value: (1)", "receive cancel"])
    }

    @Test("`print` writes the error of a failure")
    func failure() {
        let paper = Paper()
        Fail<Int, Oops>(error: .first).print("", to: paper).subscribe(Recorder())
        expectEqual(
            paper.lines, ["receive subscription: (Empty)", "request unlimited", "receive error: (first)"])
    }

    @Test("`print` writes the name of the publisher for a subscription")
    func names() {
        let publishers: [(String, Ints)] = [
            ("[1]", OperatorCase.sequence([1]).eraseToAnyPublisher()),
            ("CurrentValueSubject", CurrentValueSubject(1).eraseToAnyPublisher()),
            ("Future", Future { _ in }.eraseToAnyPublisher()),
            ("Merge", Publishers.MergeMany(OperatorCase.sequence([1])).eraseToAnyPublisher()),
            ("FlatMap", OperatorCase.sequence([1]).flatMap { _ in Empty() }.eraseToAnyPublisher()),
            ("Concatenate", OperatorCase.sequence([1]).append(2).eraseToAnyPublisher()),
            ("Output", OperatorCase.sequence([1]).prefix(2).eraseToAnyPublisher()),
            ("First", OperatorCase.sequence([1]).first().eraseToAnyPublisher()),
            ("HandleEvents", OperatorCase.sequence([1]).handleEvents().eraseToAnyPublisher()),
            ("ReceiveOn", OperatorCase.sequence([1]).receive(on: ImmediateScheduler.shared).eraseToAnyPublisher()),
            ("[1]", OperatorCase.sequence([1]).map { $0 }.eraseToAnyPublisher()),
        ]
        for (name, publisher) in publishers {
            let paper = Paper()
            publisher.print(to: paper).subscribe(Recorder<Int, Oops>(.nothing))
            expectEqual(paper.lines.first, "receive subscription: (\(name))")
        }
    }
}
