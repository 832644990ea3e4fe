import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// Work in flight.
@Suite("`Store.isQuiet` and `quiet()`")
struct QuietTests {
    @Test("A store is quiet unless something is in flight")
    func asked() {
        let effects = PassthroughSubject<String, Never>()
        let store = scriptStore()
        expect(store.isQuiet)
        store.post(.stream("a") { effects.eraseToAnyPublisher() })
        expect(!store.isQuiet)
        effects.send(completion: .finished)
        expect(store.isQuiet)
    }

    @Test("A store is not quiet while a reaction runs")
    func reaction() {
        let events = PassthroughSubject<ScriptEvent, Never>()
        let store = scriptStore { states in [states.react(when: { $0.count == 1 }) { events }] }
        store.post(.words(["a"]))
        expect(!store.isQuiet)
        expectEqual(store.inFlight.map(\.description), ["reaction to true"])
        events.send(completion: .finished)
        expect(store.isQuiet)
    }

    @Test("A store is not quiet inside its own closures")
    func inside() {
        let answers = Recorder<Bool>()
        let store = scriptStore()
        let observer = store.states.dropFirst().sink { [weak store] _ in answers.append(store?.isQuiet ?? true) }
        store.post(.words(["a"]))
        expectEqual(answers.all, [false])
        observer.cancel()
    }

    @Test("A store is idle while no event is being handled, even with effects in flight")
    func idle() {
        let (store, effects, answers) = (scriptStore(), PassthroughSubject<String, Never>(), Recorder<Bool>())
        let observer = store.states.dropFirst().sink { [weak store] _ in answers.append(store?.isIdle ?? true) }
        expect(store.isIdle)
        store.post(.stream("a") { effects.eraseToAnyPublisher() })
        expect(store.isIdle)
        expect(!store.isQuiet)
        effects.send("b")
        expectEqual(answers.all, [false])
        expect(store.isIdle)
        observer.cancel()
    }

    @Test("`quiet()` returns at once if nothing is in flight, also after the store has ended")
    func atOnce() async {
        let store = scriptStore()
        await store.quiet()
        store.cancel()
        await store.quiet()
        expect(store.isQuiet)
    }

    @Test("`quiet()` returns when everything that the last effect led to has ended")
    func waits() async {
        let effects = PassthroughSubject<String, Never>()
        let later = PassthroughSubject<String, Never>()
        let store = scriptStore { states in
            [
                states.compactMap { $0.last == "a" ? ScriptEvent.stream("b") { later.eraseToAnyPublisher() } : nil }
                    .eraseToAnyPublisher()
            ]
        }
        store.post(.stream("a") { effects.eraseToAnyPublisher() })
        let isOver = Recorder<[String]>()
        let waiting = Task {
            await store.quiet()
            isOver.append(store.state)
        }
        effects.send("a")
        effects.send(completion: .finished)
        expectEqual(isOver.all, [])
        later.send("b")
        later.send(completion: .finished)
        await waiting.value
        expectEqual(isOver.all, [["a", "b"]])
    }

    @Test("`quiet()` returns when its task is cancelled")
    func cancelled() async {
        let effects = PassthroughSubject<String, Never>()
        let store = scriptStore()
        store.post(.stream("a") { effects.eraseToAnyPublisher() })
        let waiting = Task { await store.quiet() }
        waiting.cancel()
        await waiting.value
        expect(!store.isQuiet)
    }

    @Test("`quiet()` returns when the store is cancelled")
    func cancelledStore() async {
        let effects = PassthroughSubject<String, Never>()
        let store = scriptStore()
        store.post(.stream("a") { effects.eraseToAnyPublisher() })
        let hasBegun = Flag()
        let waiting = Task {
            hasBegun.raise()
            await store.quiet()
        }
        await hasBegun.wait()
        store.cancel()
        await waiting.value
    }

    @Test("`inFlight` has the event, its journal record and the start of each piece of work, named or not")
    func inFlight() throws {
        let records = Counter()
        let (plain, named) = (PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>())
        let store = scriptStore(ScriptOptions(journal: { _ in records.add() }))
        let start = ContinuousClock.now
        store.post(.words(["x"]))
        store.post(.stream("plain") { plain.eraseToAnyPublisher() })
        store.post(.stream("named") { named.job("save", .queue).eraseToAnyPublisher() })
        store.post(.stream("next") { named.job("save", .queue).eraseToAnyPublisher() })
        let work = store.inFlight
        expectEqual(
            work.map(\.description),
            [
                "effects of stream(plain)", "job save of stream(named)", "job save, waiting, of stream(next)",
            ])
        expectEqual(work.map(\.cause), [3, 4, 6])
        expectEqual(work.map(\.event), ["stream(plain)", "stream(named)", "stream(next)"])
        expect(work.allSatisfy { $0.since >= start && $0.since <= .now })
        plain.send(completion: .finished)
        expectEqual(store.inFlight.count, 2)
    }

    // MARK: Refusals

    @Test("Refusals are published without a journal: rejections by `transform`, and for lack of room")
    func refusals() async throws {
        let refused = Recorder<String>()
        let store = scriptStore(ScriptOptions(inbox: .reject(1)))
        let watch = store.refusals.sink(
            receiveCompletion: { _ in refused.append("end") }, receiveValue: { refused.append("\($0)") })
        store.post(.refused)
        let observer = store.states.dropFirst().sink { [weak store] state in
            guard state.count == 1, let store else { return }
            // Sent by another thread while this one is busy.
            Worker { for word in ["b", "c"] { store.post(.words([word])) } }.join()
        }
        store.post(.words(["a"]))
        await store.quiet()
        store.cancel()
        // Another thread may still own the loop, and then delivers the end.
        try await until { refused.count >= 3 }
        expectEqual(
            refused.all,
            [
                "refused: the event was rejected: Refusal()", "words(c): too many events wait in the loop's inbox", "end",
            ])
        watch.cancel()
        observer.cancel()
    }

    @Test("`refusals` of a store that has ended finishes at once")
    func refusalsAfterTheEnd() {
        let store = scriptStore()
        store.cancel()
        let ends = Counter()
        let watch = store.refusals.sink(receiveCompletion: { _ in ends.add() }, receiveValue: { _ in })
        expectEqual(ends.value, 1)
        watch.cancel()
    }

    @Test("A store that drains does not end with a stream while a reaction still runs")
    func whileAReactionRuns() {
        let (effects, events) = (PassthroughSubject<String, Never>(), PassthroughSubject<ScriptEvent, Never>())
        let (executor, calls) = (SteppedExecutor(), Counter())
        let store = scriptStore { states in [states.react(when: { $0.count == 1 }) { events }] }
        store.post(.words(["a"]))
        store.post(.stream("b") { effects.eraseToAnyPublisher() })
        Task(executorPreference: executor) {
            _ = await store.drain(within: nil)
            calls.add()
        }
        executor.run()
        effects.send(completion: .finished)
        executor.run()
        expectEqual(calls.value, 0)
        events.send(completion: .finished)
        executor.run()
        expectEqual(calls.value, 1)
    }
}
