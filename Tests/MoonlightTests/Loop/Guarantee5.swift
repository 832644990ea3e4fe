import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// Events that are sent while feedback is being bound wait until all of it is.
@Suite("Guarantee 5: events sent while feedback is bound are kept")
struct Guarantee5Binding {
    @Test("An event that an observer sends for the first state is not lost")
    func observerOfTheFirstState() {
        let (events, observers) = (PassthroughSubject<String, Never>(), Keeper())
        let loop = WordLoop(
            events: events,
            feedback: { states in
                observers.keep(states.sink { if $0.isEmpty { events.send("a") } })
                return []
            })
        expectEqual(loop.seen.all, [[], ["a"]])
    }

    @Test("An event that is sent during a subscription to feedback is handled after all feedback is subscribed to")
    func earlyStream() {
        let log = Recorder<String>()
        let loop = WordLoop(
            feedback: { _ in
                [
                    Just("a").handleEvents(receiveSubscription: { _ in log.append("subscribe 1") })
                        .eraseToAnyPublisher(),
                    Just("b").handleEvents(receiveSubscription: { _ in log.append("subscribe 2") })
                        .eraseToAnyPublisher(),
                ]
            },
            transform: { _, word in
                log.append("transform \(word)")
                return Just(word).eraseToAnyPublisher()
            })
        expectEqual(log.all, ["subscribe 1", "subscribe 2", "transform a", "transform b"])
        expectEqual(loop.words, ["a", "b"])
    }

    @Test(
        "A subject in the last stream of feedback can carry the event that an observer sends for an earlier stream's first event")
    func laterStreamHears() {
        let (events, observers) = (PassthroughSubject<String, Never>(), Keeper())
        let loop = WordLoop(
            feedback: { states in
                observers.keep(states.sink { if $0 == ["early"] { events.send("answer") } })
                return [Just("early").eraseToAnyPublisher(), events.eraseToAnyPublisher()]
            })
        expectEqual(loop.words, ["early", "answer"])
    }

    @Test("Observers receive the first state when all feedback is bound, and before the first event is transformed")
    func firstStateAfterBinding() {
        let (log, observers) = (Recorder<String>(), Keeper())
        let loop = WordLoop(
            feedback: { states in
                observers.keep(states.sink { log.append("state \($0)") })
                log.append("observers bound")
                return [
                    Deferred {
                        log.append("subscribe")
                        return Just("a")
                    }.eraseToAnyPublisher()
                ]
            },
            transform: { _, word in
                log.append("transform \(word)")
                return Just(word).eraseToAnyPublisher()
            })
        expectEqual(log.all, ["observers bound", "subscribe", "state []", "transform a", "state [\"a\"]"])
        loop.keeper.cancel()
    }

    @Test("An event that another thread sends during the binding is handled afterwards, by another thread")
    func sentElsewhere() {
        let threads = Recorder<UInt>()
        let loop = WordLoop(
            feedback: { _ in
                [
                    Handmade { subscriber in
                        subscriber.receive(subscription: Subscriptions.empty)
                        elsewhere { _ = subscriber.receive("a") }
                        expectEqual(threads.count, 0)
                    }.eraseToAnyPublisher()
                ]
            },
            transform: { _, word in
                threads.append(currentThread())
                return Just(word).eraseToAnyPublisher()
            })
        settle()
        expectEqual(threads.count, 1)
        expect(threads.last != currentThread())
        expectEqual(loop.words, ["a"])
    }

    @Test("Feedback is called once, and each of its streams is subscribed to once")
    func boundOnce() {
        let (calls, subscriptions) = (Counter(), Counter())
        let loop = WordLoop(
            feedback: { _ in
                calls.add()
                return [
                    Empty<String, Never>(completeImmediately: false)
                        .handleEvents(receiveSubscription: { _ in subscriptions.add() })
                        .eraseToAnyPublisher()
                ]
            })
        loop.send("a")
        expectEqual(calls.value, 1)
        expectEqual(subscriptions.value, 1)
    }

    @Test("The stream of states, mapped to events, can be the feedback")
    func statesAsEvents() {
        let loop = WordLoop(
            feedback: { states in
                [states.filter { $0.count < 3 }.map { "after \($0.count)" }.eraseToAnyPublisher()]
            })
        expectEqual(loop.words, ["after 0", "after 1", "after 2"])
    }
}
