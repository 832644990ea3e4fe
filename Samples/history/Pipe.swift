import Dispatch
import MoonPresentation
import SampleSupport
import Streams

/// The program without a terminal: commands come line by line, and the history goes out after each change.
final class Pipe {
    private let limit: Limit?
    private let output = OutputLines()
    private let commands = PassthroughSubject<HistoryEvent, Never>()
    private let isAnswered = DispatchSemaphore(value: 0)
    private var subscriptions: Set<AnyCancellable> = []

    /// - Parameter limit: Asked for a permit for each event; whoever answers gives it back.
    init(_ limit: Limit? = nil) { self.limit = limit }

    /// The feedback of the loop: from the states to the events.
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

    /// Runs until there are no more commands.
    ///
    /// - Returns: The exit code.
    func run() -> Int32 {
        let inputCode = sendCommands()
        if output.failure == nil {
            commands.send(completion: .finished)
            isAnswered.wait()
        }
        let outputCode = output.finish(of: "history")
        return inputCode == ExitCode.success ? outputCode : inputCode
    }

    /// Sends an event for each line, until there are no more or nobody wants the answers.
    private func sendCommands() -> Int32 {
        CommandLines.read(for: "history") { text in
            if output.failure != nil { return .stop }
            switch Command(word: text) {
            case .ask(let event):
                limit?.acquire()
                commands.send(event)
                return .goOn
            case .quit: return .stop
            case nil: return .wrong("unknown command")
            }
        }
    }
}
