import MoonlightTestSupport
import Streams
import Testing

// States, unusual spans, depth and threads.
extension ProtectedTests {
    // MARK: States

    @Test("its states are told in order, the present one first")
    func states() {
        let breaker = breaker()
        let states = Recorder<CircuitState, Never>()
        breaker.states.subscribe(states)
        for fails in [true, true] { ask(breaker, fails: fails) }
        time.advance(by: Duration.seconds(10))
        ask(breaker, fails: true)
        time.advance(by: Duration.seconds(10))
        ask(breaker, fails: false)
        #expect(states.values == [.closed, .open, .halfOpen, .open, .halfOpen, .closed])
        let late = Recorder<CircuitState, Never>()
        breaker.states.subscribe(late)
        #expect(late.values == [.closed])
    }

    @Test("who changes the state from inside a state's delivery is told of it after that")
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
        #expect(states.values == [.closed, .open, .halfOpen, .closed])
        #expect(states.violations == [])
        #expect(breaker.state == .closed)
    }

    @Test("a state has changed before the subscription that changes it completes")
    func stateFirst() {
        let breaker = breaker(1)
        let seen = Log<CircuitState>()
        Fail<Int, Trouble>(error: .ofService).protected(by: breaker) { .refused($0) }
            .subscribe(AnySubscriber(receiveSubscription: { _ in }, receiveCompletion: { _ in seen.append(breaker.state) }))
        #expect(seen.items == [.open])
    }

    // MARK: Unusual spans

    @Test("a reset after no time, or less, makes the next subscription the trial", arguments: [0, -1, Int.min])
    func noSpan(nanoseconds: Int) {
        let breaker = breaker(1, resetAfter: .nanoseconds(nanoseconds))
        ask(breaker, fails: true)
        #expect(breaker.state == .open)
        #expect(ask(breaker, fails: false).isFinished)
        #expect(breaker.state == .closed)
    }

    @Test("with a span too long to be counted it stays open")
    func endlessSpan() {
        let breaker = breaker(1, resetAfter: .seconds(Int.max))
        ask(breaker, fails: true)
        time.advance(by: TimeStride.nanoseconds(.max))
        #expect(ask(breaker, fails: false).failure != nil)
        #expect(breaker.state == .open)
    }

    // MARK: Depth and threads

    @Test("a subscriber that asks again whenever it is answered or refused needs no stack", arguments: [1, 1_000_000])
    func again(failures: Int) {
        let breaker = breaker(failures)
        let rounds = Rounds<Trouble>(100_000) { rounds in
            Fail<Int, Trouble>(error: .ofService).protected(by: breaker) { .refused($0) }.subscribe(rounds)
        }
        rounds.next()
        #expect(rounds.count == 100_000)
    }

    @Test("of those that come by several threads one is the trial")
    func threads() {
        for _ in 0..<50 {
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
            #expect(begun.items.count == 1)
            #expect(refused.items.count == 3)
        }
    }
}
