import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// Events and later effects go through one mailbox, whose items one thread at a time handles.
@Suite("Guarantee 1: a loop handles one item at a time, in order")
struct Guarantee1OneMailbox {
    @Test("An event that an observer sends is handled after all observers have received the current state")
    func observerSends() {
        let log = Recorder<String>()
        let events = PassthroughSubject<String, Never>()
        let observers = Keeper()
        let loop = WordLoop(
            events: events,
            feedback: { states in
                observers.keep(
                    states.sink { words in
                        log.append("observer in \(words)")
                        if words == ["a"] { events.send("b") }
                        log.append("observer out")
                    })
                return []
            },
            onApply: { log.append("apply \($0)") },
            transform: { _, word in
                log.append("transform \(word)")
                return Just(word).eraseToAnyPublisher()
            })
        loop.send("a")
        expectEqual(
            log.all,
            [
                "observer in []", "observer out",
                "transform a", "apply a", "observer in [\"a\"]", "observer out",
                "transform b", "apply b", "observer in [\"a\", \"b\"]", "observer out",
            ])
    }

    @Test("An event that `transform` sends is handled after the current event")
    func transformSends() {
        let log = Recorder<String>()
        let events = PassthroughSubject<String, Never>()
        let loop = WordLoop(
            events: events, onApply: { log.append("apply \($0)") },
            transform: { _, word in
                log.append("transform \(word) in")
                if word == "a" { events.send("b") }
                log.append("transform \(word) out")
                return Just(word).eraseToAnyPublisher()
            })
        loop.send("a")
        expectEqual(
            log.all,
            [
                "transform a in", "transform a out", "apply a", "transform b in", "transform b out", "apply b",
            ])
    }

    @Test("An event that is sent during `apply` is handled afterwards")
    func applySends() {
        let log = Recorder<String>()
        let events = PassthroughSubject<String, Never>()
        let loop = WordLoop(
            events: events,
            onApply: { word in
                log.append("apply \(word) in")
                if word == "a" { events.send("b") }
                log.append("apply \(word) out")
            })
        loop.send("a")
        expectEqual(log.all, ["apply a in", "apply a out", "apply b in", "apply b out"])
        expectEqual(loop.words, ["a", "b"])
    }

    @Test("An event that a stream of effects sends during its subscription is handled after its effects")
    func effectsSend() {
        let events = PassthroughSubject<String, Never>()
        let loop = WordLoop(
            events: events,
            transform: { _, word in
                guard word == "a" else { return Just(word).eraseToAnyPublisher() }
                return Deferred {
                    events.send("b")
                    return ["a1", "a2"].publisher
                }.eraseToAnyPublisher()
            })
        loop.send("a")
        expectEqual(loop.words, ["a1", "a2", "b"])
    }

    @Test("Events and effects that arrive while the loop is busy are handled first in, first out")
    func firstInFirstOut() {
        let answers = PassthroughSubject<String, Never>()
        let live = PassthroughSubject<String, Never>()
        let observers = Keeper()
        let loop = WordLoop(
            feedback: { states in
                observers.keep(
                    states.sink { words in
                        guard words == ["go"] else { return }
                        answers.send("event 1")
                        live.send("effect 2")
                        answers.send("event 3")
                        live.send("effect 4")
                    })
                return [answers.eraseToAnyPublisher()]
            },
            transform: { _, word in
                word == "live" ? live.eraseToAnyPublisher() : Just(word).eraseToAnyPublisher()
            })
        loop.send("live")
        loop.send("go")
        expectEqual(loop.words, ["go", "event 1", "effect 2", "event 3", "effect 4"])
    }

    @Test("A loop without isolation runs on the sending thread, and is idle when `send` returns")
    func runsWhereSent() {
        let threads = Recorder<UInt>()
        let loop = WordLoop(transform: { _, word in
            threads.append(currentThread())
            return Just(word).eraseToAnyPublisher()
        })
        elsewhere {
            loop.send("a")
            expectEqual(threads.all, [currentThread()])
            expectEqual(loop.words, ["a"])
        }
        loop.send("b")
        expectEqual(threads.last, currentThread())
        expectEqual(loop.words, ["a", "b"])
    }

    @Test("Any number of feedback rounds uses constant stack")
    func millionRounds() {
        let rounds = Budget.size(1_000_000, quick: 10_000)
        expectEqual(statesAfterFeedback(rounds: rounds) { Just($0).eraseToAnyPublisher() }, rounds + 1)
    }

    @Test("Any number of feedback rounds whose effects need a subscription uses constant stack")
    func manyRoundsWithSubscription() {
        let rounds = Budget.size(50_000, quick: 2_500)
        expectEqual(statesAfterFeedback(rounds: rounds) { Just($0).handleEvents().eraseToAnyPublisher() }, rounds + 1)
    }

    /// Runs a loop on a small stack, whose observer sends an event for each state.
    ///
    /// - Returns: The number of states that the observer received.
    private func statesAfterFeedback(
        rounds: Int, effects: @escaping @Sendable (Int) -> AnyPublisher<Int, Never>
    ) -> Int {
        let seen = Counter()
        let worker = Worker(stackSize: 64 << 10) {
            let observers = Keeper()
            let events = PassthroughSubject<Int, Never>()
            let loop = Moonlight.start(
                initialState: 0,
                environment: (),
                feedback: { states in
                    observers.keep(
                        states.sink { count in
                            seen.add()
                            if count < rounds { events.send(1) }
                        })
                    return events.eraseToAnyPublisher()
                },
                transform: { _, step, _ in effects(step) },
                apply: { $0 + $1 })
            loop.cancel()
        }
        worker.join()
        return seen.value
    }
}
