import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// The end of a store without loss of work.
@Suite("`Store.drain(within:)`")
struct DrainTests {
    private enum Event: Sendable, CustomStringConvertible {
        case pay(PassthroughSubject<Int, Never>)
        case job(String, PassthroughSubject<Int, Never>)
        case ask(Int)
        case add(Int)
        /// Changes nothing.
        case probe

        var description: String {
            switch self {
            case .pay: "pay"
            case .job(let id, _): "job \(id)"
            case .ask(let number): "ask \(number)"
            case .add(let number): "add \(number)"
            case .probe: "probe"
            }
        }
    }

    private struct State: Equatable, Sendable {
        var sum = 0
        var question: Int?
    }

    private enum Effect: Sendable {
        case paid(Int)
        case asked(Int?)
    }

    private func store(
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>] = { _ in [] }
    ) -> Store<State, Event> {
        Store(
            reducer: Reducer(
                transform: { (_, event: Event, _) -> AnyPublisher<Effect, Never> in
                    switch event {
                    case .pay(let payment): AnyPublisher(payment.map(Effect.paid))
                    case .job(let id, let work): AnyPublisher(work.map(Effect.paid).job(id, .merge))
                    case .ask(let number): .just(.asked(number))
                    case .probe: .none
                    case .add(let number): AnyPublisher([.paid(number), .asked(nil)].publisher)
                    }
                },
                apply: { (state: inout State, effect: Effect) in
                    switch effect {
                    case .paid(let amount): state.sum += amount
                    case .asked(let number): state.question = number
                    }
                }),
            initialState: State(), environment: (), feedback: feedback)
    }

    @Test(
        "`drain` and `send` accept any time limit, however long",
        arguments: [Duration.seconds(Int64.max), .seconds(Int64.max) * 18])
    func longTimes(_ limit: Duration) async throws {
        let store = store()
        try await store.send(.add(1), until: .settled, within: limit).get()
        try await store.send(.add(2), until: .settled, within: limit, on: ManualClock()).get()
        await expectEqual(store.drain(within: limit), [])
        expectEqual(store.state.sum, 3)
    }

    /// Waits until the store refuses events and its loop is idle, so that an event that is sent later is handled before the call
    /// returns.
    private func hasBegun(_ store: Store<State, Event>) async throws {
        try await until { store.post(.probe).word == "draining" }
        try await store.idle()
    }

    @Test("`drain` ends a quiet store at once, and returns nothing")
    func quiet() async {
        let store = store()
        await expectEqual(store.drain(within: nil), [])
        expectEqual(store.post(.ask(1)).word, "ended")
        expectEqual(store.state, State())
    }

    @Test("`drain` applies effects in flight, and refuses events from outside")
    func inFlight() async throws {
        let (store, payment) = (store(), PassthroughSubject<Int, Never>())
        store.post(.pay(payment))
        let draining = Task { await store.drain(within: nil) }
        try await hasBegun(store)
        let refused = Recorder<String>()
        let sink = store.refusals.sink { refused.append("\($0.error)") }
        await expectEqual(store.send(.ask(1)).word, "draining")
        expectEqual(refused.all, ["\(SendError.draining)"])
        sink.cancel()
        payment.send(300)
        expect(!store.isQuiet)
        payment.send(completion: .finished)
        await expectEqual(draining.value, [])
        expectEqual(store.state.sum, 300)
    }

    @Test("A thread that has awaited an event counts as outside afterwards: events that feedback sends from it are refused")
    func afterAwaiting() async {
        let (events, payment) = (PassthroughSubject<ScriptEvent, Never>(), PassthroughSubject<String, Never>())
        let store = scriptStore { _ in [events.eraseToAnyPublisher()] }
        let refused = Recorder<String>()
        let sink = store.refusals.sink { refused.append("\($0.event): \($0.error)") }
        store.post(.stream("payment") { payment.eraseToAnyPublisher() })
        await expectEqual(store.send(.words(["a"])).word, "settled")
        // No suspension from here on, so that this is the same thread.
        store.beginDraining()
        events.send(.words(["b"]))
        expectEqual(store.state, ["a"])
        expectEqual(refused.all, ["words(b): \(SendError.draining)"])
        sink.cancel()
        store.cancel()
    }

    @Test("`drain` handles events that feedback sends for effects in flight, and those that follow")
    func follows() async throws {
        let payment = PassthroughSubject<Int, Never>()
        let store = store { states in
            [states.compactMap { (1..<4).contains($0.sum) ? Event.add(1) : nil }.eraseToAnyPublisher()]
        }
        store.post(.pay(payment))
        let draining = Task { await store.drain(within: nil) }
        try await hasBegun(store)
        payment.send(1)
        payment.send(completion: .finished)
        await expectEqual(draining.value, [])
        expectEqual(store.state.sum, 4)
    }

    @Test("`drain` handles an event of feedback that a busy operator delivers later")
    func laterAnswer() {
        let (payment, ticks) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Event, Never>())
        let store = store { states in
            [
                states.filter { $0.sum == 1 }.map { _ in Event.add(1) }.eraseToAnyPublisher(),
                states.filter { $0.sum == 2 }.map { _ in Event.add(10) }.merge(with: ticks).eraseToAnyPublisher(),
            ]
        }
        // Called from inside the merged stream.
        let watch = store.refusals.sink { _ in
            payment.send(1)
            payment.send(completion: .finished)
        }
        store.post(.pay(payment))
        store.beginDraining()
        ticks.send(.ask(1))
        expectEqual(store.state.sum, 12)
        expectEqual(store.post(.probe).word, "ended")
        watch.cancel()
    }

    @Test("`drain` handles an event that an observer sends during a delivery")
    func observerSends() async throws {
        let (store, payment) = (store(), PassthroughSubject<Int, Never>())
        let observer = store.states.filter { $0.sum == 1 }.sink { [weak store] _ in store?.post(.add(10)) }
        store.post(.pay(payment))
        let draining = Task { await store.drain(within: nil) }
        try await hasBegun(store)
        payment.send(1)
        payment.send(completion: .finished)
        await expectEqual(draining.value, [])
        expectEqual(store.state.sum, 11)
        observer.cancel()
    }

    @Test("`drain` completes a running reaction and handles its events, and starts no other reaction")
    func reactions() async throws {
        let (answers, asked) = (PassthroughSubject<Event, Never>(), Recorder<Int>())
        let store = store { states in
            [
                states.react(to: \.question) { number in
                    asked.append(number)
                    return answers
                }
            ]
        }
        store.post(.ask(1))
        let payment = PassthroughSubject<Int, Never>()
        let draining = Task { await store.drain(within: nil) }
        try await hasBegun(store)
        // The answer leads to another request.
        answers.send(.pay(payment))
        answers.send(.ask(2))
        expectEqual(asked.all, [1, 2])
        expect(store.reactions.isEmpty)
        expectEqual(store.inFlight.map(\.description), ["effects of pay"])
        payment.send(5)
        payment.send(completion: .finished)
        await expectEqual(draining.value, [])
        expectEqual(store.state, State(sum: 5, question: 2))
    }

    @Test("`drain` ends the store with its last reaction")
    func lastReaction() async throws {
        let answers = PassthroughSubject<Event, Never>()
        let store = store { states in [states.react(to: \.question) { _ in answers }] }
        store.post(.ask(1))
        let draining = Task { await store.drain(within: nil) }
        try await hasBegun(store)
        answers.send(.add(3))
        answers.send(completion: .finished)
        await expectEqual(draining.value, [])
        expectEqual(store.state.sum, 3)
    }

    @Test("`drain` refuses an event that feedback sends by itself, and publishes the refusal")
    func timers() async throws {
        let (ticks, payment) = (PassthroughSubject<Event, Never>(), PassthroughSubject<Int, Never>())
        let store = store { _ in [ticks.eraseToAnyPublisher()] }
        let refused = Recorder<String>()
        let watch = store.refusals.sink { refused.append("\($0)") }
        store.post(.pay(payment))
        ticks.send(.add(1))
        let draining = Task { await store.drain(within: nil) }
        try await hasBegun(store)
        let before = refused.all.count
        ticks.send(.add(10))
        expectEqual(refused.all.dropFirst(before), ["add 10: the loop is being drained"])
        payment.send(completion: .finished)
        await expectEqual(draining.value, [])
        expectEqual(store.state.sum, 1)
        watch.cancel()
    }

    @Test("`drain` ends a stream with `untilDraining`, in a reaction and in feedback")
    func endless() async {
        let (prices, ends) = (PassthroughSubject<Int, Never>(), Counter())
        let store = store { states in
            [
                states.react(when: { $0.sum == 0 }) {
                    prices.map(Event.add).handleEvents(receiveCancel: { ends.add() }).untilDraining()
                },
                prices.map(Event.add).handleEvents(receiveCancel: { ends.add() }).untilDraining(),
            ]
        }
        let left = await store.drain(within: nil)
        expectEqual(left, [])
        expectEqual(ends.value, 2)
    }

    /// Runs a store that adds the values of streams, drains it while one of them is live, and then sends 1 and ends that stream.
    ///
    /// - Returns: The store, when it has ended.
    private func drained(
        _ others: [AnyPublisher<Int, Never>], _ transform: @escaping @Sendable (Int) -> AnyPublisher<Int, Never>
    ) async throws -> Store<Int, Int> {
        let payment = PassthroughSubject<Int, Never>()
        let store = Store(
            reducer: Reducer(
                transform: { (_, event: Int, _) in event == 1 ? AnyPublisher(payment) : transform(event) }, apply: { $0 += $1 }),
            initialState: 0, environment: (),
            feedback: { (states: AnyPublisher<Int, Never>) in
                others + [states.filter { $0 == 1 }.map { _ in 2 }.eraseToAnyPublisher()]
            })
        store.post(1)
        let draining = Task { await store.drain(within: nil) }
        try await until { store.post(0).word == "draining" }
        payment.send(1)
        payment.send(completion: .finished)
        await expectEqual(draining.value, [])
        return store
    }

    @Test("A stream with `untilDraining` that begins while the store drains ends at once")
    func endlessLater() async throws {
        let prices = PassthroughSubject<Int, Never>()
        let store = try await drained([]) { $0 == 2 ? prices.prepend(10).untilDraining() : .none }
        prices.send(100)
        expectEqual(store.state, 1)
    }

    @Test("`drain` handles an event that `transform` sends through a stream of feedback")
    func transformSends() async throws {
        let events = PassthroughSubject<Int, Never>()
        let store = try await drained([events.eraseToAnyPublisher()]) { event in
            if event == 2 { events.send(5) }
            return event == 5 ? .just(5) : .none
        }
        expectEqual(store.state, 6)
    }

    @Test("`drain` cancels and returns the work that is left at the deadline, each with its cause, oldest first")
    func deadline() async throws {
        let (clock, never) = (ManualClock(), PassthroughSubject<Event, Never>())
        let (payment, work) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let store = store { states in [states.react(to: \.question) { _ in never }] }
        store.post(.pay(payment))
        store.post(.job("upload", work))
        store.post(.ask(7))
        let draining = Task { await store.drain(within: .seconds(5), on: clock) }
        await clock.sleepers(1)
        try await hasBegun(store)
        clock.advance(by: .seconds(5))
        let left = await draining.value
        expectEqual(left.map(\.description), ["effects of pay", "job upload of job upload", "reaction to 7"])
        expectEqual(store.post(.ask(1)).word, "ended")
        payment.send(1)
        expectEqual(store.state.sum, 0)
    }

    @Test("`drain` returns before the deadline when nothing is in flight any more")
    func inTime() async throws {
        let (store, clock, payment) = (store(), ManualClock(), PassthroughSubject<Int, Never>())
        store.post(.pay(payment))
        let draining = Task { await store.drain(within: .seconds(5), on: clock) }
        await clock.sleepers(1)
        try await hasBegun(store)
        payment.send(completion: .finished)
        await expectEqual(draining.value, [])
        await clock.sleepers(0)
        expectEqual(clock.now.offset, .zero)
    }

    @Test("`drain` in a task that is cancelled ends the store at once, and returns the remaining work")
    func cancelled() async throws {
        let (store, payment) = (store(), PassthroughSubject<Int, Never>())
        store.post(.pay(payment))
        let draining = Task { await store.drain(within: nil) }
        try await hasBegun(store)
        draining.cancel()
        await expectEqual(draining.value.map(\.description), ["effects of pay"])
    }

    @Test("`drain` by two tasks returns to both when the store ends")
    func twice() async throws {
        let (store, payment) = (store(), PassthroughSubject<Int, Never>())
        store.post(.pay(payment))
        let (one, other) = (Task { await store.drain(within: nil) }, Task { await store.drain(within: nil) })
        try await hasBegun(store)
        payment.send(completion: .finished)
        await expectEqual(one.value, [])
        await expectEqual(other.value, [])
    }

    @Test("`drain` notifies a sender with an event in flight that it has settled, and a task that awaits the end")
    func waiters() async throws {
        let (store, payment) = (store(), PassthroughSubject<Int, Never>())
        let sending = try await store.begin(.pay(payment))
        let draining = Task { await store.drain(within: nil) }
        try await hasBegun(store)
        payment.send(completion: .finished)
        await expectEqual(sending.value, "settled")
        await expectEqual(draining.value, [])
        await store.finished()
    }

    @Test("`drain` of a cancelled store returns at once")
    func afterTheEnd() async {
        let (store, payment) = (store(), PassthroughSubject<Int, Never>())
        store.post(.pay(payment))
        store.cancel()
        await expectEqual(store.drain(within: nil), [])
    }

    @Test("`drain` sends observers the last state and the completion", arguments: [false, true])
    func observers(isEmpty: Bool) async throws {
        let (store, payment) = (store(), PassthroughSubject<Int, Never>())
        let seen = Recorder<String>()
        let observer = store.states.sink(
            receiveCompletion: { _ in seen.append("end") }, receiveValue: { seen.append("\($0.sum)") })
        if !isEmpty { store.post(.pay(payment)) }
        let draining = Task { await store.drain(within: nil) }
        if !isEmpty {
            try await hasBegun(store)
            payment.send(4)
            payment.send(completion: .finished)
        }
        _ = await draining.value
        expect(seen.all == (isEmpty ? ["0", "end"] : ["0", "4", "end"]))
        observer.cancel()
    }
}
