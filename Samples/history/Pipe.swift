import Dispatch
import Streams
import Terminal

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The program without a terminal: commands come line by line, and the history goes out after each change.
final class Pipe: Face {
    private let limit: Limit?
    private let output = Output(descriptor: STDOUT_FILENO)
    private let commands = PassthroughSubject<HistoryEvent, Never>()
    private let isAnswered = DispatchSemaphore(value: 0)
    private var subscriptions: Set<AnyCancellable> = []

    /// - Parameter limit: Asked for a permit for each event; whoever answers gives it back.
    init(_ limit: Limit? = nil) { self.limit = limit }

    func bind(states: AnyPublisher<HistoryState, Never>) -> AnyPublisher<HistoryEvent, Never> {
        states.filter { !$0.history.isEmpty }
            .sink(
                // The loop ends when there are no more commands and no answer is due.
                receiveCompletion: { [isAnswered] _ in isAnswered.signal() },
                receiveValue: { [output] in output.write($0.history + [""]) }
            )
            .store(in: &subscriptions)
        return commands.eraseToAnyPublisher()
    }

    func run() -> Int32 {
        let inputCode = sendCommands()
        if output.failure == nil {
            commands.send(completion: .finished)
            isAnswered.wait()
            output.flush()
        }
        let outputCode = Self.report(output.failure)
        return inputCode == ExitCode.success ? outputCode : inputCode
    }

    /// Sends an event for each line, until there are no more or nobody wants the answers.
    private func sendCommands() -> Int32 {
        var reader = LineReader(descriptor: STDIN_FILENO)
        do throws(SystemError) {
            while output.failure == nil, let line = try reader.next() {
                let text = line.text.trimmingSpaces
                if text.isEmpty, !line.isCut { continue }
                // Of a line that was cut it is not known what else it says.
                switch line.isCut ? nil : Command(word: text) {
                case .ask(let event):
                    limit?.acquire()
                    commands.send(event)
                case .quit:
                    return ExitCode.success
                case nil:
                    let shown = String(text.prefix(60))
                    StandardStreams.complain("history: line \(line.number): unknown command: \(shown)")
                }
            }
            return ExitCode.success
        } catch {
            StandardStreams.complain("history: cannot read standard input: \(error)")
            return ExitCode.noInput
        }
    }

    /// Prints a text.
    ///
    /// - Returns: The exit code.
    static func print(_ text: String) -> Int32 {
        let output = Output(descriptor: STDOUT_FILENO)
        output.write(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        output.flush()
        return report(output.failure)
    }

    private static func report(_ failure: SystemError?) -> Int32 {
        // A reader that has seen enough, as `head` has, is no failure.
        guard let failure, failure != .brokenPipe else { return ExitCode.success }
        StandardStreams.complain("history: cannot write standard output: \(failure)")
        return ExitCode.ioError
    }
}

extension String {
    /// The text without the spaces around it. Most have none, and are recognised by two bytes.
    fileprivate var trimmingSpaces: String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = utf8.first, let last = utf8.last, isSpace(first) || isSpace(last) else { return self }
        let front = utf8.drop(while: isSpace)
        guard let end = front.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(Substring(front[...end]))
    }
}
