import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// Cancellation from inside a loop, and its consequences.
@Suite("Guarantee 7: nothing of a loop runs after its end, and all is released")
struct Guarantee7TheEnd {
    @Test("A loop that an observer cancels does not send the state to later observers, and completes all")
    func cancelledByObserver() {
        let (keeper, observers) = (Keeper(), Keeper())
        let (before, after, completions) = (Recorder<Int>(), Recorder<Int>(), Recorder<String>())
        let loop = WordLoop(
            keeper: keeper,
            feedback: { states in
                observers.keep(
                    states.sink(
                        receiveCompletion: { _ in completions.append("before") },
                        receiveValue: { words in
                            before.append(words.count)
                            if words.count == 1 { keeper.cancel() }
                        }))
                observers.keep(
                    states.sink(
                        receiveCompletion: { _ in completions.append("after") },
                        receiveValue: { after.append($0.count) }))
                return []
            })
        loop.send("a")
        loop.send("b")
        expectEqual(before.all, [0, 1])
        expectEqual(after.all, [0])
        expectEqual(completions.all, ["before", "after"])
    }

    @Test("A loop that `transform` cancels does not subscribe to its effects")
    func cancelledByTransform() {
        let (keeper, subscriptions) = (Keeper(), Counter())
        let loop = WordLoop(
            keeper: keeper,
            transform: { _, word in
                keeper.cancel()
                return Just(word).handleEvents(receiveSubscription: { _ in subscriptions.add() })
                    .eraseToAnyPublisher()
            })
        loop.send("a")
        expectEqual(subscriptions.value, 0)
        expectEqual(loop.seen.all, [[]])
        expect(loop.isFinished)
    }

    @Test("A loop that is cancelled during `apply` does not send the new state")
    func cancelledByApply() {
        let keeper = Keeper()
        let loop = WordLoop(keeper: keeper, onApply: { _ in keeper.cancel() })
        loop.send("a")
        expectEqual(loop.seen.all, [[]])
        expect(loop.isFinished)
    }

    @Test("A loop that a stream of effects cancels during the subscription drops the values of that")
    func cancelledBySubscription() {
        let (keeper, applied) = (Keeper(), Counter())
        let loop = WordLoop(
            keeper: keeper,
            onApply: { _ in applied.add() },
            transform: { _, word in
                Deferred {
                    keeper.cancel()
                    return Just(word)
                }.eraseToAnyPublisher()
            })
        loop.send("a")
        expectEqual(applied.value, 0)
        expect(loop.isFinished)
    }

    @Test(
        "A loop that is cancelled between two effects of one event does not apply the second",
        arguments: Guarantee2Event.Form.allCases)
    func cancelledBetweenEffects(form: Guarantee2Event.Form) {
        let (keeper, applied) = (Keeper(), Recorder<String>())
        let loop = WordLoop(
            keeper: keeper,
            onApply: { word in
                applied.append(word)
                keeper.cancel()
            },
            transform: { _, word in form.effects(word) })
        loop.send("a")
        expectEqual(applied.all, ["a1"])
    }

    @Test("A loop that its feedback cancels handles no event, sends no state, and completes the observers")
    func cancelledByFeedback() {
        let (keeper, subscriptions, transforms) = (Keeper(), Counter(), Counter())
        let loop = WordLoop(
            keeper: keeper,
            feedback: { _ in
                keeper.cancel()
                return [
                    Just("a").handleEvents(receiveSubscription: { _ in subscriptions.add() }).eraseToAnyPublisher()
                ]
            },
            transform: { _, word in
                transforms.add()
                return Just(word).eraseToAnyPublisher()
            })
        expectEqual(loop.seen.all, [])
        expect(loop.isFinished)
        expectEqual(subscriptions.value, 0)
        expectEqual(transforms.value, 0)
    }

    @Test("A loop that is cancelled by a stream during the binding does not subscribe to the other streams")
    func cancelledByEventStream() {
        let (keeper, subscriptions) = (Keeper(), Counter())
        let loop = WordLoop(
            keeper: keeper,
            feedback: { _ in
                [
                    Deferred {
                        keeper.cancel()
                        return Just("a")
                    }.eraseToAnyPublisher(),
                    Just("b").handleEvents(receiveSubscription: { _ in subscriptions.add() }).eraseToAnyPublisher(),
                ]
            })
        expectEqual(subscriptions.value, 0)
        expectEqual(loop.seen.all, [])
        expect(loop.isFinished)
    }

    @Test("A loop that is cancelled as soon as it is stored never runs, and completes its observers")
    func cancelledByStore() {
        let (seen, completions, observers) = (Recorder<Int>(), Counter(), Keeper())
        let states = Moonlight.start(
            initialState: 0,
            environment: (),
            feedback: { _ in Just(1).eraseToAnyPublisher() },
            transform: { _, step, _ in Just(step).eraseToAnyPublisher() },
            apply: { $0 + $1 },
            store: { $0.cancel() })
        observers.keep(
            states.sink(receiveCompletion: { _ in completions.add() }, receiveValue: { seen.append($0) }))
        expectEqual(seen.all, [])
        expectEqual(completions.value, 1)
    }

    @Test("A loop that is cancelled during an observer's completion completes once")
    func cancelledByCompletion() {
        let (keeper, observers, completions) = (Keeper(), Keeper(), Counter())
        let loop = WordLoop(
            keeper: keeper,
            feedback: { states in
                observers.keep(
                    states.sink(
                        receiveCompletion: { _ in
                            completions.add()
                            keeper.cancel()
                        },
                        receiveValue: { _ in }))
                return []
            })
        loop.finish()
        expectEqual(completions.value, 1)
        expect(loop.isFinished)
    }

    @Test("A loop that is cancelled twice cancels its effects once, and completes once")
    func cancelledTwice() {
        let cancels = Counter()
        let loop = WordLoop(transform: { _, _ in
            Empty<String, Never>(completeImmediately: false)
                .handleEvents(receiveCancel: { cancels.add() })
                .eraseToAnyPublisher()
        })
        loop.send("a")
        loop.keeper.cancel()
        loop.keeper.cancel()
        expectEqual(cancels.value, 1)
        expectEqual(loop.completions.value, 1)
    }

    @Test("A loop whose cancellable is released is cancelled")
    func dropped() {
        let loop = WordLoop()
        loop.send("a")
        loop.keeper.drop()
        expect(loop.isFinished)
        loop.send("b")
        expectEqual(loop.words, ["a"])
    }
}
