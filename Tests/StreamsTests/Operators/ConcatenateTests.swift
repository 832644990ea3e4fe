import MoonlightTestSupport
import Streams
import Testing

@Suite("Operators `append` and `prepend`")
struct ConcatenateTests {
    @Test("`append` does not restart when an upstream sends a second subscription")
    func startsOnce() {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let recorder = Recorder<Int, Oops>()
        probe.append(9).subscribe(recorder)
        probe.subscribeAgain()
        expectEqual(recorder.violations, [])
        expectEqual(probe.cancellations, 1)
        expectEqual(probe.requests, [.unlimited])
        probe.send(1)
        expectEqual(recorder.values, [1])
    }

    @Test("`append` subscribes to the second publisher when the first has finished")
    func order() {
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>()
        first.append(second).subscribe(recorder)
        first.sendOnDemand([1, 2])
        expectEqual(second.subscriptions, 0)
        first.send(completion: .finished)
        expectEqual(second.subscriptions, 1)
        second.sendOnDemand([3])
        second.send(completion: .finished)
        expectEqual(recorder.values, [1, 2, 3])
        expect(recorder.isFinished)
    }

    @Test("`append` requests demand that the first publisher has not served from the second")
    func carriesDemand() {
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(3)], returned: [.max(1)]))
        second.prepend(first).subscribe(recorder)
        first.sendOnDemand([1, 2])
        first.send(completion: .finished)
        expectEqual(second.requests, [.max(2)])
        second.sendOnDemand([3, 4, 5])
        expectEqual(recorder.values, [1, 2, 3, 4])
        expectEqual(recorder.violations, [])
    }

    @Test("`append` requests nothing of the second publisher while no demand remains")
    func asksNothing() {
        let second = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(2)], later: [.max(4)]))
        OperatorCase.sequence([1, 2]).append(second).subscribe(recorder)
        expectEqual(second.subscriptions, 1)
        expectEqual(second.requests, [])
        recorder.requestLater()
        expectEqual(second.requests, [.max(4)])
    }

    @Test("Values, sequences and publishers can be appended and prepended")
    func forms() {
        let recorder = Recorder<Int, Never>()
        [5].publisher.append(6, 7).append([8]).append(Just(9)).prepend(3, 4).prepend([2]).prepend(Just(1))
            .subscribe(recorder)
        expectEqual(recorder.values, Array(1...9))
        expect(recorder.isFinished)
    }
}
