import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// The operators around a job.
struct JobPlace: @unchecked Sendable, CustomTestStringConvertible {
    // Sound: the closures below capture nothing.
    let testDescription: String
    let put: (Words) -> Words

    init<P: Publisher<String, Never>>(_ name: String, _ put: @escaping (Words) -> P) {
        testDescription = name
        self.put = { put($0).eraseToAnyPublisher() }
    }
}

private struct Oops: Error {}
private let never = Empty<String, Never>(completeImmediately: false)

@Suite("Jobs upstream of other operators")
struct JobPlacesTests {
    static let places: [JobPlace] = [
        JobPlace("alone") { $0 },
        JobPlace("map, filter, compactMap, scan") {
            $0.map { $0 }.filter { _ in true }.compactMap { $0 }.scan("") { _, new in new }
        },
        JobPlace("tryMap, replaceError") { $0.tryMap { $0 }.replaceError(with: "error") },
        JobPlace("removeDuplicates, replaceNil, replaceEmpty") { $0.removeDuplicates().replaceEmpty(with: "none") },
        JobPlace("drop, prefix, first") { $0.dropFirst(0).prefix(9).prefix(while: { _ in true }).first() },
        JobPlace("collect") { $0.collect(1).map { $0[0] } },
        JobPlace("setFailureType, mapError, assertNoFailure") {
            $0.setFailureType(to: Oops.self).mapError { $0 }.assertNoFailure()
        },
        JobPlace("catch") { $0.setFailureType(to: Oops.self).catch { _ in Just("caught") } },
        JobPlace("in a handler of catch") { job in Fail<String, Oops>(error: Oops()).catch { _ in job } },
        JobPlace("retry") { $0.setFailureType(to: Oops.self).retry(2).replaceError(with: "error") },
        JobPlace("asResult") { $0.asResult().map { $0.get() } },
        JobPlace("append, prepend") { $0.append(never).prepend([String]()) },
        JobPlace("appended") { Empty<String, Never>().append($0) },
        JobPlace("merge") { $0.merge(with: never, never) },
        JobPlace("in mergeMany") { Publishers.MergeMany([$0, never.eraseToAnyPublisher()]) },
        JobPlace("combineLatest") { $0.combineLatest(Just("other")).map { $0.0 } },
        JobPlace("zip") { $0.zip(["other"].publisher).map { $0.0 } },
        JobPlace("withLatestFrom") { $0.withLatestFrom(Just("other")) { word, _ in word } },
        JobPlace("flatMap over it") { $0.flatMap { Just($0) } },
        JobPlace("inside flatMap") { job in Just(1).flatMap { _ in job } },
        JobPlace("inside flatMap, one at a time") { job in Just(1).flatMap(maxPublishers: .max(1)) { _ in job } },
        JobPlace("inside switchToLatest") { job in Just(job).switchToLatest() },
        JobPlace("deferred") { job in Deferred { job } },
        JobPlace("handleEvents") { $0.handleEvents(receiveOutput: { _ in }) },
        JobPlace("buffer") { $0.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest) },
        JobPlace("untilOutput") { $0.prefix(untilOutputFrom: never).drop(untilOutputFrom: Just(1)) },
        JobPlace("receive, subscribe") {
            $0.receive(on: ImmediateScheduler.shared).subscribe(on: ImmediateScheduler.shared)
        },
        JobPlace("delay, debounce") {
            $0.delay(for: 0, scheduler: ImmediateScheduler.shared)
                .debounce(for: 0, scheduler: ImmediateScheduler.shared)
        },
        JobPlace("erased twice") { $0.eraseToAnyPublisher().map { $0 }.eraseToAnyPublisher() },
    ]

    @Test(
        "A job inside other operators is in flight, and can be cancelled by its id",
        arguments: places)
    func place(_ place: JobPlace) {
        let (store, gate, cancelled) = (scriptStore(), PassthroughSubject<String, Never>(), Counter())
        store.send(
            .stream("job") {
                place.put(
                    gate.handleEvents(receiveCancel: { cancelled.add() }).job("job").eraseToAnyPublisher())
            })
        expectEqual(store.jobs.count, 1)
        gate.send("word")
        expectEqual(store.state, ["word"])
        if store.jobs.isEmpty {
            // An operator that needs one value has cancelled it by now.
            expectEqual(cancelled.value, 1)
            return
        }
        store.cancelJob("job")
        expect(store.jobs.isEmpty)
        expectEqual(cancelled.value, 1)
        let state = store.state
        gate.send("late")
        expectEqual(store.state, state)
    }

    /// The fan-in is busy when the job sends, so that the value waits there, and not in the loop's mailbox.
    @Test("A pending effect of a cancelled job in a merge is dropped")
    func waitsInFanIn() {
        let (store, a, b) = (
            scriptStore(), PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>()
        )
        store.send(
            .stream("two") {
                a.job("a").merge(with: b.job("b")).handleEvents(receiveOutput: { word in
                    guard word == "from a" else { return }
                    b.send("stale")
                    store.cancelJob("b")
                }).eraseToAnyPublisher()
            })
        a.send("from a")
        expectEqual(store.state, ["from a"])
        expectEqual(store.jobs.map(\.id), [JobID("a")])
    }

    @Test("A job inside another job drops its pending effects when either is cancelled")
    func nested() {
        for id in ["inner", "outer"] {
            let (store, gate) = (scriptStore(), PassthroughSubject<String, Never>())
            let observer = store.states.sink { state in
                guard state == ["go"] else { return }
                gate.send("stale")
                store.cancelJob(id)
            }
            store.send(.stream("jobs") { gate.job("inner").map { $0 }.job("outer").eraseToAnyPublisher() })
            store.send(.words(["go"]))
            expectEqual(store.state, ["go"])
            withExtendedLifetime(observer) {}
        }
    }

    /// A task does not inherit the origin of its thread's current delivery.
    @Test("A task that a downstream operator starts outlives the cancellation of the job")
    func startedBelow() async {
        let (store, gate) = (scriptStore(), PassthroughSubject<String, Never>())
        let (isSubscribed, isStarted, goOn) = (Flag(), Flag(), Flag())
        async let outcome = store.send(
            .stream("search") {
                gate.job("typing").flatMap { word in
                    Words.run { send in
                        isStarted.raise()
                        await goOn.wait()
                        send("found \(word)")
                    }
                }
                .handleEvents(receiveSubscription: { _ in isSubscribed.raise() })
                .eraseToAnyPublisher()
            })
        await isSubscribed.wait()
        // It has requested values before the next event is handled.
        await store.send(.words([]), until: .decided)
        gate.send("a")
        await isStarted.wait()
        store.cancelJob("typing")
        // Origins are only looked up while some job delivers.
        let (other, otherGate, isOver) = (scriptStore(), PassthroughSubject<String, Never>(), Latch())
        other.post(
            .stream("other") {
                otherGate.job("other").handleEvents(receiveOutput: { _ in
                    goOn.raise()
                    isOver.wait()
                }).eraseToAnyPublisher()
            })
        let worker = Worker { otherGate.send("delivering") }
        await expectEqual(outcome.word, "interrupted: its job typing was cancelled")
        isOver.open()
        worker.join()
        expectEqual(store.state, ["found a"])
    }

    @Test("A job outside a loop sends the values of its stream")
    func outside() {
        let words = Recorder<String>()
        let subscription = ["a", "b"].publisher.job("job").sink { words.append($0) }
        expectEqual(words.all, ["a", "b"])
        withExtendedLifetime(subscription) {}
    }
}
