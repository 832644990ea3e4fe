import MoonlightTestSupport
import Streams
import Testing

@Suite("Operator `asResult`")
struct AsResultTests {
    private typealias Outcome = Result<Int, Oops>

    @Test("Values become successes, and an error becomes the last value, each sent when it is requested", arguments: Appetite.all)
    func failure(_ appetite: Appetite) {
        let recorder = Recorder<Result<Int, Oops>, Never>(appetite)
        Record<Int, Oops>(output: [1, 2], completion: .failure(.second)).asResult().subscribe(recorder)
        recorder.requestLater()
        let count = appetite.served(of: 3)
        expectEqual(recorder.values, Array([.success(1), .success(2), .failure(.second)].prefix(count)))
        expect(recorder.isFinished == (count == 3))
        expectEqual(recorder.violations, [])
    }

    @Test("An upstream that finishes also finishes `asResult`, even without demand")
    func finish() {
        let recorder = Recorder<Result<Int, Oops>, Never>(.nothing)
        let probe = Probe<Int, Oops>()
        probe.asResult().subscribe(recorder)
        expectEqual(probe.requests, [])
        expectEqual("\(recorder.subscription)", "AsResult")
        probe.send(completion: .finished)
        expect(recorder.isFinished)
        expectEqual(recorder.values, [])
    }

    @Test("`asResult` ignores its upstream after its end, and cancels its second subscription")
    func guarded() {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let recorder = Recorder<Result<Int, Oops>, Never>()
        probe.asResult().subscribe(recorder)
        probe.subscribeAgain()
        expectEqual(probe.cancellations, 1)
        probe.send(completion: .failure(.first))
        probe.send(1)
        probe.send(completion: .failure(.second))
        expectEqual(recorder.values, [.failure(.first)])
        expectEqual(recorder.completions.count, 1)
    }

    @Test("A subscriber that cancels while the error waits for demand receives nothing, and everything is released")
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
        expect(token != nil)
        recorder.cancel()
        recorder.request(.max(1))
        expect(token == nil)
        expectEqual(recorder.values, [])
        expectEqual(recorder.completions, [])
        expectEqual(probe.cancellations, 0)
    }

    @Test("A subscriber that cancels during a delivery cancels the upstream, and receives nothing more")
    func cancelInside() {
        let recorder = Recorder<Result<Int, Oops>, Never> { recorder, _ in recorder.cancel() }
        let subject = PassthroughSubject<Int, Oops>()
        subject.asResult().subscribe(recorder)
        subject.send(1)
        subject.send(2)
        subject.send(completion: .failure(.first))
        expectEqual(recorder.values, [.success(1)])
        expectEqual(recorder.completions, [])
    }
}
