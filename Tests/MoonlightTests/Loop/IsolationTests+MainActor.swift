import Moonlight
import MoonlightTestSupport
import Streams
import Testing

extension IsolationTests {
    @MainActor @Test("A loop on the main actor with a non-Sendable environment runs there, whichever thread sends")
    func mainActor() async {
        let (events, witness, notebook) = (PassthroughSubject<String, Never>(), Witness(), Notebook())
        var subscriptions = Set<AnyCancellable>()
        await withCheckedContinuation { ended in
            Moonlight.start(
                initialState: [String](),
                environment: notebook,
                feedback: { states in
                    states.sink(
                        receiveCompletion: { _ in ended.resume() },
                        receiveValue: { words in
                            witness.states.append(words)
                            witness.observers.append(MainPlace.isHere)
                        }
                    ).store(in: &subscriptions)
                    return events.eraseToAnyPublisher()
                },
                transform: { _, word, notebook in
                    witness.transforms.append(MainPlace.isHere)
                    notebook.lines.append(word)
                    return Just(word).eraseToAnyPublisher()
                },
                apply: { $0 + [$1] }
            ).store(in: &subscriptions)
            _ = Worker {
                for word in ["a", "b", "c"] { events.send(word) }
                events.send(completion: .finished)
            }
        }
        expectEqual(notebook.lines, ["a", "b", "c"])
        expectEqual(witness.transforms.all, [true, true, true])
        expectEqual(witness.states.last, ["a", "b", "c"])
        expect(witness.observers.all.allSatisfy { $0 })
    }

    @MainActor @Test("An event that is sent on the main actor has been handled when `send` returns")
    func mainActorAtOnce() {
        let (events, notebook) = (PassthroughSubject<String, Never>(), Notebook())
        var seen: [[String]] = []
        var subscriptions = Set<AnyCancellable>()
        Moonlight.start(
            initialState: [String](),
            environment: notebook,
            feedback: { states in
                states.sink { seen.append($0) }.store(in: &subscriptions)
                return events.eraseToAnyPublisher()
            },
            transform: { _, word, notebook in
                notebook.lines.append(word)
                return Just(word).eraseToAnyPublisher()
            },
            apply: { $0 + [$1] }
        ).store(in: &subscriptions)
        expectEqual(seen, [[]])
        events.send("a")
        expectEqual(notebook.lines, ["a"])
        expectEqual(seen, [[], ["a"]])
    }

    @MainActor @Test("A pending event of the main actor is handled before one that is sent there later")
    func mainActorKeepsOrder() async {
        let (events, notebook) = (PassthroughSubject<String, Never>(), Notebook())
        let loop = loop(of: events, noting: notebook)
        elsewhere { events.send("elsewhere") }
        expectEqual(notebook.lines, [])
        events.send("here")
        expectEqual(notebook.lines, [], "a thread must not run another thread's items")
        await turnOfMainActor()
        expectEqual(notebook.lines, ["elsewhere", "here"])
        loop.cancel()
    }

    /// A loop on the main actor, which records each event.
    @MainActor
    private func loop(of events: PassthroughSubject<String, Never>, noting notebook: Notebook) -> AnyCancellable {
        Moonlight.start(
            initialState: 0,
            environment: notebook,
            feedback: { _ in events.eraseToAnyPublisher() },
            transform: { _, word, notebook in
                notebook.lines.append(word)
                return Just(1).eraseToAnyPublisher()
            },
            apply: { $0 + $1 })
    }

    @MainActor @Test("A loop with a Sendable environment that is started on an actor runs on the sending thread")
    func sendableEnvironment() {
        let (events, threads) = (PassthroughSubject<Int, Never>(), Recorder<UInt>())
        let loop = Moonlight.start(
            initialState: 0,
            environment: 1,
            feedback: { _ in events.eraseToAnyPublisher() },
            transform: { _, step, bonus in
                threads.append(currentThread())
                return Just(step + bonus).eraseToAnyPublisher()
            },
            apply: { $0 + $1 })
        elsewhere {
            events.send(1)
            expectEqual(threads.all, [currentThread()])
        }
        loop.cancel()
    }

    @MainActor @Test("A pending event of the actor is not transformed if the loop is cancelled")
    func cancelledWhileWaiting() async {
        let (events, notebook) = (PassthroughSubject<String, Never>(), Notebook())
        let loop = loop(of: events, noting: notebook)
        elsewhere { events.send("late") }
        loop.cancel()
        // Events that are pending on the main actor come before this one.
        await Task { @MainActor in }.value
        expectEqual(notebook.lines, [])
    }

    @MainActor @Test("An effect that another thread sends while the loop subscribes on the main actor is applied there")
    func effectFromElsewhere() async {
        let (events, applied, notebook) = (PassthroughSubject<String, Never>(), Recorder<Bool>(), Notebook())
        let observers = Keeper()
        await withCheckedContinuation { ended in
            let loop = Moonlight.start(
                initialState: [String](),
                environment: notebook,
                feedback: { states in
                    observers.keep(
                        states.sink(
                            receiveCompletion: { _ in ended.resume() },
                            receiveValue: { notebook.lines = $0 }))
                    return events.eraseToAnyPublisher()
                },
                transform: { _, word, _ -> AnyPublisher<String, Never> in
                    Handmade { subscriber in
                        subscriber.receive(subscription: Subscriptions.empty)
                        elsewhere {
                            _ = subscriber.receive(word)
                            subscriber.receive(completion: .finished)
                        }
                    }.eraseToAnyPublisher()
                },
                apply: { words, word in
                    applied.append(MainPlace.isHere)
                    return words + [word]
                })
            observers.keep(loop)
            events.send("a")
            events.send("b")
            events.send(completion: .finished)
        }
        expectEqual(notebook.lines, ["a", "b"])
        expectEqual(applied.all, [true, true])
    }
}

/// Returns when the main actor has run its pending jobs.
@MainActor func turnOfMainActor() async { await Task { @MainActor in }.value }
