import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// A loop ends by itself when every stream of events has finished, no effect is live and the mailbox is empty.
extension Guarantee7TheEnd {
    @Test("A loop ends when its stream of events has finished")
    func finishedEvents() {
        let loop = WordLoop()
        loop.send("a")
        expect(!loop.isFinished)
        loop.finish()
        expectEqual(loop.words, ["a"])
        expect(loop.isFinished)
    }

    @Test("A loop does not end before the last of several streams of events has finished")
    func severalStreams() {
        let other = PassthroughSubject<String, Never>()
        let loop = WordLoop(feedback: { _ in [other.eraseToAnyPublisher()] })
        loop.finish()
        other.send("a")
        expectEqual(loop.words, ["a"])
        expect(!loop.isFinished)
        other.send(completion: .finished)
        expect(loop.isFinished)
    }

    @Test("A loop does not end before its last live effect, and applies the values of that")
    func liveEffects() {
        let time = VirtualTimeScheduler()
        let loop = WordLoop(transform: { _, word in
            Just(word).delay(for: word == "slow" ? .seconds(2) : .seconds(1), scheduler: time).eraseToAnyPublisher()
        })
        loop.send("slow")
        loop.send("quick")
        loop.finish()
        time.advance(by: .seconds(1))
        expectEqual(loop.words, ["quick"])
        expect(!loop.isFinished)
        time.advance(by: .seconds(1))
        expectEqual(loop.words, ["quick", "slow"])
        expect(loop.isFinished)
    }

    @Test("A loop does not end before its mailbox is empty")
    func mailbox() {
        let (log, answers, observers) = (Recorder<String>(), PassthroughSubject<Int, Never>(), Keeper())
        let loop = Moonlight.start(
            initialState: 0,
            environment: (),
            feedback: { states in
                observers.keep(
                    states.sink(
                        receiveCompletion: { _ in log.append("end") },
                        receiveValue: { number in
                            log.append("\(number)")
                            guard number == 1 else { return }
                            answers.send(2)
                            answers.send(3)
                            answers.send(completion: .finished)
                        }))
                return [Just(1).eraseToAnyPublisher(), answers.eraseToAnyPublisher()]
            },
            transform: { _, number, _ in Just(number).eraseToAnyPublisher() },
            apply: { $1 })
        expectEqual(log.all, ["0", "1", "2", "3", "end"])
        loop.cancel()
    }

    @Test("A loop whose feedback completes without an event ends at once, after the first state")
    func emptyFeedback() {
        let (log, observers) = (Recorder<String>(), Keeper())
        let loop = Moonlight.start(
            initialState: 0,
            environment: (),
            feedback: { states in
                observers.keep(
                    states.sink(
                        receiveCompletion: { _ in log.append("end") }, receiveValue: { log.append("\($0)") }))
                return Empty<Int, Never>().eraseToAnyPublisher()
            },
            transform: { _, step, _ in Just(step).eraseToAnyPublisher() },
            apply: { $0 + $1 })
        expectEqual(log.all, ["0", "end"])
        loop.cancel()
    }

    @Test("A loop without feedback streams ends at once, after the first state")
    func noFeedback() {
        let (log, observers) = (Recorder<String>(), Keeper())
        let loop = Moonlight.start(
            initialState: 0,
            environment: (),
            feedback: { states -> [AnyPublisher<Int, Never>] in
                observers.keep(
                    states.sink(
                        receiveCompletion: { _ in log.append("end") }, receiveValue: { log.append("\($0)") }))
                return []
            },
            transform: { _, step, _ in Just(step).eraseToAnyPublisher() },
            apply: { $0 + $1 })
        expectEqual(log.all, ["0", "end"])
        loop.cancel()
    }

    @Test("A loop whose feedback sends all its events at once handles them all, and then ends")
    func eventsAtOnce() {
        let (log, observers) = (Recorder<String>(), Keeper())
        let loop = Moonlight.start(
            initialState: 0,
            environment: (),
            feedback: { states in
                observers.keep(
                    states.sink(
                        receiveCompletion: { _ in log.append("end") }, receiveValue: { log.append("\($0)") }))
                return [1, 2, 3].publisher.eraseToAnyPublisher()
            },
            transform: { _, step, _ in Just(step).eraseToAnyPublisher() },
            apply: { $0 + $1 })
        expectEqual(log.all, ["0", "1", "3", "6", "end"])
        loop.cancel()
    }

    @Test("Cancelling a loop that has ended changes nothing")
    func cancelAfterwards() {
        let loop = WordLoop()
        loop.finish()
        loop.keeper.cancel()
        expectEqual(loop.completions.value, 1)
    }

    @Test("The last state reaches every observer while another thread requests a state")
    func lastStateWhileAsking() {
        let (served, goOn) = (Latch(), Latch())
        let asker = Asker<[String]> { _ in
            served.open()
            goOn.wait()
        }
        let (seen, observers) = (Recorder<Int>(), Keeper())
        let loop = WordLoop(
            feedback: { states in
                states.subscribe(asker)
                observers.keep(states.sink { seen.append($0.count) })
                return []
            })
        let asking = Worker { asker.ask(for: .max(1)) }
        served.wait()
        loop.send("a")
        loop.finish()
        goOn.open()
        asking.join()
        expect(loop.isFinished)
        expectEqual(loop.words, ["a"])
        expectEqual(seen.all, [0, 1])
    }

    @Test("An observer that subscribes after the end receives the last state and then the completion")
    func lateObserverOfFinished() {
        let (loop, log, observers) = (WordLoop(), Recorder<String>(), Keeper())
        loop.send("a")
        loop.finish()
        observers.keep(
            loop.states.sink(receiveCompletion: { _ in log.append("end") }, receiveValue: { log.append("\($0)") }))
        expectEqual(log.all, ["[\"a\"]", "end"])
    }

    @Test("An observer without demand receives the last state when it requests one, and then the completion")
    func slowObserverOfFinished() {
        let (loop, asker) = (WordLoop(), Asker<[String]>())
        loop.states.subscribe(asker)
        loop.send("a")
        loop.finish()
        expectEqual(asker.completions.value, 0)
        asker.ask(for: .max(1))
        expectEqual(asker.seen.all, [["a"]])
        expectEqual(asker.completions.value, 1)
    }

    @Test("An observer that requests during the completion of another one receives the last state and then the completion")
    func requestsDuringCompletion() {
        let (loop, asker, observers) = (WordLoop(), Asker<[String]>(), Keeper())
        observers.keep(loop.states.sink(receiveCompletion: { _ in asker.ask(for: .max(1)) }, receiveValue: { _ in }))
        loop.states.subscribe(asker)
        loop.send("a")
        loop.finish()
        expectEqual(asker.seen.all, [["a"]])
        expectEqual(asker.completions.value, 1)
    }

    @Test("A loop that ends during its start sends its last state to an observer that subscribes afterwards")
    func endsWhileStarting() {
        let (seen, loops, observers) = (Recorder<Int>(), Keeper(), Keeper())
        let states = Moonlight.start(
            initialState: 0,
            environment: (),
            feedback: { _ in [1, 2, 3].publisher.eraseToAnyPublisher() },
            transform: { _, step, _ in Just(step).eraseToAnyPublisher() },
            apply: { $0 + $1 },
            store: { loops.keep($0) })
        observers.keep(states.first().sink { seen.append($0) })
        expectEqual(seen.all, [6])
    }
}
