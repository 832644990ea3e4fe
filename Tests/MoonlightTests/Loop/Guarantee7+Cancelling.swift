import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// What is cancelled and dropped with a loop, and cancelling from other threads.
extension Guarantee7TheEnd {
    @Test("Every live effect and every stream of events is cancelled")
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
        #expect(cancelled.all == [])
        loop.keeper.cancel()
        #expect(cancelled.all.sorted() == ["a", "b", "events"])
    }

    @Test("An effect that has ended is not cancelled")
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
        #expect(loop.words == ["a"])
        #expect(cancels.value == 0)
    }

    @Test("Events and effects that wait are dropped")
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
        #expect(log.all == ["transform live", "transform a", "apply a"])
        #expect(loop.isFinished)
    }

    @Test("Nothing that comes after it has any effect")
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
        #expect(transforms.value == 1)
        #expect(loop.seen.all == [[]])
        #expect(loop.completions.value == 1)
    }

    @Test("An observer that comes after it gets nothing but the completion")
    func lateObserver() {
        let (loop, seen, completions, observers) = (WordLoop(), Counter(), Counter(), Keeper())
        loop.send("a")
        loop.keeper.cancel()
        observers.keep(
            loop.states.sink(receiveCompletion: { _ in completions.add() }, receiveValue: { _ in seen.add() }))
        #expect(seen.value == 0)
        #expect(completions.value == 1)
    }

    @Test("Cancelled from another thread, also while the loop is busy")
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
        #expect(applied.value == 0)
        #expect(loop.seen.all == [[]])
        #expect(loop.isFinished)
    }

    @Test("Cancelled from another thread while a delivery is under way: only that delivery is finished")
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
        #expect(later.all == [0])
        #expect(loop.isFinished)
    }

    @Test("When threads send while another cancels, nothing runs after cancel has returned, and it finishes once")
    func cancelRaces() {
        for _ in 0..<200 {
            let (cancelled, late, keeper) = (Counter(), Counter(), Keeper())
            let inlets = (0..<2).map { _ in PassthroughSubject<String, Never>() }
            let loop = WordLoop(
                keeper: keeper,
                feedback: { _ in inlets.map { $0.eraseToAnyPublisher() } },
                transform: { _, word in
                    // A call that had begun before is allowed, one per loop.
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
            #expect(late.value <= 1)
            #expect(loop.isFinished)
        }
    }

    @Test("An observer that comes between the cancelling and the end of a delivery under way is completed")
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
        #expect(completions.value == 1)
        #expect(seen.value == 0)
    }

    @Test("An observer that comes at the moment of the end is completed", arguments: Ending.allCases)
    func observersAtTheEnd(ending: Ending) {
        let incomplete = Recorder<Int>()
        for round in 0..<300 {
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
        #expect(incomplete.all == [])
    }
}
