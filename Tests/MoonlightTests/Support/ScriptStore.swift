import Moonlight
import Streams

/// A store whose events contain their effects; the state is a log of words.
enum ScriptEvent: Sendable, CustomStringConvertible {
    /// Ready effects.
    case words([String])
    /// Any stream of effects.
    case stream(String, @Sendable () -> AnyPublisher<String, Never>)
    /// `transform` rejects it.
    case refused

    var description: String {
        switch self {
        case .words(let words): "words(\(words.joined(separator: ",")))"
        case .stream(let name, _): "stream(\(name))"
        case .refused: "refused"
        }
    }
}

struct Refusal: Error, Equatable {}

typealias ScriptStore = Store<[String], ScriptEvent>
typealias ScriptOptions = LoopOptions<[String], ScriptEvent, String>
typealias Words = AnyPublisher<String, Never>

func scriptStore(
    hasJournal: Bool,
    feedback: (AnyPublisher<[String], Never>) -> [AnyPublisher<ScriptEvent, Never>] = { _ in [] }
) -> ScriptStore {
    scriptStore(hasJournal ? ScriptOptions(journal: { _ in }) : ScriptOptions(), feedback: feedback)
}

func scriptStore(
    _ options: ScriptOptions = ScriptOptions(),
    feedback: (AnyPublisher<[String], Never>) -> [AnyPublisher<ScriptEvent, Never>] = { _ in [] }
) -> ScriptStore {
    Store(
        reducer: Reducer(
            transform: { _, event, _ in
                switch event {
                case .words(let words): return words.publisher.eraseToAnyPublisher()
                case .stream(_, let stream): return stream()
                case .refused: throw Refusal()
                }
            }, apply: { (state: inout [String], word: String) in state.append(word) }),
        initialState: [], environment: (), options: options, feedback: feedback)
}

extension Result<Void, SendError> {
    /// The outcome as one word.
    var word: String {
        switch self {
        case .success: "settled"
        case .failure(.ended): "ended"
        case .failure(.overflow): "overflow"
        case .failure(.rejected(let error)): "rejected \(error)"
        case .failure(.cancelled(let isTaken)): isTaken ? "cancelled" : "cancelled before it was taken"
        case .failure(.draining): "draining"
        case .failure(.timedOut(let isTaken)): isTaken ? "timed out" : "timed out before it was taken"
        case .failure(.notDurable(_, let isTaken)): isTaken ? "not durable" : "not durable, and not taken"
        case .failure(.interrupted(let interruption)): "interrupted: \(interruption)"
        }
    }
}
