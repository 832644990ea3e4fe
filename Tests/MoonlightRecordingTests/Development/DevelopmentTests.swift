import Moonlight
import MoonlightRecording
import MoonlightTestSupport
import Streams
import Testing

/// A list of words. `.say` adds one at once, `.later` adds the values of `world`, `.open` creates a child.
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

    /// `apply` rejects the word "after x" if there is no "x".
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

    /// Returns the words of the latest state, followed by "
    /// " and those of the displayed state if they differ.
    func words(_ store: Store<Lifted, DevelopmentEvent<Event>>) -> String {
        let (latest, shown) = (store.state.latest.words, store.state.displayed.words)
        let text = latest.joined(separator: " ")
        return latest == shown ? text : text + "|" + shown.joined(separator: " ")
    }

    /// Returns the kept steps as text: `1:say` for an event, `2<1 word` for an effect, with `-` if skipped and `!` if
    /// rejected.
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

    @Test("The latest state is that of the reducer alone, and is displayed")
    func same() {
        let store = open()
        store.send(.event(.both("a", "b")))
        store.send(.event(.later))
        world.send("c")
        expectEqual(words(store), "a b c")
        expectEqual(
            steps(store),
            [
                #"1 both("a", "b")"#, #"2<1 word("a")"#, #"3<1 word("b")"#, "4 later", #"5<4 word("c")"#,
            ])
        expectEqual(store.state.positions, 0...5)
    }

    @Test("A history that keeps one step keeps the last one")
    func oneStep() {
        let store = open(keeping: 1)
        for word in ["a", "b"] { store.send(.event(.say(word))) }
        expectEqual(words(store), "a b")
        expectEqual(steps(store), [#"4<3 word("b")"#])
    }

    @Test(
        "A command that changes nothing is shown to no observer",
        arguments: [DevelopmentCommand.jump(to: nil), .resume, .unlock])
    func unchanged(_ command: DevelopmentCommand) async {
        let store = open()
        var shown = 0
        let observer = store.states.sink { _ in shown += 1 }
        expectEqual(reason(await store.send(.command(command))), nil)
        expectEqual(shown, 1)
        observer.cancel()
    }

    @Test("An event that `transform` rejects is not a step")
    func rejectedEvent() async {
        let store = open()
        expectEqual(reason(await store.send(.event(.never))), "never")
        expect(store.state.steps.isEmpty)
    }

    @Test("An effect that `apply` rejects is not a step, and the sender receives the error")
    func rejectedEffect() async {
        let store = open()
        expectEqual(reason(await store.send(.event(.say("after x")))), "after x comes too early")
        expectEqual(steps(store), [#"1 say("after x")"#])
        expectEqual(words(store), "")
    }

    @Test("Skipping an effect yields the state without it")
    func skipEffect() {
        let store = open()
        store.send(.event(.both("a", "b")))
        store.send(.event(.say("c")))
        store.send(.command(.skip(2)))
        expectEqual(words(store), "b c")
        expectEqual(
            steps(store),
            [
                #"1 both("a", "b")"#, #"-2<1 word("a")"#, #"3<1 word("b")"#, #"4 say("c")"#, #"5<4 word("c")"#,
            ])
    }

    @Test("Skipping an event skips all its effects")
    func skipEvent() {
        let store = open()
        store.send(.event(.both("a", "b")))
        store.send(.event(.say("c")))
        store.send(.command(.skip(1)))
        expectEqual(words(store), "c")
    }

    @Test("Effects in flight of a skipped event continue, and are skipped when they arrive, until the event is restored")
    func lateEffect() {
        let store = open()
        store.send(.event(.later))
        store.send(.command(.skip(1)))
        world.send("x")
        store.send(.event(.say("a")))
        expectEqual(words(store), "a")
        expectEqual(store.liveEffectsOfTest, 1)
        expectEqual(steps(store)[1], #"-2<1 word("x")"#)
        store.send(.command(.restore(1)))
        expectEqual(words(store), "x a")
        world.send("y")
        expectEqual(words(store), "x a y")
    }

    @Test("A restored step is applied again, in its place")
    func restore() {
        let store = open()
        store.send(.event(.both("a", "b")))
        store.send(.command(.skip(2)))
        store.send(.command(.restore(2)))
        expectEqual(words(store), "a b")
        expectEqual(store.state.steps.map(\.outcome), [.inEffect, .inEffect, .inEffect])
    }

    @Test("An effect of a skipped event remains skipped if it alone is restored")
    func restoreEffect() {
        let store = open()
        store.send(.event(.say("a")))
        store.send(.command(.skip(1)))
        store.send(.command(.restore(2)))
        expectEqual(words(store), "")
    }

    @Test("A step that `apply` rejects because another is skipped changes nothing, and is marked as rejected")
    func rejectedLater() {
        let store = open()
        store.send(.event(.say("x")))
        store.send(.event(.both("after x", "y")))
        store.send(.command(.skip(2)))
        expectEqual(words(store), "y")
        expectEqual(steps(store)[3], #"!4<3 word("after x")"#)
        store.send(.command(.restore(2)))
        expectEqual(words(store), "x after x y")
        expect(store.state.steps.allSatisfy { $0.outcome == .inEffect })
    }

    @Test("A jump displays the state after a step, while the program continues with the latest")
    func jump() {
        let store = open()
        store.send(.event(.both("a", "b")))
        store.send(.command(.jump(to: 2)))
        expectEqual(words(store), "a b|a")
        expectEqual(store.state.position, 2)
        store.send(.event(.say("c")))
        expectEqual(words(store), "a b c|a")
        store.send(.command(.jump(to: 0)))
        expectEqual(words(store), "a b c|")
        store.send(.command(.jump(to: nil)))
        expectEqual(words(store), "a b c")
        store.send(.event(.say("d")))
        expectEqual(words(store), "a b c d")
    }

    @Test("Skipping a step also changes the displayed state, if the step is before it")
    func skipWhileLooking() {
        let store = open()
        store.send(.event(.both("a", "b")))
        store.send(.event(.say("c")))
        store.send(.command(.jump(to: 3)))
        store.send(.command(.skip(2)))
        expectEqual(words(store), "b c|b")
        store.send(.command(.skip(5)))
        expectEqual(words(store), "b")
    }

    @Test("A step that is not kept can be neither skipped, restored nor jumped to, and the error names the steps that are kept")
    func unknownStep() async {
        let store = open(keeping: 2)
        expectEqual(reason(await store.send(.command(.skip(1)))), "step 1 is not kept; none is kept")
        store.post(.event(.both("a", "b")))
        expectEqual(reason(await store.send(.command(.skip(1)))), "step 1 is not kept; steps 2 to 3 are")
        expectEqual(reason(await store.send(.command(.restore(4)))), "step 4 is not kept; steps 2 to 3 are")
        expectEqual(reason(await store.send(.command(.jump(to: 0)))), "step 0 cannot be jumped to; steps 2 to 3 are")
        expectEqual(reason(await store.send(.command(.jump(to: 4)))), "step 4 cannot be jumped to; steps 2 to 3 are")
        expectEqual(reason(await store.send(.command(.skip(1)))), "step 1 is not kept; steps 2 to 3 are")
        expectEqual(store.state.positions, 1...3)
        store.post(.command(.jump(to: 1)))
        expectEqual(words(store), "a b|")
    }

    @Test("Steps older than the kept ones stay in the state, skipped or not")
    func bounded() {
        let store = open(keeping: 3)
        store.send(.event(.both("a", "b")))
        store.send(.command(.skip(2)))
        store.send(.event(.say("c")))
        store.send(.event(.say("d")))
        expectEqual(store.state.steps.map(\.number), [5, 6, 7])
        expectEqual(words(store), "b c d")
        store.send(.command(.skip(7)))
        expectEqual(words(store), "b c")
        store.send(.command(.jump(to: 4)))
        expectEqual(words(store), "b c|b")
    }

    @Test("A displayed state stays when its step is no longer kept")
    func lookedAtStays() {
        let store = open(keeping: 2)
        store.send(.event(.say("a")))
        store.send(.command(.jump(to: 2)))
        for word in ["b", "c", "d"] { store.send(.event(.say(word))) }
        store.send(.command(.skip(8)))
        expectEqual(words(store), "a b c|a")
    }

    @Test("Feedback observes the latest state: a jump back repeats no work")
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
        expectEqual(words(store), "ping pong")
        store.send(.command(.jump(to: 2)))
        store.send(.command(.jump(to: 0)))
        store.send(.command(.jump(to: nil)))
        expectEqual(words(store), "ping pong")
        expectEqual(asked.all, ["ping", "pong"])
    }

    @Test("The state stays equal after a rejected event, and differs after an accepted one or a held effect")
    func equalityInTime() {
        let store = open()
        var before = store.state
        store.send(.event(.never))
        expectEqual(store.state, before)
        store.send(.event(.later))
        expect(store.state != before)
        store.send(.command(.lock))
        before = store.state
        world.send("x")
        expect(store.state != before)
    }

    @Test("The state differs after a step or an effect is skipped, although it displays the same as before")
    func leftOutInTime() {
        let store = open()
        store.send(.event(.later))
        var before = store.state
        store.send(.command(.skip(1)))
        expect(store.state != before)
        before = store.state
        world.send("x")
        expect(store.state != before)
        expectEqual(words(store), "")
    }

    @Test("States are equal if their latest state, displayed state, position, pause, lock and revision are")
    func equality() {
        func both(_ one: String, _ other: String) -> DevelopmentEvent<Event> { .event(.both(one, other)) }
        let same = pair([both("a", "b")], [both("a", "b")])
        expectEqual(same.one, same.other)
        let latest = pair([both("a", "b"), .command(.jump(to: 2))], [both("a", "c"), .command(.jump(to: 2))])
        expect(latest.one != latest.other)
        let shown = pair(
            [both("a", "b"), .command(.skip(2)), .command(.jump(to: 2))],
            [both("b", "a"), .command(.skip(3)), .command(.jump(to: 2))])
        expectEqual(shown.one.latest, shown.other.latest)
        expect(shown.one != shown.other)
        let position = pair([.event(.later), .command(.jump(to: 1))], [.event(.later), .command(.jump(to: 0))])
        expect(position.one != position.other)
        let pause = pair([.command(.pause)], [.command(.resume)])
        expect(pause.one != pause.other)
        let lock = pair([.command(.lock)], [.command(.unlock)])
        expect(lock.one != lock.other)
        let time = pair([.event(.later)], [.command(.resume), .command(.resume)])
        expect(time.one != time.other)
    }

    #if os(macOS) || os(Linux)
        @Test("A history of no steps traps with an explanation")
        func noSteps() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let reducer = Reducer<Int, Int, Int, Void>(transform: { _, _, _ in .none }, apply: { $0 += $1 })
                _ = reducer.inDevelopment(keeping: 0)
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("inDevelopment(keeping: 0): the number of steps must be at least 1"))
        }
    #endif
}

extension Store {
    var liveEffectsOfTest: Int { inFlight.count }
}
