import Streams
import Testing

@Suite("asResult")
struct AsResultTests {
    private typealias Outcome = Result<Int, Oops>

    @Test("values become successes, an error a last value, as they are asked for", arguments: Appetite.all)
    func failure(_ appetite: Appetite) {
        let recorder = Recorder<Result<Int, Oops>, Never>(appetite)
        Record<Int, Oops>(output: [1, 2], completion: .failure(.second)).asResult().subscribe(recorder)
        recorder.requestLater()
        let count = appetite.served(of: 3)
        #expect(recorder.values == Array([.success(1), .success(2), .failure(.second)].prefix(count)))
        #expect(recorder.isFinished == (count == 3))
        #expect(recorder.violations == [])
    }

    @Test("without an error it finishes as its upstream does, demand or none")
    func finish() {
        let recorder = Recorder<Result<Int, Oops>, Never>(.nothing)
        let probe = Probe<Int, Oops>()
        probe.asResult().subscribe(recorder)
        #expect(probe.requests == [])
        #expect("\(recorder.subscription)" == "AsResult")
        probe.send(completion: .finished)
        #expect(recorder.isFinished)
        #expect(recorder.values == [])
    }

    @Test("an upstream that breaks the grammar is not heard after the end")
    func guarded() {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let recorder = Recorder<Result<Int, Oops>, Never>()
        probe.asResult().subscribe(recorder)
        probe.subscribeAgain()
        #expect(probe.cancellations == 1)
        probe.send(completion: .failure(.first))
        probe.send(1)
        probe.send(completion: .failure(.second))
        #expect(recorder.values == [.failure(.first)])
        #expect(recorder.completions.count == 1)
    }

    @Test("cancelled with its error still waiting, it sends and keeps nothing")
    func cancelled() {
        weak var token: Token?
        let recorder = Recorder<Result<Int, Oops>, Never>(.nothing)
        let probe = Probe<Int, Oops>()
        do {
            let captured = Token()
            token = captured
            probe.asResult().map { captured.pass($0) }.subscribe(recorder)
        }
        probe.send(completion: .failure(.first))
        #expect(token != nil)
        recorder.cancel()
        recorder.request(.max(1))
        #expect(token == nil)
        #expect(recorder.values == [])
        #expect(recorder.completions == [])
        #expect(probe.cancellations == 0)
    }

    @Test("cancelled from inside a value, it cancels its upstream")
    func cancelInside() {
        let recorder = Recorder<Result<Int, Oops>, Never> { recorder, _ in recorder.cancel() }
        let subject = PassthroughSubject<Int, Oops>()
        subject.asResult().subscribe(recorder)
        subject.send(1)
        subject.send(2)
        subject.send(completion: .failure(.first))
        #expect(recorder.values == [.success(1)])
        #expect(recorder.completions == [])
    }
}
