import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("A reducer that runs in a separate loop until it has a result")
struct SeparateLoopTests {
    private let handled = Recorder<Int>()
    private let received = Recorder<String>()

    /// Runs a reducer whose state is the last event, and whose feedback sends 1, 2 and 3 while it is bound.
    private func run(
        until result: @escaping @Sendable (Int) -> Int?,
        observing observe: @escaping @Sendable (AnyPublisher<Int, Never>) -> [AnyPublisher<Int, Never>] = { _ in [] }
    ) -> AnyCancellable {
        let (handled, received) = (handled, received)
        let reducer = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in
                handled.append(event)
                return .just(event)
            }, apply: { $0 = $1 })
        let results = reducer.run(
            initialState: 0, environment: (),
            feedback: { observe($0) + [[1, 2, 3].publisher.eraseToAnyPublisher()] }, result: result)
        return results.sink(
            receiveCompletion: { _ in received.append("finished") }, receiveValue: { received.append("\($0)") })
    }

    @Test("The first result is sent, and the events that follow it are not handled")
    func first() {
        let run = run(until: { $0 > 1 ? $0 : nil })
        expectEqual(received.all, ["2", "finished"])
        expectEqual(handled.all, [1, 2])
        run.cancel()
    }

    @Test("A result that only an intermediate state has is sent")
    func intermediate() {
        let run = run(until: { $0 == 2 ? $0 : nil })
        expectEqual(received.all, ["2", "finished"])
        run.cancel()
    }

    @Test("If the initial state has a result, it is sent, and no event is handled")
    func initial() {
        let run = run(until: { $0 })
        expectEqual(received.all, ["0", "finished"])
        expectEqual(handled.all, [])
        run.cancel()
    }

    @Test("Streams of the feedback receive the state with the result, and none after it")
    func observed() {
        let shown = Recorder<Int>()
        let run = run(
            until: { $0 == 2 ? $0 : nil },
            observing: { states in
                [states.handleEvents(receiveOutput: { shown.append($0) }).filter { _ in false }.eraseToAnyPublisher()]
            })
        expectEqual(shown.all, [0, 1, 2])
        run.cancel()
    }

    @Test("A result ends the loop even if it has to wait for demand")
    func undemanded() {
        let (handled, asker) = (handled, Asker<Int>())
        let reducer = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in
                handled.append(event)
                return .just(event)
            }, apply: { $0 = $1 })
        reducer.run(initialState: 0, environment: (), feedback: { _ in [[1, 2, 3].publisher.eraseToAnyPublisher()] }) {
            $0 == 2 ? $0 : nil
        }.subscribe(asker)
        expectEqual(handled.all, [1, 2])
        expectEqual(asker.seen.all, [])
        asker.ask(for: .max(1))
        expectEqual(asker.seen.all, [2])
        expectEqual(asker.completions.value, 1)
    }

    @Test("Cancelling a run cancels its loop")
    func cancelled() {
        let keys = PassthroughSubject<Int, Never>()
        let run = run(until: { _ in nil }, observing: { _ in [keys.eraseToAnyPublisher()] })
        keys.send(4)
        run.cancel()
        keys.send(5)
        expectEqual(handled.all, [1, 2, 3, 4])
        expectEqual(received.all, [])
    }

    @Test("A loop that ends by itself without a result finishes the publisher")
    func without() {
        let run = run(until: { _ in nil })
        expectEqual(received.all, ["finished"])
        expectEqual(handled.all, [1, 2, 3])
        run.cancel()
    }
}
