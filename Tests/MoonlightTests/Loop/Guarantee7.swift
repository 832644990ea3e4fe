import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// `cancel()` from anywhere, and the end that comes by itself. Here: cancelling from inside, and what it does.
@Suite("Guarantee 7: the end")
struct Guarantee7TheEnd {
    @Test("Cancelled by an observer: those after it do not get the state, but all get the completion")
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
        #expect(before.all == [0, 1])
        #expect(after.all == [0])
        #expect(completions.all == ["before", "after"])
    }

    @Test("Cancelled by transform: its effects are not even subscribed")
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
        #expect(subscriptions.value == 0)
        #expect(loop.seen.all == [[]])
        #expect(loop.isFinished)
    }

    @Test("Cancelled while an effect is being applied: the new state is not sent")
    func cancelledByApply() {
        let keeper = Keeper()
        let loop = WordLoop(keeper: keeper, onApply: { _ in keeper.cancel() })
        loop.send("a")
        #expect(loop.seen.all == [[]])
        #expect(loop.isFinished)
    }

    @Test("Cancelled by a stream of effects while it is subscribed: what it sends is dropped")
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
        #expect(applied.value == 0)
        #expect(loop.isFinished)
    }

    @Test("Cancelled between two effects of one event: the second is not applied", arguments: Guarantee2Event.Form.allCases)
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
        #expect(applied.all == ["a1"])
    }

    @Test("Cancelled by feedback: nothing runs, no state is delivered, and the observers that are bound finish")
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
        #expect(loop.seen.all == [])
        #expect(loop.isFinished)
        #expect(subscriptions.value == 0)
        #expect(transforms.value == 0)
    }

    @Test("Cancelled by one of the streams that are being bound: the rest is not subscribed")
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
        #expect(subscriptions.value == 0)
        #expect(loop.seen.all == [])
        #expect(loop.isFinished)
    }

    @Test("Cancelled as soon as it is stored: a loop that never runs")
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
        #expect(seen.all == [])
        #expect(completions.value == 1)
    }

    @Test("Cancelled by an observer's completion: once is enough")
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
        #expect(completions.value == 1)
        #expect(loop.isFinished)
    }

    @Test("Cancelled twice: everything happens once")
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
        #expect(cancels.value == 1)
        #expect(loop.completions.value == 1)
    }

    @Test("Letting go of the cancellable cancels")
    func dropped() {
        let loop = WordLoop()
        loop.send("a")
        loop.keeper.drop()
        #expect(loop.isFinished)
        loop.send("b")
        #expect(loop.words == ["a"])
    }
}
