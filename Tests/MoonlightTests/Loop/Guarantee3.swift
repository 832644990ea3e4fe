import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// `state = apply(state, effect)`; if the state differs, every observer receives it before the next item.
@Suite("Guarantee 3: a changed state reaches all observers before the next item")
struct Guarantee3Effect {
    /// A loop whose state is a number, and whose effects change it.
    private func start(
        _ effects: PassthroughSubject<Int, Never>, observe: (AnyPublisher<Int, Never>) -> Void
    ) -> AnyCancellable {
        Moonlight.start(
            initialState: 0,
            environment: (),
            feedback: { states in
                observe(states)
                return effects.eraseToAnyPublisher()
            },
            transform: { _, effect, _ in Just(effect).eraseToAnyPublisher() },
            apply: { _, effect in effect })
    }

    @Test("A state that equals the previous one is not sent")
    func equalStates() {
        let (seen, observers, effects) = (Recorder<Int>(), Keeper(), PassthroughSubject<Int, Never>())
        let loop = start(effects) { observers.keep($0.sink { seen.append($0) }) }
        for effect in [0, 1, 1, 2, 2, 2, 1] { effects.send(effect) }
        expectEqual(seen.all, [0, 1, 2, 1])
        loop.cancel()
    }

    @Test("States are compared by their own `==`")
    func equalityIsTheStates() {
        struct Rounded: Equatable {
            var value: Double
            static func == (left: Rounded, right: Rounded) -> Bool { left.value.rounded() == right.value.rounded() }
        }
        let (seen, observers, effects) = (Recorder<Double>(), Keeper(), PassthroughSubject<Double, Never>())
        let loop = Moonlight.start(
            initialState: Rounded(value: 0),
            environment: (),
            feedback: { states in
                observers.keep(states.sink { seen.append($0.value) })
                return effects.eraseToAnyPublisher()
            },
            transform: { _, effect, _ in Just(effect).eraseToAnyPublisher() },
            apply: { _, effect in Rounded(value: effect) })
        for effect in [0.2, 0.7, 1.2, 1.6] { effects.send(effect) }
        expectEqual(seen.all, [0, 0.7, 1.6])
        loop.cancel()
    }

    @Test("An effect that a stream sends during `apply`, in violation of the grammar, is applied afterwards")
    func nestedEffect() {
        let states = Recorder<[Int]>()
        let nested = Recorder<AnySubscriber<Int, Never>>()
        let effects = Handmade<Int> { subscriber in
            subscriber.receive(subscription: Subscriptions.empty)
            nested.append(subscriber)
            _ = subscriber.receive(1)
            subscriber.receive(completion: .finished)
        }
        let store = Store<[Int], Int>(
            reducer: Reducer(
                transform: { _, _, _ in effects.eraseToAnyPublisher() },
                apply: { (state: inout [Int], effect: Int) in
                    if effect == 1 { _ = nested.last?.receive(2) }
                    state.append(effect)
                }),
            initialState: [], environment: ())
        let sink = store.states.sink { states.append($0) }
        store.post(0)
        expectEqual(states.all, [[], [1], [1, 2]])
        sink.cancel()
    }

    @Test("Each effect is applied to the result of the previous one")
    func folding() {
        let loop = WordLoop(transform: { _, word in word.map(String.init).publisher.eraseToAnyPublisher() })
        loop.send("ab")
        loop.send("c")
        expectEqual(loop.seen.all, [[], ["a"], ["a", "b"], ["a", "b", "c"]])
    }

    @Test("All observers receive a state, in subscription order, before the next effect and the next event")
    func allBeforeTheNext() {
        let (log, events, observers) = (Recorder<String>(), PassthroughSubject<String, Never>(), Keeper())
        let loop = WordLoop(
            events: events,
            feedback: { states in
                for name in ["first", "second", "third"] {
                    observers.keep(
                        states.filter { !$0.isEmpty }.sink { words in
                            log.append("\(name) gets \(words.count)")
                            if name == "first", words.count == 1 { events.send("b") }
                        })
                }
                return []
            },
            onApply: { log.append("apply \($0)") },
            transform: { _, word in
                log.append("transform \(word)")
                return [word + "1", word + "2"].publisher.eraseToAnyPublisher()
            })
        loop.send("a")
        var expected: [String] = []
        for (index, word) in ["a1", "a2", "b1", "b2"].enumerated() {
            if word.hasSuffix("1") { expected.append("transform \(word.prefix(1))") }
            expected.append("apply \(word)")
            expected += ["first", "second", "third"].map { "\($0) gets \(index + 1)" }
        }
        expectEqual(log.all, expected)
    }

    @Test("All observers receive a state before the next event, even while another thread requests an earlier state")
    func askingElsewhere() {
        let (served, goOn) = (Latch(), Latch())
        let (states, observers) = (Recorder<Int>(), Keeper())
        let asker = Asker<[String]> { words in
            guard words.count == 1 else { return }
            served.open()
            goOn.wait()
        }
        let loop = WordLoop(
            feedback: { stream in
                stream.subscribe(asker)
                observers.keep(stream.sink { states.append($0.count) })
                return []
            },
            transform: { _, word in
                // The states that the observers have received when this event is handled.
                Just("\(word) after \(states.last ?? -1)").eraseToAnyPublisher()
            })
        loop.send("a")
        let asking = Worker { asker.ask(for: .max(1)) }
        served.wait()
        let sending = Worker {
            loop.send("b")
            loop.send("c")
        }
        sending.join()
        goOn.open()
        asking.join()
        expectEqual(loop.words, ["a after 0", "b after 1", "c after 2"])
    }
}
