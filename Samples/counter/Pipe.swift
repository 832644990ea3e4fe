import Dispatch
import Moonlight
import Streams
import Synchronization
import SampleTerminal

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The program without a terminal: commands come line by line, and the count goes out after each change.
final class Pipe: UserInterface, @unchecked Sendable {
    // Sound: the subscriptions are changed once, before the loop runs.
    private let output = Output(descriptor: STDOUT_FILENO)
    private let commands = PassthroughSubject<CounterEvent, Never>()
    private let isKnown = DispatchSemaphore(value: 0)
    private let isAnswered = DispatchSemaphore(value: 0)
    private let isOutOfStep = Atomic(false)
    private let hasRefusals = Atomic(false)
    private var subscriptions: Set<AnyCancellable> = []

    func bind(states: AnyPublisher<Counter, Never>) -> AnyPublisher<CounterEvent, Never> {
        let told = states.filter { $0.confirmed != nil || $0.problem != nil }
        told.map(Self.line).removeDuplicates().sink { [output] in output.write([$0]) }.store(in: &subscriptions)
        told.first().sink { [isKnown] _ in isKnown.signal() }.store(in: &subscriptions)
        states
            .sink(
                // The loop ends when there are no more commands and no answer is due.
                receiveCompletion: { [isAnswered] _ in isAnswered.signal() },
                receiveValue: { [weak self] in self?.isOutOfStep.store($0.problem != nil, ordering: .relaxed) }
            )
            .store(in: &subscriptions)
        return commands.eraseToAnyPublisher()
    }

    func refuse(_ event: CounterEvent, _ error: any Error) {
        hasRefusals.store(true, ordering: .relaxed)
        StandardStreams.complain("counter: refused: \(event): \(error)")
    }

    func run() -> Int32 {
        // Who counts wants to know where from.
        isKnown.wait()
        let inputCode = CommandLines.read(for: "counter") { text in
            if output.failure != nil { return .stop }
            switch Command(word: text) {
            case .ask(let event):
                commands.send(event)
                return .goOn
            case .quit: return .stop
            case nil:
                hasRefusals.store(true, ordering: .relaxed)
                return .wrong("unknown command")
            }
        }
        if output.failure == nil {
            commands.send(completion: .finished)
            isAnswered.wait()
        }
        let outputCode = output.finish(of: "counter")
        if inputCode != ExitCode.success { return inputCode }
        if outputCode != ExitCode.success { return outputCode }
        return isOutOfStep.load(ordering: .relaxed) || hasRefusals.load(ordering: .relaxed) ? 1 : ExitCode.success
    }

    /// What is printed of a state.
    static func line(_ state: Counter) -> String {
        if let problem = state.problem, !state.isBusy {
            return state.confirmed == nil ? "unknown (\(problem))" : "\(state.count) (\(problem))"
        }
        return state.isBusy ? "\(state.count) (saving)" : "\(state.count)"
    }
}
