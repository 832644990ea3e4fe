import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// Work that is cancelled and items that are dropped with a loop, and cancellation from other threads.
extension Guarantee7TheEnd {
    @Test("Cancelling a loop cancels every live effect and every stream of events")
    func cancelsUpstreams() {
        let cancelled = Recorder<String>()
        let loop = WordLoop(
            feedback: { _ in
                [
                    Empty(completeImmediately: false)
                        .handleEvents(receiveCancel: { cancelled.append("events") })
                        .eraseToAnyPublisher()
                ]
            },
            transform: { _, word in
                Empty(completeImmediately: false)
                    .handleEvents(receiveCancel: { cancelled.append(word) })
                    .eraseToAnyPublisher()
            })
        loop.send("a")
        loop.send("b")
        expectEqual(cancelled.all, [])
        loop.keeper.cancel()
        expectEqual(cancelled.all.sorted(), ["a", "b", "events"])
    }

    @Test("An effect that has ended is not cancelled with its loop")
    func endedEffect() {
        let (time, cancels) = (VirtualTimeScheduler(), Counter())
        let loop = WordLoop(transform: { _, word in
            Just(word).delay(for: .seconds(1), scheduler: time)
                .handleEvents(receiveCancel: { cancels.add() })
                .eraseToAnyPublisher()
        })
        loop.send("a")
        time.run()
        loop.keeper.cancel()
        expectEqual(loop.words, ["a"])
        expectEqual(cancels.value, 0)
    }

    @Test("Queued events and effects are dropped when the loop is cancelled")
    func dropsMail() {
        let (live, answers) = (PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>())
        let (keeper, observers, log) = (Keeper(), Keeper(), Recorder<String>())
        let loop = WordLoop(
            keeper: keeper,
            feedback: { states in
                observers.keep(
                    states.sink { words in
                        guard words == ["a"] else { return }
                        live.send("waiting effect")
                        answers.send("waiting event")
                        keeper.cancel()
                    })
                return [answers.eraseToAnyPublisher()]
            },
            onApply: { log.append("apply \($0)") },
            transform: { _, word in
                log.append("transform \(word)")
                return word == "live" ? live.eraseToAnyPublisher() : Just(word).eraseToAnyPublisher()
            })
        loop.send("live")
        loop.send("a")
        expectEqual(log.all, ["transform live", "transform a", "apply a"])
        expect(loop.isFinished)
    }

    @Test("Events and effects that are sent to a cancelled loop change nothing")
    func deafAfterwards() {
        let (live, transforms) = (PassthroughSubject<String, Never>(), Counter())
        let loop = WordLoop(transform: { _, _ in
            transforms.add()
            return live.eraseToAnyPublisher()
        })
        loop.send("live")
        loop.keeper.cancel()
        loop.send("a")
        live.send("b")
        expectEqual(transforms.value, 1)
        expectEqual(loop.seen.all, [[]])
        expectEqual(loop.completions.value, 1)
    }

    @Test("An observer that subscribes to a cancelled loop receives only the completion")
    func lateObserver() {
        let (loop, seen, completions, observers) = (WordLoop(), Counter(), Counter(), Keeper())
        loop.send("a")
        loop.keeper.cancel()
        observers.keep(
            loop.states.sink(receiveCompletion: { _ in completions.add() }, receiveValue: { _ in seen.add() }))
        expectEqual(seen.value, 0)
        expectEqual(completions.value, 1)
    }

    @Test("A loop that another thread cancels while it is busy applies nothing more")
    func cancelledElsewhere() {
        let (running, goOn, applied) = (Latch(), Latch(), Counter())
        let loop = WordLoop(
            onApply: { _ in applied.add() },
            transform: { _, word in
                running.open()
                goOn.wait()
                return Just(word).eraseToAnyPublisher()
            })
        let sender = Worker {
            loop.send("a")
            loop.send("b")
        }
        running.wait()
        loop.keeper.cancel()
        goOn.open()
        sender.join()
        expectEqual(applied.value, 0)
        expectEqual(loop.seen.all, [[]])
        expect(loop.isFinished)
    }

    @Test("A loop that another thread cancels during a delivery completes that delivery only")
    func cancelledDuringDelivery() {
        let (running, goOn, observers, later) = (Latch(), Latch(), Keeper(), Recorder<Int>())
        let loop = WordLoop(
            feedback: { states in
                observers.keep(
                    states.sink { words in
                        guard words == ["a"] else { return }
                        running.open()
                        goOn.wait()
                    })
                observers.keep(states.sink { later.append($0.count) })
                return []
            })
        let sender = Worker { loop.send("a") }
        running.wait()
        loop.keeper.cancel()
        goOn.open()
        sender.join()
        expectEqual(later.all, [0])
        expect(loop.isFinished)
    }

    @Test("A loop that is cancelled while threads send runs nothing after `cancel` has returned, and completes once")
    func cancelRaces() {
        for _ in 0..<Budget.rounds(200, least: 20) {
            let (cancelled, late, keeper) = (Counter(), Counter(), Keeper())
            let inlets = (0..<2).map { _ in PassthroughSubject<String, Never>() }
            let loop = WordLoop(
                keeper: keeper,
                feedback: { _ in inlets.map { $0.eraseToAnyPublisher() } },
                transform: { _, word in
                    // One call that had begun before is allowed for each loop.
                    if cancelled.value > 0 { late.add() }
                    return Just(word).handleEvents().eraseToAnyPublisher()
                })
            onThreads(3) { number in
                if number < 2 {
                    for _ in 0..<20 { inlets[number].send("word") }
                } else {
                    keeper.cancel()
                    cancelled.add()
                }
            }
            expect(late.value <= 1)
            expect(loop.isFinished)
        }
    }

    @Test("An observer that subscribes between the cancellation and the end of a running delivery is completed")
    func observerBeforeTheEnd() {
        let (running, goOn) = (Latch(), Latch())
        let (observers, completions, seen) = (Keeper(), Counter(), Counter())
        let loop = WordLoop(
            feedback: { states in
                observers.keep(
                    states.sink { words in
                        guard words == ["a"] else { return }
                        running.open()
                        goOn.wait()
                    })
                return []
            })
        let sender = Worker { loop.send("a") }
        running.wait()
        loop.keeper.cancel()
        observers.keep(
            loop.states.sink(receiveCompletion: { _ in completions.add() }, receiveValue: { _ in seen.add() }))
        goOn.open()
        sender.join()
        expectEqual(completions.value, 1)
        expectEqual(seen.value, 0)
    }

    @Test("An observer that subscribes while the loop ends is completed", arguments: Ending.allCases)
    func observersAtTheEnd(ending: Ending) {
        let incomplete = Recorder<Int>()
        for round in 0..<Budget.rounds(300, least: 30) {
            let (loop, observers, completions) = (WordLoop(), Keeper(), Counter())
            onThreads(2) { number in
                if number == 0 {
                    loop.send("a")
                    switch ending {
                    case .cancelled: loop.keeper.cancel()
                    case .finished: loop.finish()
                    }
                } else {
                    for _ in 0..<20 {
                        observers.keep(
                            loop.states.sink(receiveCompletion: { _ in completions.add() }, receiveValue: { _ in }))
                    }
                }
            }
            if completions.value != 20 { incomplete.append(round) }
        }
        expectEqual(incomplete.all, [])
    }
}
