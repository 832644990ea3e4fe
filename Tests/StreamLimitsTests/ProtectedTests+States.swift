import MoonlightTestSupport
import StreamLimits
import Streams
import Testing

// States, unusual spans, and threads.
extension ProtectedTests {
    // MARK: States

    @Test("A circuit breaker sends its current state first, then each change in order")
    func states() {
        let breaker = breaker()
        let states = Recorder<CircuitState, Never>()
        breaker.states.subscribe(states)
        for fails in [true, true] { ask(breaker, fails: fails) }
        time.advance(by: Duration.seconds(10))
        ask(breaker, fails: true)
        time.advance(by: Duration.seconds(10))
        ask(breaker, fails: false)
        expectEqual(states.values, [.closed, .open, .halfOpen, .open, .halfOpen, .closed])
        let late = Recorder<CircuitState, Never>()
        breaker.states.subscribe(late)
        expectEqual(late.values, [.closed])
    }

    @Test("A subscriber that changes the state from inside the delivery of a state receives the change after it")
    func reentrantStates() {
        let (breaker, time) = (breaker(1, resetAfter: 0), time)
        let states = Recorder<CircuitState, Never> { recorder, state in
            if recorder.values.count == 2 {
                Empty<Int, Trouble>().protected(by: breaker) { .refused($0) }.subscribe(Recorder<Int, Trouble>())
            }
            withExtendedLifetime(time) {}
        }
        breaker.states.subscribe(states)
        ask(breaker, fails: true)
        expectEqual(states.values, [.closed, .open, .halfOpen, .closed])
        expectEqual(states.violations, [])
        expectEqual(breaker.state, .closed)
    }

    @Test("A circuit breaker publishes a change before the subscription that caused it completes")
    func stateFirst() {
        let breaker = breaker(1)
        let seen = Log<CircuitState>()
        Fail<Int, Trouble>(error: .ofService).protected(by: breaker) { .refused($0) }
            .subscribe(AnySubscriber(receiveSubscription: { _ in }, receiveCompletion: { _ in seen.append(breaker.state) }))
        expectEqual(seen.items, [.open])
    }

    // MARK: Unusual spans

    @Test(
        "A circuit breaker with a reset time of zero or less makes the next subscription the trial", arguments: [0, -1, Int.min])
    func noSpan(nanoseconds: Int) {
        let breaker = breaker(1, resetAfter: .nanoseconds(nanoseconds))
        ask(breaker, fails: true)
        expectEqual(breaker.state, .open)
        expect(ask(breaker, fails: false).isFinished)
        expectEqual(breaker.state, .closed)
    }

    @Test("A circuit breaker with a reset time too long to be represented stays open")
    func endlessSpan() {
        let breaker = breaker(1, resetAfter: .seconds(Int.max))
        ask(breaker, fails: true)
        time.advance(by: TimeStride.nanoseconds(.max))
        expect(ask(breaker, fails: false).failure != nil)
        expectEqual(breaker.state, .open)
    }

    // MARK: Threads

    @Test("One of several threads that subscribe at once becomes the trial, and the others are refused")
    func threads() {
        for _ in 0..<Budget.rounds(50, least: 10) {
            let breaker = due()
            let begun = Log<Int>()
            let refused = Log<Int>()
            onThreads(4) { thread in
                let recorder = Recorder<Int, Trouble>()
                Deferred {
                    begun.append(thread)
                    return Empty<Int, Trouble>(completeImmediately: false)
                }.protected(by: breaker) { .refused($0) }.subscribe(recorder)
                if recorder.failure == .refused(.halfOpen) { refused.append(thread) }
            }
            expectEqual(begun.items.count, 1)
            expectEqual(refused.items.count, 3)
        }
    }
}
