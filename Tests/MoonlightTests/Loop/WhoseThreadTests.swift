import Dispatch
import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// The threads that handle the items of a mailbox.
@Suite("Threads: each handles the events that it has sent, and no others")
struct WhoseThreadTests {
    /// A loop over words that records the thread of each; "hold" stays inside `transform` until the test continues it.
    private final class Workplace: Sendable {
        let threads = Recorder<UInt>()
        let (isHeld, letGo) = (Latch(), Latch())
        let store: Store<[String], String>

        init() {
            store = Store(
                reducer: Reducer(
                    transform: { [threads, isHeld, letGo] _, word, _ in
                        threads.append(currentThread())
                        if word == "hold" {
                            isHeld.open()
                            letGo.wait()
                        }
                        return Just(word).eraseToAnyPublisher()
                    }, apply: { $0.append($1) }),
                initialState: [], environment: ())
        }
    }

    @Test("A thread that has handled its own event returns, however many events others have sent meanwhile")
    func goesHome() {
        let place = Workplace()
        let (returned, goOn) = (Latch(), Latch())
        let handledAtReturn = Recorder<Int>()
        let owner = Worker {
            place.store.post("hold")
            handledAtReturn.append(place.threads.all.filter { $0 == currentThread() }.count)
            returned.open()
            goOn.wait()
        }
        place.isHeld.wait()
        let many = Budget.size(5_000, quick: 500)
        for number in 0..<many { place.store.post("\(number)") }
        place.letGo.open()
        returned.wait()
        expectEqual(handledAtReturn.all, [1])
        settle()
        expectEqual(place.store.state, ["hold"] + (0..<many).map { "\($0)" })
        goOn.open()
        owner.join()
    }

    @Test("A thread handles all events that it sends during its own event")
    func ownRounds() {
        let (threads, rounds) = (Recorder<UInt>(), Budget.size(10_000, quick: 1_000))
        let store = Store<Int, Int>(
            reducer: Reducer(
                transform: { _, step, _ in
                    threads.append(currentThread())
                    return Just(step).eraseToAnyPublisher()
                }, apply: { $0 += $1 }),
            initialState: 0, environment: (),
            feedback: { states in [states.filter { $0 > 0 && $0 < rounds }.map { _ in 1 }.eraseToAnyPublisher()] })
        store.post(1)
        expectEqual(store.state, rounds)
        expectEqual(Set(threads.all), [currentThread()])
    }

    @Test("A thread handles its own nested events up to the first event of another thread, and none after it")
    func upToTheFirstOfAnother() {
        let threads = Recorder<(String, UInt)>()
        let events = PassthroughSubject<String, Never>()
        let store = Store<[String], String>(
            reducer: Reducer(
                transform: { _, word, _ in
                    threads.append((word, currentThread()))
                    if word == "own" {
                        events.send("inside 1")
                        elsewhere { events.send("another's") }
                        events.send("inside 2")
                    }
                    return Just(word).eraseToAnyPublisher()
                }, apply: { $0.append($1) }),
            initialState: [], environment: (), feedback: { _ in [events.eraseToAnyPublisher()] })
        store.post("own")
        settle()
        expectEqual(store.state, ["own", "inside 1", "another's", "inside 2"])
        let mine = threads.all.filter { $0.1 == currentThread() }.map(\.0)
        expectEqual(mine, ["own", "inside 1"])
    }

    @Test("A thread that subscribes to states receives the first one, and delivers none that others send meanwhile")
    func subscriberGoesHome() {
        let events = PassthroughSubject<Int, Never>()
        let (sends, sent) = (Latch(), Latch())
        let observers = Keeper()
        let store = Store<Int, Int>(
            reducer: Reducer(transform: { _, step, _ in Just(step).eraseToAnyPublisher() }, apply: { $0 += $1 }),
            initialState: 0, environment: (), feedback: { _ in [events.eraseToAnyPublisher()] })
        let sender = Worker {
            sends.wait()
            for _ in 0..<100 { events.send(1) }
            sent.open()
        }
        let seen = Recorder<(Int, UInt)>()
        observers.keep(
            store.states.sink { state in
                seen.append((state, currentThread()))
                if state == 0 {
                    sends.open()
                    sent.wait()
                }
            })
        let here = seen.all.filter { $0.1 == currentThread() }.map(\.0)
        expectEqual(here, [0])
        sender.join()
        expectEqual(seen.all.map(\.0), Array(0...100))
    }

    @Test("A thread that cancels an observer while the loop is busy does not release it itself")
    func cancellerGoesHome() {
        let (isInside, goOn) = (Latch(), Latch())
        let released = Recorder<UInt>()
        let store = Store<Int, Int>(
            reducer: Reducer(transform: { _, step, _ in Just(step).eraseToAnyPublisher() }, apply: { $0 += $1 }),
            initialState: 0, environment: ())
        let keepers = (Keeper(), Keeper())
        keepers.0.keep(
            store.states.sink { state in
                guard state == 1 else { return }
                isInside.open()
                goOn.wait()
            })
        do {
            let token = EndTeller { released.append(currentThread()) }
            keepers.1.keep(store.states.sink { _ in withExtendedLifetime(token) {} })
        }
        let (returned, stay) = (Latch(), Latch())
        let owner = Worker {
            store.post(1)
            returned.open()
            stay.wait()
        }
        isInside.wait()
        keepers.1.cancel()
        goOn.open()
        returned.wait()
        settle()
        expectEqual(released.count, 1)
        expect(released.last != currentThread(), "the loop was busy")
        stay.open()
        owner.join()
    }

    @Test("An event that was coalesced with another thread's is not handled by the running thread")
    func foldedEvent() {
        let threads = Recorder<(Int, UInt)>()
        let events = PassthroughSubject<Int, Never>()
        let store = Store<Int, Int>(
            reducer: Reducer(
                transform: { _, event, _ in
                    threads.append((event, currentThread()))
                    if event == 1 {
                        events.send(10)
                        elsewhere { events.send(100) }
                    }
                    return Just(event).eraseToAnyPublisher()
                }, apply: { $0 += $1 }),
            initialState: 0, environment: (), options: LoopOptions<Int, Int, Int>(coalesce: { $0 + $1 }),
            feedback: { _ in [events.eraseToAnyPublisher()] })
        store.post(1)
        settle()
        expectEqual(store.state, 111)
        expectEqual(threads.all.map(\.0), [1, 110])
        expect(threads.last?.1 != currentThread())
    }

    @Test("An event of another thread that has replaced the oldest is not handled by the running thread")
    func droppedForAnother() {
        let threads = Recorder<(Int, UInt)>()
        let events = PassthroughSubject<Int, Never>()
        let store = Store<Int, Int>(
            reducer: Reducer(
                transform: { _, event, _ in
                    threads.append((event, currentThread()))
                    if event == 1 {
                        elsewhere {
                            events.send(10)
                            events.send(100)
                        }
                    }
                    return Just(event).eraseToAnyPublisher()
                }, apply: { $0 += $1 }),
            initialState: 0, environment: (), options: LoopOptions<Int, Int, Int>(inbox: .dropOldest(1)),
            feedback: { _ in [events.eraseToAnyPublisher()] })
        store.post(1)
        settle()
        expectEqual(threads.all.map(\.0), [1, 100])
        expect(threads.last?.1 != currentThread())
    }
}

/// Reports its release.
private final class EndTeller: Sendable {
    private let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
}
