import Moonlight
import MoonlightTestSupport
import Streams
import Testing

extension SettlingTests {
    /// A task that a delivery starts does not inherit the origin of the delivery: otherwise, a long task would keep the job and
    /// its event in flight.
    @Test(
        "A task that feedback starts during a job's delivery does not delay the settling of the job's event",
        arguments: [false, true])
    func inheritedOrigin(hasJournal: Bool) async {
        let (isOver, gate) = (Flag(), PassthroughSubject<String, Never>())
        let store = scriptStore(hasJournal: hasJournal) { states in
            [
                states.filter { $0 == ["from the job"] }
                    .flatMap { _ in AnyPublisher<ScriptEvent, Never>.run { _ in await isOver.wait() } }
                    .eraseToAnyPublisher()
            ]
        }
        let task = await Self.start(store) { gate.job("job").eraseToAnyPublisher() }
        gate.send("from the job")
        gate.send(completion: .finished)
        await expectEqual(task.value, "settled")
        isOver.raise()
    }

    @Test(
        "An event settles only after effects that another thread sends during the subscription, even if their stream has ended",
        arguments: [false, true])
    func sentWhileSubscribing(hasJournal: Bool) async {
        let store = scriptStore(hasJournal: hasJournal)
        await expectEqual(store.send(.stream("asked") { SentElsewhere(word: "late").eraseToAnyPublisher() }).word, "settled")
        expectEqual(store.state, ["late"])
    }

    @Test("Each of 64 tasks has its own effect applied when its event has settled", arguments: [false, true])
    func manyTasks(hasJournal: Bool) async {
        let (store, rounds) = (scriptStore(hasJournal: hasJournal), Budget.rounds(20, least: 4))
        await withTaskGroup(of: Void.self) { group in
            for n in 1...64 {
                group.addTask {
                    for round in 1...rounds {
                        let word = "\(n).\(round)"
                        let outcome = await store.send(
                            .stream(word) {
                                .run { send in
                                    await Task.yield()
                                    send(word)
                                }
                            })
                        expectEqual(outcome.word, "settled")
                        expect(store.state.contains(word))
                    }
                }
            }
        }
        expectEqual(store.state.count, 64 * rounds)
    }
}

/// Sends a word and finishes on another thread, before `receive(subscriber:)` returns.
private struct SentElsewhere: Publisher {
    typealias Output = String
    typealias Failure = Never
    let word: String

    func receive<S: Subscriber>(subscriber: S) where S.Input == String, S.Failure == Never {
        subscriber.receive(subscription: Subscriptions.empty)
        // Sound: this thread waits while the other one uses it.
        nonisolated(unsafe) let send = {
            _ = subscriber.receive(word)
            subscriber.receive(completion: .finished)
        }
        onThreads(1) { _ in send() }
    }
}
