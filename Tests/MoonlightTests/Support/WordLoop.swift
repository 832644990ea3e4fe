import Moonlight
import MoonlightTestSupport
import Streams

/// A loop that collects words: an event is a word, an effect is a word, and the state is the list of effects so far.
///
/// `seen` is what its first observer sees. By default, `transform` answers a word with the same word, and at
/// once. Events come from `send`, from `events`, and from what `feedback` returns. What is sent from inside goes through
/// `events`: a subject that is just delivering would keep it to itself until then, and the mailbox would not be tried.
struct WordLoop: Sendable {
    typealias States = AnyPublisher<[String], Never>
    typealias Words = AnyPublisher<String, Never>

    /// For what is sent from inside.
    let events: PassthroughSubject<String, Never>
    private let outside = PassthroughSubject<String, Never>()
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
        let (seen, completions, observers, outside) = (seen, completions, observers, outside)
        states = Moonlight.start(
            initialState: [],
            environment: (),
            feedback: { states in
                observers.keep(
                    states.sink(
                        receiveCompletion: { _ in completions.add() },
                        receiveValue: { seen.append($0) }))
                return [outside.eraseToAnyPublisher(), events.eraseToAnyPublisher()] + feedback(states)
            },
            transform: { state, word, _ in try transform(state, word) },
            apply: { state, word in
                onApply(word)
                return state + [word]
            },
            store: { keeper.keep($0) })
    }

    /// Sends an event.
    func send(_ word: String) { outside.send(word) }

    /// Ends the streams of events.
    func finish() {
        events.send(completion: .finished)
        outside.send(completion: .finished)
    }

    /// The state that the first observer saw last.
    var words: [String]? { seen.last }

    var isFinished: Bool { completions.value == 1 }
}
