import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// The stream of states sends each new subscriber the current state first, then each change, once, in order.
@Suite("Guarantee 4: observers receive the current state, then each change once, in order")
struct Guarantee4Observers {
    @Test("An observer that subscribes late receives the current state first and then the changes")
    func lateObserver() {
        let (seen, observers) = (Recorder<[String]>(), Keeper())
        let loop = WordLoop()
        loop.send("a")
        observers.keep(loop.states.sink { seen.append($0) })
        expectEqual(seen.all, [["a"]])
        loop.send("b")
        expectEqual(seen.all, [["a"], ["a", "b"]])
    }

    @Test("Two observers receive every state once, in order, even if the first sends an event for each state")
    func reentrantAnswer() {
        let (events, observers) = (PassthroughSubject<String, Never>(), Keeper())
        let (first, second) = (Recorder<Int>(), Recorder<Int>())
        let loop = WordLoop(
            events: events,
            feedback: { states in
                observers.keep(
                    states.sink { words in
                        first.append(words.count)
                        if words.count < 5 { events.send("again") }
                    })
                observers.keep(states.sink { second.append($0.count) })
                return []
            })
        expectEqual(first.all, [0, 1, 2, 3, 4, 5])
        expectEqual(second.all, [0, 1, 2, 3, 4, 5])
        loop.keeper.cancel()
    }

    @Test("An observer that subscribes during a delivery receives no state twice and misses none")
    func observerSubscribesObserver() {
        let (inner, observers) = (Recorder<[String]>(), Keeper())
        let loop = WordLoop(
            feedback: { states in
                observers.keep(
                    states.sink { words in
                        guard words == ["a"] else { return }
                        observers.keep(states.sink { inner.append($0) })
                    })
                return []
            })
        loop.send("a")
        loop.send("b")
        expectEqual(inner.all, [["a"], ["a", "b"]])
    }

    @Test("An observer that cancels during a delivery receives nothing more, and the others continue")
    func observerLeaves() {
        let (leaver, stayer) = (Recorder<Int>(), Recorder<Int>())
        let (leaving, observers) = (Keeper(), Keeper())
        let loop = WordLoop(
            feedback: { states in
                leaving.keep(
                    states.sink { words in
                        leaver.append(words.count)
                        if words.count == 1 { leaving.cancel() }
                    })
                observers.keep(states.sink { stayer.append($0.count) })
                return []
            })
        for word in ["a", "b", "c"] { loop.send(word) }
        expectEqual(leaver.all, [0, 1])
        expectEqual(stayer.all, [0, 1, 2, 3])
    }

    @Test("The stream of states can be subscribed to any number of times, and operators on it send the same states")
    func operators() {
        let (counts, firsts, observers) = (Recorder<Int>(), Recorder<[String]>(), Keeper())
        let loop = WordLoop()
        observers.keep(loop.states.map(\.count).sink { counts.append($0) })
        loop.send("a")
        observers.keep(loop.states.first().sink { firsts.append($0) })
        loop.send("b")
        expectEqual(counts.all, [0, 1, 2])
        expectEqual(firsts.all, [["a"]])
    }

    @Test("An observer without demand receives the state that is current when it requests one")
    func demand() {
        let asker = Asker<[String]>()
        let loop = WordLoop()
        loop.states.subscribe(asker)
        loop.send("a")
        loop.send("b")
        expectEqual(asker.seen.all, [])
        asker.ask(for: .max(1))
        expectEqual(asker.seen.all, [["a", "b"]])
        loop.send("c")
        loop.send("d")
        asker.ask(for: .max(1))
        expectEqual(asker.seen.all, [["a", "b"], ["a", "b", "c", "d"]])
    }

    @Test("Observers that subscribe while another thread runs the loop miss no state and receive none twice")
    func lateObserversElsewhere() {
        let total = 100
        var wrong: [[Int]] = []
        for _ in 0..<Budget.rounds(200, least: 20) {
            let (events, observers) = (PassthroughSubject<Int, Never>(), Keeper())
            let sequences = (0..<10).map { _ in Recorder<Int>() }
            let states = Moonlight.start(
                initialState: 0,
                environment: (),
                feedback: { _ in events.eraseToAnyPublisher() },
                transform: { _, step, _ in Just(step).eraseToAnyPublisher() },
                apply: { $0 + $1 },
                store: { observers.keep($0) })
            onThreads(2) { number in
                if number == 0 {
                    for _ in 0..<total { events.send(1) }
                } else {
                    for sequence in sequences { observers.keep(states.sink { sequence.append($0) }) }
                }
            }
            wrong += sequences.map(\.all).filter { $0 != Array(($0.first ?? 0)...total) }
        }
        expectEqual(wrong, [])
    }
}
