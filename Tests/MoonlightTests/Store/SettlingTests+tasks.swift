import Moonlight
import MoonlightTestSupport
import Streams
import Testing

extension SettlingTests {
    /// A task inherits what its thread is delivering for; a long one would keep a job, and the event that it was for.
    @Test(
        "a task that feedback starts while a job delivers does not keep the job's event from settling", arguments: [false, true])
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
        #expect(await task.value == "settled")
        isOver.raise()
    }

    @Test(
        "effects that another thread sends while the loop subscribes are waited for, though their stream has ended by then",
        arguments: [false, true])
    func sentWhileSubscribing(hasJournal: Bool) async {
        let store = scriptStore(hasJournal: hasJournal)
        #expect(await store.send(.stream("asked") { SentElsewhere(word: "late").eraseToAnyPublisher() }).word == "settled")
        #expect(store.state == ["late"])
    }

    @Test("64 tasks get the answers to what they asked", arguments: [false, true])
    func manyTasks(hasJournal: Bool) async {
        let store = scriptStore(hasJournal: hasJournal)
        await withTaskGroup(of: Void.self) { group in
            for n in 1...64 {
                group.addTask {
                    for round in 1...20 {
                        let word = "\(n).\(round)"
                        let outcome = await store.send(
                            .stream(word) {
                                .run { send in
                                    await Task.yield()
                                    send(word)
                                }
                            })
                        #expect(outcome.word == "settled")
                        #expect(store.state.contains(word))
                    }
                }
            }
        }
        #expect(store.state.count == 64 * 20)
    }
}

/// Sends a word and finishes on another thread, before `receive(subscriber:)` returns.
private struct SentElsewhere: Publisher {
    typealias Output = String
    typealias Failure = Never
    let word: String

    func receive<S: Subscriber>(subscriber: S) where S.Input == String, S.Failure == Never {
        subscriber.receive(subscription: Subscriptions.empty)
        // Sound: this thread leaves it to the other, and waits.
        nonisolated(unsafe) let send = {
            _ = subscriber.receive(word)
            subscriber.receive(completion: .finished)
        }
        onThreads(1) { _ in send() }
    }
}
