import MoonlightTestSupport
import Streams

@testable import Moonlight

/// A loop that collects words: events and effects are words, and the state is the list of effects so far. `seen` has the states
/// of its first observer.
///
/// By default, `transform` responds to a word with the same word, at once. Events come from `send`, from `events`, and from the
/// streams that `feedback` returns. Events from inside go through `events`, since a subject that is delivering would queue them
/// itself, and the mailbox would not be tested.
struct WordLoop: Sendable {
    typealias States = AnyPublisher<[String], Never>
    typealias Words = AnyPublisher<String, Never>

    /// For events that are sent from inside.
    let events: PassthroughSubject<String, Never>
    private let outside = PassthroughSubject<String, Never>()
    /// Retains the loop.
    let keeper: Keeper
    /// Retains the first observer.
    let observers = Keeper()
    let states: States
    let seen = Recorder<[String]>()
    let completions = Counter()

    init(
        events: PassthroughSubject<String, Never> = PassthroughSubject(),
        keeper: Keeper = Keeper(),
        feedback: (States) -> [Words] = { _ in [] },
        onApply: @escaping @Sendable (String) -> Void = { _ in },
        transform: @escaping @Sendable ([String], String) throws -> Words = { _, word in Words(Just(word)) }
    ) {
        self.events = events
        self.keeper = keeper
        let (seen, completions, observers, outside) = (seen, completions, observers, outside)
        let reducer = Reducer<[String], String, String, Void>(
            transform: { state, word, _ in try transform(state, word) },
            apply: { state, word in
                onApply(word)
                state.append(word)
            })
        func bind(_ states: States) -> [Words] {
            observers.keep(
                states.sink(
                    receiveCompletion: { _ in completions.add() },
                    receiveValue: { seen.append($0) }))
            return [outside.eraseToAnyPublisher(), events.eraseToAnyPublisher()] + feedback(states)
        }
        states = Loop([], (), reducer, home: nil).start(store: { keeper.keep($0) }, bind)
    }

    /// Sends an event.
    func send(_ word: String) { outside.send(word) }

    /// Ends the streams of events.
    func finish() {
        events.send(completion: .finished)
        outside.send(completion: .finished)
    }

    /// The last state that the first observer received.
    var words: [String]? { seen.last }

    var isFinished: Bool { completions.value == 1 }
}
