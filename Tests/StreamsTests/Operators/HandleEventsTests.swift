import MoonlightTestSupport
import Streams
import Testing

@Suite("Operator `handleEvents`")
struct HandleEventsTests {
    private func logged(_ publisher: Ints, _ log: Log<String>) -> Publishers.HandleEvents<Ints> {
        publisher.handleEvents(
            receiveSubscription: { _ in log.append("subscription") },
            receiveOutput: { log.append("output \($0)") },
            receiveCompletion: { log.append("\($0)") },
            receiveCancel: { log.append("cancel") },
            receiveRequest: { log.append("request \($0)") })
    }

    @Test("`handleEvents` reports every event before the subscriber receives it")
    func order() {
        let log = Log<String>()
        let appetite = Appetite(description: "", atStart: [.max(1)], returned: [.max(2)])
        let recorder = Recorder<Int, Oops>(appetite) { _, value in log.append("received \(value)") }
        logged(OperatorCase.sequence([7, 8]).eraseToAnyPublisher(), log).subscribe(recorder)
        expectEqual(
            log.items,
            [
                "subscription", "request max(1)", "output 7", "received 7", "request max(2)", "output 8", "received 8",
                "finished",
            ])
    }

    @Test("`handleEvents` reports a cancellation, and nothing after it")
    func cancel() {
        let log = Log<String>()
        let probe = Probe<Int, Oops>(isDeaf: true)
        let recorder = Recorder<Int, Oops>(.nothing)
        logged(probe.eraseToAnyPublisher(), log).subscribe(recorder)
        recorder.cancel()
        recorder.cancel()
        probe.send(1)
        probe.send(completion: .finished)
        expectEqual(log.items, ["subscription", "cancel"])
    }

    @Test("`handleEvents` does not report a cancellation after the end")
    func cancelAfterTheEnd() {
        let log = Log<String>()
        let recorder = Recorder<Int, Oops>()
        logged(Fail(error: .second).eraseToAnyPublisher(), log).subscribe(recorder)
        recorder.cancel()
        expectEqual(log.items, ["subscription", "request unlimited", "failure(StreamsTests.Oops.second)"])
    }

    @Test("`handleEvents` reports a cancellation once, even if its closure cancels again")
    func cancelFromInside() {
        let log = Log<String>()
        let recorder = Recorder<Int, Oops>()
        PassthroughSubject<Int, Oops>().handleEvents(receiveCancel: {
            log.append("cancel")
            if log.items.count < 5 { recorder.cancel() }
        }).subscribe(recorder)
        recorder.cancel()
        expectEqual(log.items, ["cancel"])
    }
}
