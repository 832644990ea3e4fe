import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// `transform` receives the state at the time of its call; effects that its stream sends during the subscription are applied
/// first.
@Suite("Guarantee 2: ready effects are applied before queued items")
struct Guarantee2Event {
    /// Streams that send a word with "1" and with "2" during the subscription.
    enum Form: CaseIterable, Sendable {
        case array, hidden, joined, handmade

        func effects(_ word: String) -> AnyPublisher<String, Never> {
            let both = [word + "1", word + "2"]
            switch self {
            case .array: return both.publisher.eraseToAnyPublisher()
            case .hidden: return both.publisher.handleEvents().eraseToAnyPublisher()
            case .joined: return Just(both[0]).append(Just(both[1])).eraseToAnyPublisher()
            case .handmade:
                return Handmade { subscriber in
                    subscriber.receive(subscription: Subscriptions.empty)
                    for word in both { _ = subscriber.receive(word) }
                    subscriber.receive(completion: .finished)
                }.eraseToAnyPublisher()
            }
        }
    }

    @Test("`transform` receives the state at the time when its event is handled")
    func currentState() {
        let log = Recorder<[String]>()
        let events = PassthroughSubject<String, Never>()
        let loop = WordLoop(
            events: events,
            transform: { state, word in
                log.append(state)
                if word == "a" {
                    events.send("b")
                    events.send("c")
                }
                return Just(word).eraseToAnyPublisher()
            })
        loop.send("a")
        expectEqual(log.all, [[], ["a"], ["a", "b"]])
    }

    @Test("Effects that are sent during the subscription are applied before a queued event", arguments: Form.allCases)
    func effectsComeFirst(form: Form) {
        let events = PassthroughSubject<String, Never>()
        let loop = WordLoop(
            events: events,
            transform: { _, word in
                if word == "a" { events.send("b") }
                return form.effects(word)
            })
        loop.send("a")
        expectEqual(loop.seen.all, [[], ["a1"], ["a1", "a2"], ["a1", "a2", "b1"], ["a1", "a2", "b1", "b2"]])
    }

    @Test(
        "Effects of a publisher with any number of erasures are applied before a queued event",
        arguments: [0, 15, 16, 17, 31, 32, 33, 40, 64, 65, Budget.size(1_000, quick: 200)])
    func effectsOfLongChainsComeFirst(length: Int) {
        let events = PassthroughSubject<String, Never>()
        // The event itself comes through an equally long chain, during whose delivery the effects are subscribed to.
        let sender = PassthroughSubject<String, Never>()
        let loop = WordLoop(
            events: events,
            feedback: { _ in [Self.chain(length, on: sender.eraseToAnyPublisher())] },
            transform: { _, word in
                if word == "a" { events.send("b") }
                return Self.chain(length, on: Form.hidden.effects(word))
            })
        sender.send("a")
        expectEqual(loop.seen.all, [[], ["a1"], ["a1", "a2"], ["a1", "a2", "b1"], ["a1", "a2", "b1", "b2"]])
    }

    private static func chain(_ length: Int, on source: AnyPublisher<String, Never>) -> AnyPublisher<String, Never> {
        var chain = source
        for _ in 0..<length { chain = chain.map { $0 }.eraseToAnyPublisher() }
        return chain
    }

    @Test(
        "An event that an observer sends between two effects of a subscription is handled after the second",
        arguments: Form.allCases)
    func observerBetweenEffects(form: Form) {
        let events = PassthroughSubject<String, Never>()
        let observers = Keeper()
        let loop = WordLoop(
            events: events,
            feedback: { states in
                observers.keep(states.sink { if $0 == ["a1"] { events.send("b") } })
                return []
            },
            transform: { _, word in form.effects(word) })
        loop.send("a")
        expectEqual(loop.words, ["a1", "a2", "b1", "b2"])
    }

    @Test("A stream's effects during the subscription are applied before queued items, and its later effects after them")
    func hoppingStream() {
        let time = VirtualTimeScheduler()
        let events = PassthroughSubject<String, Never>()
        let loop = WordLoop(
            events: events,
            transform: { _, word in
                guard word == "a" else { return Just(word).eraseToAnyPublisher() }
                events.send("b")
                return Just("a1").append(Just("a2").delay(for: .seconds(1), scheduler: time)).eraseToAnyPublisher()
            })
        loop.send("a")
        expectEqual(loop.words, ["a1", "b"])
        time.advance(by: .seconds(1))
        expectEqual(loop.words, ["a1", "b", "a2"])
    }

    @Test("A stream is subscribed to before any queued item is handled")
    func subscribedAtOnce() {
        let log = Recorder<String>()
        let events = PassthroughSubject<String, Never>()
        let loop = WordLoop(
            events: events,
            transform: { _, word in
                log.append("transform \(word)")
                if word == "a" { events.send("b") }
                return PassthroughSubject<String, Never>()
                    .handleEvents(receiveSubscription: { _ in log.append("subscribe \(word)") })
                    .eraseToAnyPublisher()
            })
        loop.send("a")
        expectEqual(log.all, ["transform a", "subscribe a", "transform b", "subscribe b"])
    }

    @Test("Effects of several events are applied as they arrive")
    func interleaving() {
        let time = VirtualTimeScheduler()
        let loop = WordLoop(transform: { _, word in
            Just(word).delay(for: word == "slow" ? .seconds(2) : .seconds(1), scheduler: time).eraseToAnyPublisher()
        })
        loop.send("slow")
        loop.send("quick")
        time.run()
        expectEqual(loop.words, ["quick", "slow"])
    }

    @Test("An effect that arrives during a delivery to an observer is applied afterwards")
    func lateEffectQueues() {
        let log = Recorder<String>()
        let live = PassthroughSubject<String, Never>()
        let observers = Keeper()
        let loop = WordLoop(
            feedback: { states in
                observers.keep(
                    states.sink { words in
                        log.append("in \(words.count)")
                        if words == ["a"] { live.send("late") }
                        log.append("out \(words.count)")
                    })
                return []
            },
            transform: { _, word in
                word == "live" ? live.eraseToAnyPublisher() : Just(word).eraseToAnyPublisher()
            })
        loop.send("live")
        loop.send("a")
        expectEqual(log.all, ["in 0", "out 0", "in 1", "out 1", "in 2", "out 2"])
        expectEqual(loop.words, ["a", "late"])
    }

    @Test("An effect that a stream sends during the delivery of another is applied afterwards")
    func nestedEffect() {
        let (log, inlet, observers) = (Recorder<String>(), Recorder<AnySubscriber<String, Never>>(), Keeper())
        let loop = WordLoop(
            feedback: { states in
                observers.keep(
                    states.sink { words in
                        log.append("in \(words.count)")
                        if words == ["a1"] { _ = inlet.all[0].receive("a2") }
                        log.append("out \(words.count)")
                    })
                return []
            },
            transform: { _, _ in
                Handmade { subscriber in
                    inlet.append(subscriber)
                    subscriber.receive(subscription: Subscriptions.empty)
                    _ = subscriber.receive("a1")
                }.eraseToAnyPublisher()
            })
        loop.send("a")
        expectEqual(log.all, ["in 0", "out 0", "in 1", "out 1", "in 2", "out 2"])
        expectEqual(loop.words, ["a1", "a2"])
    }

    @Test("A stream without effects changes nothing, and the loop continues")
    func noEffects() {
        let loop = WordLoop(transform: { _, word in
            word == "none" ? Empty().eraseToAnyPublisher() : Just(word).eraseToAnyPublisher()
        })
        loop.send("none")
        loop.send("a")
        expectEqual(loop.seen.all, [[], ["a"]])
    }
}
