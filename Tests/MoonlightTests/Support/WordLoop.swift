import Moonlight
import Streams

/// A loop that collects words: an event is a word, an effect is a word, and the state is the list of effects so far.
///
/// `seen` is what its first observer sees. Events come from `events`, and from what `feedback` returns. Unless told
/// otherwise, `transform` answers a word with the same word, and at once.
struct WordLoop: Sendable {
    typealias States = AnyPublisher<[String], Never>
    typealias Words = AnyPublisher<String, Never>

    let events: PassthroughSubject<String, Never>
    /// Keeps the loop.
    let keeper: Keeper
    /// Keeps the first observer.
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
        let (seen, completions, observers) = (seen, completions, observers)
        states = Moonlight.start(
            initialState: [],
            environment: (),
            feedback: { states in
                observers.keep(
                    states.sink(
                        receiveCompletion: { _ in completions.add() },
                        receiveValue: { seen.append($0) }))
                return [events.eraseToAnyPublisher()] + feedback(states)
            },
            transform: { state, word, _ in try transform(state, word) },
            apply: { state, word in
                onApply(word)
                return state + [word]
            },
            store: { keeper.keep($0) })
    }

    /// Sends an event.
    func send(_ word: String) { events.send(word) }

    /// The state that the first observer saw last.
    var words: [String]? { seen.last }

    var isFinished: Bool { completions.value == 1 }
}
