import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// A list of words. `.say` adds one at once, `.later` adds what `world` sends, `.open` makes a child.
@Suite("A reducer in development")
struct DevelopmentTests {
    struct State: Equatable, Sendable {
        var words: [String] = []
        var child: Child?
    }

    struct Child: Equatable, Sendable { var sum = 0 }

    enum Event: Equatable, Sendable {
        case say(String)
        case both(String, String)
        case later, never, open
        case child(Int)
    }
    enum Effect: Equatable, Sendable {
        case word(String)
        case open
        case child(Int)
    }
    typealias World = PassthroughSubject<String, Never>
    typealias Lifted = Development<State, Event, Effect>

    /// `apply` refuses the word "after x" if there is no "x".
    static let reducer: Reducer<State, Event, Effect, World> = {
        let child = Reducer<Child, Int, Int, World>(
            transform: { _, number, world in
                if number == 9 { return .just(9) }
                return world.map { Int($0) ?? 0 }.eraseToAnyPublisher()
            },
            apply: { (state: inout Child, number: Int) in state.sum += number })
        return Reducer<State, Event, Effect, World>(
            transform: { _, event, world in
                switch event {
                case .say(let word): .just(.word(word))
                case .both(let one, let other): [.word(one), .word(other)].publisher.eraseToAnyPublisher()
                case .later: world.map { .word($0) }.eraseToAnyPublisher()
                case .never: throw Rejection("never")
                case .open: .just(.open)
                case .child: .none
                }
            },
            apply: { (state: inout State, effect: Effect) throws in
                switch effect {
                case .word(let word):
                    if word.hasPrefix("after "), !state.words.contains(String(word.dropFirst(6))) {
                        throw Rejection("\(word) comes too early")
                    }
                    state.words.append(word)
                case .open: state.child = Child()
                case .child: break
                }
            }
        ).combined(
            with: child.scoped(
                toOptional: \State.child,
                event: CasePath(Event.child) { if case .child(let event) = $0 { event } else { nil } },
                effect: CasePath(Effect.child) { if case .child(let effect) = $0 { effect } else { nil } },
                environment: { $0 }, result: { $0.sum >= 9 ? .say("nine") : nil }))
    }()

    let world = World()

    func open(keeping limit: Int = 100) -> Store<Lifted, DevelopmentEvent<Event>> {
        Store(reducer: Self.reducer.inDevelopment(keeping: limit), initialState: Development(State()), environment: world)
    }

    /// The words of the latest state, and "|" and those of the one that is shown if they differ.
    func words(_ store: Store<Lifted, DevelopmentEvent<Event>>) -> String {
        let (latest, shown) = (store.state.latest.words, store.state.shown.words)
        let text = latest.joined(separator: " ")
        return latest == shown ? text : text + "|" + shown.joined(separator: " ")
    }

    /// The steps that are kept, as text: `1:say` for an event, `2<1 word` for an effect, with `-` if skipped and `!` if rejected.
    func steps(_ store: Store<Lifted, DevelopmentEvent<Event>>) -> [String] {
        store.state.steps.map { step in
            let mark = step.outcome == .skipped ? "-" : step.outcome == .rejected ? "!" : ""
            return switch step.content {
            case .event(let event): "\(mark)\(step.number) \(event)"
            case .effect(let effect, let cause): "\(mark)\(step.number)<\(cause) \(effect)"
            }
        }
    }

    func reason(_ result: Result<Void, SendError>) -> String? {
        if case .failure(.rejected(let error)) = result { "\(error)" } else { nil }
    }

    @Test("what is latest is what the reducer alone comes to, and it is shown")
    func same() {
        let store = open()
        store.send(.event(.both("a", "b")))
        store.send(.event(.later))
        world.send("c")
        #expect(words(store) == "a b c")
        #expect(
            steps(store) == [
                #"1 both("a", "b")"#, #"2<1 word("a")"#, #"3<1 word("b")"#, "4 later", #"5<4 word("c")"#,
            ])
        #expect(store.state.positions == 0...5)
    }

    @Test("one step can be kept, and no fewer")
    func oneStep() {
        let store = open(keeping: 1)
        for word in ["a", "b"] { store.send(.event(.say(word))) }
        #expect(words(store) == "a b")
        #expect(steps(store) == [#"4<3 word("b")"#])
    }

    @Test("an event that transform rejects is no step")
    func rejectedEvent() async {
        let store = open()
        #expect(reason(await store.send(.event(.never))) == "never")
        #expect(store.state.steps.isEmpty)
    }

    @Test("an effect that apply rejects is no step, and its sender is told")
    func rejectedEffect() async {
        let store = open()
        #expect(reason(await store.send(.event(.say("after x")))) == "after x comes too early")
        #expect(steps(store) == [#"1 say("after x")"#])
        #expect(words(store) == "")
    }

    @Test("to skip an effect makes the state as it would be without it")
    func skipEffect() {
        let store = open()
        store.send(.event(.both("a", "b")))
        store.send(.event(.say("c")))
        store.skip(2)
        #expect(words(store) == "b c")
        #expect(
            steps(store) == [
                #"1 both("a", "b")"#, #"-2<1 word("a")"#, #"3<1 word("b")"#, #"4 say("c")"#, #"5<4 word("c")"#,
            ])
    }

    @Test("to skip an event leaves out all its effects")
    func skipEvent() {
        let store = open()
        store.send(.event(.both("a", "b")))
        store.send(.event(.say("c")))
        store.skip(1)
        #expect(words(store) == "c")
    }

    @Test("effects in flight of a skipped event go on, and are left out when they come in, until it is restored")
    func lateEffect() {
        let store = open()
        store.send(.event(.later))
        store.skip(1)
        world.send("x")
        store.send(.event(.say("a")))
        #expect(words(store) == "a")
        #expect(store.liveEffectsOfTest == 1)
        #expect(steps(store)[1] == #"-2<1 word("x")"#)
        store.restore(1)
        #expect(words(store) == "x a")
        world.send("y")
        #expect(words(store) == "x a y")
    }

    @Test("a step that is restored counts again, in its place")
    func restore() {
        let store = open()
        store.send(.event(.both("a", "b")))
        store.skip(2)
        store.restore(2)
        #expect(words(store) == "a b")
        #expect(store.state.steps.map(\.outcome) == [.counts, .counts, .counts])
    }

    @Test("an effect of a skipped event stays left out when it alone is restored")
    func restoreEffect() {
        let store = open()
        store.send(.event(.say("a")))
        store.skip(1)
        store.restore(2)
        #expect(words(store) == "")
    }

    @Test("a step that apply rejects when another is left out changes nothing, and says so")
    func rejectedLater() {
        let store = open()
        store.send(.event(.say("x")))
        store.send(.event(.both("after x", "y")))
        store.skip(2)
        #expect(words(store) == "y")
        #expect(steps(store)[3] == #"!4<3 word("after x")"#)
        store.restore(2)
        #expect(words(store) == "x after x y")
        #expect(store.state.steps.allSatisfy { $0.outcome == .counts })
    }

    @Test("a jump shows the state after a step, while the program goes on at its latest")
    func jump() {
        let store = open()
        store.send(.event(.both("a", "b")))
        store.jump(to: 2)
        #expect(words(store) == "a b|a")
        #expect(store.state.position == 2)
        store.send(.event(.say("c")))
        #expect(words(store) == "a b c|a")
        store.jump(to: 0)
        #expect(words(store) == "a b c|")
        store.jumpToLatest()
        #expect(words(store) == "a b c")
        store.send(.event(.say("d")))
        #expect(words(store) == "a b c d")
    }

    @Test("to skip while an earlier state is shown changes that state, too, if the step is before it")
    func skipWhileLooking() {
        let store = open()
        store.send(.event(.both("a", "b")))
        store.send(.event(.say("c")))
        store.jump(to: 3)
        store.skip(2)
        #expect(words(store) == "b c|b")
        store.skip(5)
        #expect(words(store) == "b")
    }

    @Test("a step that is not kept can be neither skipped, restored nor jumped to, and the error says which are")
    func unknownStep() async {
        let store = open(keeping: 2)
        #expect(reason(store.skip(1)) == "step 1 is not kept; none is kept")
        store.post(.event(.both("a", "b")))
        #expect(reason(store.skip(1)) == "step 1 is not kept; steps 2 to 3 are")
        #expect(reason(store.restore(4)) == "step 4 is not kept; steps 2 to 3 are")
        #expect(reason(store.jump(to: 0)) == "step 0 cannot be jumped to; steps 2 to 3 are")
        #expect(reason(store.jump(to: 4)) == "step 4 cannot be jumped to; steps 2 to 3 are")
        #expect(reason(await store.send(.skip(1))) == "step 1 is not kept; steps 2 to 3 are")
        #expect(store.state.positions == 1...3)
        store.jump(to: 1)
        #expect(words(store) == "a b|")
    }

    @Test("what is older than the steps that are kept stays in the state, left out or not as it was")
    func bounded() {
        let store = open(keeping: 3)
        store.send(.event(.both("a", "b")))
        store.skip(2)
        store.send(.event(.say("c")))
        store.send(.event(.say("d")))
        #expect(store.state.steps.map(\.number) == [5, 6, 7])
        #expect(words(store) == "b c d")
        store.skip(7)
        #expect(words(store) == "b c")
        store.jump(to: 4)
        #expect(words(store) == "b c|b")
    }

    @Test("a state that is looked at stays when its step is kept no longer")
    func lookedAtStays() {
        let store = open(keeping: 2)
        store.send(.event(.say("a")))
        store.jump(to: 2)
        for word in ["b", "c", "d"] { store.send(.event(.say(word))) }
        store.skip(8)
        #expect(words(store) == "a b c|a")
    }

    @Test("feedback follows the latest state: to look back or to skip and restore runs nothing twice")
    func feedback() {
        let asked = Recorder<String>()
        let store = Store(
            reducer: Self.reducer.inDevelopment(keeping: 100), initialState: Development(State()), environment: world,
            feedback: { states in
                states.latest { states in
                    [
                        states.compactMap(\.words.last).compactMap { word -> Event? in
                            asked.append(word)
                            return word == "ping" ? .say("pong") : nil
                        }.eraseToAnyPublisher()
                    ]
                }
            })
        store.send(.event(.say("ping")))
        #expect(words(store) == "ping pong")
        store.jump(to: 2)
        store.jump(to: 0)
        store.jumpToLatest()
        #expect(words(store) == "ping pong")
        #expect(asked.all == ["ping", "pong"])
    }

    @Test("a rejected event leaves a state that is equal, an accepted one does not, nor does an effect that waits")
    func equalityInTime() {
        let store = open()
        var before = store.state
        store.send(.event(.never))
        #expect(store.state == before)
        store.send(.event(.later))
        #expect(store.state != before)
        store.lock()
        before = store.state
        world.send("x")
        #expect(store.state != before)
    }

    @Test("a state differs after a step that is left out or an effect that is, though it shows and has come to the same")
    func leftOutInTime() {
        let store = open()
        store.send(.event(.later))
        var before = store.state
        store.skip(1)
        #expect(store.state != before)
        before = store.state
        world.send("x")
        #expect(store.state != before)
        #expect(words(store) == "")
    }

    @Test("states are equal if they show and have come to the same after as many steps, and differ in any of that")
    func equality() {
        func both(_ one: String, _ other: String) -> DevelopmentEvent<Event> { .event(.both(one, other)) }
        let same = pair([both("a", "b")], [both("a", "b")])
        #expect(same.one == same.other)
        let latest = pair([both("a", "b"), .jump(to: 2)], [both("a", "c"), .jump(to: 2)])
        #expect(latest.one != latest.other)
        let shown = pair([both("a", "b"), .skip(2), .jump(to: 2)], [both("b", "a"), .skip(3), .jump(to: 2)])
        #expect(shown.one.latest == shown.other.latest)
        #expect(shown.one != shown.other)
        let position = pair([.event(.later), .jump(to: 1)], [.event(.later), .jump(to: 0)])
        #expect(position.one != position.other)
        let pause = pair([.pause], [.resume])
        #expect(pause.one != pause.other)
        let lock = pair([.lock], [.unlock])
        #expect(lock.one != lock.other)
        let time = pair([.event(.later)], [.resume, .resume])
        #expect(time.one != time.other)
    }
}

extension Store {
    var liveEffectsOfTest: Int { inFlight.count }
}
