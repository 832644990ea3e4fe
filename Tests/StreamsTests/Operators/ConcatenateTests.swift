import Streams
import Testing

@Suite("append, prepend")
struct ConcatenateTests {
    @Test("an upstream that sends a second subscription does not start it again")
    func startsOnce() {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let recorder = Recorder<Int, Oops>()
        probe.append(9).subscribe(recorder)
        probe.subscribeAgain()
        #expect(recorder.violations == [])
        #expect(probe.cancellations == 1)
        #expect(probe.requests == [.unlimited])
        probe.send(1)
        #expect(recorder.values == [1])
    }

    @Test("the second publisher is subscribed to when the first has finished")
    func order() {
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>()
        first.append(second).subscribe(recorder)
        first.sendOnDemand([1, 2])
        #expect(second.subscriptions == 0)
        first.send(completion: .finished)
        #expect(second.subscriptions == 1)
        second.sendOnDemand([3])
        second.send(completion: .finished)
        #expect(recorder.values == [1, 2, 3])
        #expect(recorder.isFinished)
    }

    @Test("what the first part has left of the demand is asked of the second")
    func carriesDemand() {
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(3)], returned: [.max(1)]))
        second.prepend(first).subscribe(recorder)
        first.sendOnDemand([1, 2])
        first.send(completion: .finished)
        #expect(second.requests == [.max(2)])
        second.sendOnDemand([3, 4, 5])
        #expect(recorder.values == [1, 2, 3, 4])
        #expect(recorder.violations == [])
    }

    @Test("with nothing left, the second part is asked for nothing until there is new demand")
    func asksNothing() {
        let second = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(2)], later: [.max(4)]))
        OperatorCase.sequence([1, 2]).append(second).subscribe(recorder)
        #expect(second.subscriptions == 1)
        #expect(second.requests == [])
        recorder.requestLater()
        #expect(second.requests == [.max(4)])
    }

    @Test("values, sequences and publishers may be put on both sides")
    func forms() {
        let recorder = Recorder<Int, Never>()
        [5].publisher.append(6, 7).append([8]).append(Just(9)).prepend(3, 4).prepend([2]).prepend(Just(1))
            .subscribe(recorder)
        #expect(recorder.values == Array(1...9))
        #expect(recorder.isFinished)
    }

    @Test("equal parts make equal wholes")
    func equality() {
        #expect([1].publisher.append(2) == [1].publisher.append(2))
        #expect([1].publisher.append(2) != [1].publisher.append(3))
    }
}
