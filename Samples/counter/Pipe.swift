import Dispatch
import MoonPresentation
import Moonlight
import SampleSupport
import Streams
import Synchronization

/// The program without a terminal: commands come line by line, and the count goes out after each change.
final class Pipe: @unchecked Sendable {
    // Sound: the subscriptions are changed once, before the loop runs.
    private let output = OutputLines()
    private let commands = PassthroughSubject<CounterEvent, Never>()
    private let isKnown = DispatchSemaphore(value: 0)
    private let isAnswered = DispatchSemaphore(value: 0)
    private let hasRefusals = Atomic(false)
    private var subscriptions: Set<AnyCancellable> = []

    /// Runs until there are no more commands.
    ///
    /// - Returns: The exit code.
    func run(
        _ state: Counter, _ environment: CounterEnvironment, _ run: RecordedRun<Counter, CounterEvent, CounterEffect>
    ) -> Int32 {
        let store = Store(
            reducer: Counter.reducer,
            initialState: state,
            environment: environment,
            options: run.options { [self] record in
                if case .rejected(let event, let error) = record.step { refuse(event, error) }
            },
            feedback: { states in [bind(states).prepend(.refresh).eraseToAnyPublisher()] })
        defer { store.cancel() }
        // Who counts wants to know where from.
        isKnown.wait()
        let inputCode = CommandLines.read(for: "counter", take)
        if output.failure == nil {
            commands.send(completion: .finished)
            isAnswered.wait()
        }
        let outputCode = output.finish(of: "counter")
        if inputCode != ExitCode.success { return inputCode }
        if outputCode != ExitCode.success { return outputCode }
        return store.state.problem != nil || hasRefusals.load(ordering: .relaxed) ? 1 : ExitCode.success
    }

    private func bind(_ states: AnyPublisher<Counter, Never>) -> AnyPublisher<CounterEvent, Never> {
        let told = states.filter { $0.confirmed != nil || $0.problem != nil }
        told.map(Self.line).removeDuplicates().sink { [output] in output.write([$0]) }.store(in: &subscriptions)
        told.first().sink { [isKnown] _ in isKnown.signal() }.store(in: &subscriptions)
        // The loop ends when there are no more commands and no answer is due.
        states.sink(receiveCompletion: { [isAnswered] _ in isAnswered.signal() }, receiveValue: { _ in })
            .store(in: &subscriptions)
        return commands.eraseToAnyPublisher()
    }

    private func take(_ line: String) -> CommandLines.Verdict {
        if output.failure != nil { return .stop }
        switch Command(word: line) {
        case .ask(let event):
            commands.send(event)
            return .goOn
        case .quit: return .stop
        case nil:
            hasRefusals.store(true, ordering: .relaxed)
            return .wrong("unknown command")
        }
    }

    private func refuse(_ event: CounterEvent, _ error: any Error) {
        hasRefusals.store(true, ordering: .relaxed)
        StandardStreams.complain("counter: refused: \(event): \(error)")
    }

    /// What is printed of a state.
    static func line(_ state: Counter) -> String {
        if let problem = state.problem, !state.isBusy {
            return state.confirmed == nil ? "unknown (\(problem))" : "\(state.count) (\(problem))"
        }
        return state.isBusy ? "\(state.count) (saving)" : "\(state.count)"
    }
}
