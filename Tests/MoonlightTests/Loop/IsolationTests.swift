import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// The isolation of a loop that was started on an actor.
@Suite("Isolation of a loop that is started on an actor")
struct IsolationTests {
    /// An environment that must stay on the actor on which it was created.
    final class Notebook {
        var lines: [String] = []
    }

    /// An actor, and the calls of `transform` and of the observers on it.
    final class Witness: Sendable {
        let transforms = Recorder<Bool>()
        let states = Recorder<[String]>()
        let observers = Recorder<Bool>()
    }

    /// An actor on a queue of its own.
    actor Keepsake {
        private let executor = QueueExecutor()
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private let notebook = Notebook()
        private var subscriptions = Set<AnyCancellable>()

        /// The lines, which only `transform` writes.
        var lines: [String] { notebook.lines }

        /// Starts a loop with a notebook as its environment, and waits for its end.
        func run(
            _ events: PassthroughSubject<String, Never>, _ witness: Witness, whenBound: @Sendable () -> Void
        ) async {
            await withCheckedContinuation { ended in
                let executor = executor
                Moonlight.start(
                    initialState: [String](),
                    environment: notebook,
                    feedback: { states in
                        states.sink(
                            receiveCompletion: { _ in ended.resume() },
                            receiveValue: { words in
                                witness.states.append(words)
                                witness.observers.append(executor.isHere)
                            }
                        ).store(in: &subscriptions)
                        return events.eraseToAnyPublisher()
                    },
                    transform: { _, word, notebook in
                        witness.transforms.append(executor.isHere)
                        notebook.lines.append(word)
                        return Just(word).eraseToAnyPublisher()
                    },
                    apply: { $0 + [$1] }
                ).store(in: &subscriptions)
                whenBound()
            }
        }
    }

    @Test("A loop on an actor with a non-Sendable environment runs there, whichever thread sends")
    func actor() async {
        let (events, witness, keepsake) = (PassthroughSubject<String, Never>(), Witness(), Keepsake())
        await keepsake.run(events, witness) {
            _ = Worker {
                for word in ["a", "b", "c"] { events.send(word) }
                events.send(completion: .finished)
            }
        }
        await expectEqual(keepsake.lines, ["a", "b", "c"])
        expectEqual(witness.transforms.all, [true, true, true])
        expectEqual(witness.states.last, ["a", "b", "c"])
        expect(witness.observers.all.allSatisfy { $0 })
    }

    @Test("A loop on an actor loses no event when several threads send at once")
    func actorAndManyThreads() async {
        let (events, witness, keepsake) = (PassthroughSubject<String, Never>(), Witness(), Keepsake())
        let each = Budget.rounds(250, least: 50)
        await keepsake.run(events, witness) {
            _ = Worker {
                onThreads(4) { number in
                    for turn in 0..<each { events.send("\(number) \(turn)") }
                }
                events.send(completion: .finished)
            }
        }
        await expectEqual(keepsake.lines.count, 4 * each)
        expectEqual(witness.states.last?.count, 4 * each)
        expect(witness.transforms.all.allSatisfy { $0 })
    }
}
