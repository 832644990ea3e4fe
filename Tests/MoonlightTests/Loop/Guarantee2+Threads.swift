import Dispatch
import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// Streams of effects that send from another thread while the loop's own thread is still subscribing to them.
extension Guarantee2Event {
    @Test("An effect that another thread sends during the subscription is applied after those of the loop's own thread")
    func elsewhereDuringSubscription() {
        let loop = WordLoop(transform: { _, _ in
            Handmade { subscriber in
                subscriber.receive(subscription: Subscriptions.empty)
                elsewhere { _ = subscriber.receive("a2") }
                _ = subscriber.receive("a1")
                elsewhere { _ = subscriber.receive("a3") }
            }.eraseToAnyPublisher()
        })
        loop.send("a")
        settle()
        expectEqual(loop.words, ["a1", "a2", "a3"])
    }

    @Test("Effects that another thread sends in order are applied in order, even while the loop subscribes")
    func answersKeepTheirOrder() {
        let loop = WordLoop(transform: { _, word in
            Handmade { subscriber in
                subscriber.receive(subscription: Subscriptions.empty)
                elsewhere {
                    _ = subscriber.receive(word + "1")
                    _ = subscriber.receive(word + "2")
                }
            }.eraseToAnyPublisher()
        })
        loop.send("a")
        loop.send("b")
        settle()
        expectEqual(loop.words, ["a1", "a2", "b1", "b2"])
    }

    @Test("A loop does not wait for a stream that another thread has ended during the subscription")
    func endedElsewhereDuringSubscription() {
        let loop = WordLoop(transform: { _, word in
            Handmade { subscriber in
                subscriber.receive(subscription: Subscriptions.empty)
                elsewhere {
                    _ = subscriber.receive(word)
                    subscriber.receive(completion: .finished)
                }
            }.eraseToAnyPublisher()
        })
        loop.send("a")
        loop.finish()
        settle()
        expectEqual(loop.seen.all, [[], ["a"]])
        expect(loop.isFinished)
    }

    @Test("Thousands of streams that send from other threads lose no effect, and no two closures of the loop overlap")
    func manyHops() {
        let (rounds, place, ended) = (Budget.rounds(5_000, least: 500), OverlapDetector(), Latch())
        let queue = DispatchQueue(label: "hops", attributes: .concurrent)
        let last = Recorder<Int>()
        let observers = Keeper()
        let loop = Moonlight.start(
            initialState: 0,
            environment: (),
            feedback: { states in
                observers.keep(
                    states.sink(
                        receiveCompletion: { _ in ended.open() },
                        receiveValue: { count in if count == rounds * 2 { last.append(count) } }))
                return (0..<rounds).publisher.eraseToAnyPublisher()
            },
            transform: { _, _, _ in
                Handmade { subscriber in
                    subscriber.receive(subscription: Subscriptions.empty)
                    queue.async {
                        _ = subscriber.receive(1)
                        _ = subscriber.receive(1)
                        subscriber.receive(completion: .finished)
                    }
                }.eraseToAnyPublisher()
            },
            apply: { count, step in place.visit { count + step } })
        ended.wait()
        expectEqual(last.all, [rounds * 2])
        expectEqual(place.overlaps, 0)
        withExtendedLifetime(loop) {}
    }
}
