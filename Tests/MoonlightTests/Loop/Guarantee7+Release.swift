import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// After either end, everything is released, even while the cancellable is retained.
extension Guarantee7TheEnd {
    enum Ending: CaseIterable, Sendable { case cancelled, finished }

    /// The references of a test to a loop that has a token in everything that it retains.
    private struct Handles: Sendable {
        let census = Census()
        let events = PassthroughSubject<Int, Never>()
        /// The source of the effects, until it ends.
        let live = PassthroughSubject<Int, Never>()
        let observers = Keeper()
        let keeper = Keeper()

        func end(_ ending: Ending) {
            switch ending {
            case .cancelled: keeper.cancel()
            case .finished:
                events.send(completion: .finished)
                live.send(completion: .finished)
            }
        }

        /// Retains everything but the stream of states.
        func keepAlive() {}
    }

    private struct State: Equatable, Sendable {
        let number: Int
        let token: Token
        static func == (left: State, right: State) -> Bool { left.number == right.number }
    }

    private func start(
        _ handles: Handles,
        onState: @escaping @Sendable (State) -> Void = { _ in },
        store: (AnyCancellable) -> Void = { _ in }
    ) -> AnyPublisher<State, Never> {
        let census = handles.census
        let (inObserver, inEvents) = (Token("observer", in: census), Token("events", in: census))
        let (inTransform, inApply) = (Token("transform", in: census), Token("apply", in: census))
        let inEffects = Token("effects", in: census)
        return Moonlight.start(
            initialState: State(number: 0, token: Token("state", in: census)),
            environment: Token("environment", in: census),
            feedback: { states in
                handles.observers.keep(
                    states.sink { state in
                        inObserver.touch()
                        onState(state)
                    })
                return handles.events
                    .handleEvents(receiveOutput: { _ in inEvents.touch() })
                    .eraseToAnyPublisher()
            },
            transform: { _, _, _ in
                inTransform.touch()
                return handles.live
                    .handleEvents(receiveOutput: { _ in inEffects.touch() })
                    .eraseToAnyPublisher()
            },
            apply: { _, number in
                inApply.touch()
                return State(number: number, token: Token("state", in: census))
            },
            store: {
                handles.keeper.keep($0)
                store($0)
            })
    }

    @Test("A loop that has ended retains nothing", arguments: Ending.allCases)
    func releases(ending: Ending) {
        let handles = Handles()
        _ = start(handles)
        handles.events.send(1)
        handles.live.send(1)
        expectEqual(
            handles.census.alive, ["apply", "effects", "environment", "events", "observer", "state", "transform"])
        handles.end(ending)
        expectEqual(handles.census.alive, [])
        handles.keepAlive()
    }

    @Test("A loop that is ended by its own closures retains nothing", arguments: Ending.allCases)
    func releasesFromInside(ending: Ending) {
        let handles = Handles()
        _ = start(handles, onState: { if $0.number == 1 { handles.end(ending) } })
        handles.events.send(1)
        handles.live.send(1)
        expectEqual(handles.census.alive, [])
        handles.keepAlive()
    }

    @Test("The stream of states of a cancelled loop retains nothing")
    func streamOfCancelled() {
        let handles = Handles()
        let states = start(handles)
        handles.events.send(1)
        handles.live.send(1)
        handles.end(.cancelled)
        expectEqual(handles.census.alive, [])
        withExtendedLifetime(states) { handles.keepAlive() }
    }

    @Test("The stream of states of a loop that has ended by itself retains only the last state")
    func streamOfFinished() {
        let handles = Handles()
        let states = start(handles)
        handles.events.send(1)
        handles.live.send(1)
        handles.end(.finished)
        expectEqual(handles.census.alive, ["state"])
        withExtendedLifetime(states) { handles.keepAlive() }
    }

    @Test("A loop that is cancelled as soon as it is stored retains nothing")
    func cancelledAsSoonAsStored() {
        let handles = Handles()
        let states = start(handles, store: { $0.cancel() })
        expectEqual(handles.census.alive, [])
        withExtendedLifetime(states) { handles.keepAlive() }
    }

    @Test("A stream of effects is released when it ends, while the loop continues")
    func endedEffects() {
        let (census, live) = (Census(), PassthroughSubject<String, Never>())
        let loop = WordLoop(
            transform: { _, word in
                let token = Token(word, in: census)
                return live.handleEvents(receiveOutput: { _ in token.touch() }).eraseToAnyPublisher()
            })
        loop.send("effects")
        expectEqual(census.alive, ["effects"])
        live.send(completion: .finished)
        expectEqual(census.alive, [])
        expect(!loop.isFinished)
    }

    @Test("A queued event is released with the loop")
    func waitingEvent() {
        let (census, keeper, observers) = (Census(), Keeper(), Keeper())
        let (events, answers) = (PassthroughSubject<Token, Never>(), PassthroughSubject<Token, Never>())
        let loop = Moonlight.start(
            initialState: 0,
            environment: (),
            feedback: { states in
                observers.keep(
                    states.sink { number in
                        guard number == 1 else { return }
                        answers.send(Token("waiting", in: census))
                        expect(census.alive.contains("waiting"))
                        keeper.cancel()
                    })
                return [events.eraseToAnyPublisher(), answers.eraseToAnyPublisher()]
            },
            transform: { _, token, _ in Just(token).eraseToAnyPublisher() },
            apply: { number, _ in number + 1 })
        keeper.keep(loop)
        events.send(Token("first", in: census))
        expectEqual(census.alive, [])
        withExtendedLifetime(keeper) {}
    }
}
