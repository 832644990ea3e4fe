import Dispatch
import MoonlightTestSupport
import Testing

@testable import Streams

@Suite("Operator `buffer`")
struct BufferTests {
    private func buffer(
        _ probe: Probe<Int, Oops>, _ size: Int, _ prefetch: Publishers.PrefetchStrategy = .byRequest,
        _ whenFull: Publishers.BufferingStrategy<Oops> = .dropNewest, _ recorder: Recorder<Int, Oops>
    ) { probe.buffer(size: size, prefetch: prefetch, whenFull: whenFull).subscribe(recorder) }

    @Test("A buffer keeps values until they are requested, then finishes")
    func keeps() {
        let (probe, recorder) = (Probe<Int, Oops>(), Recorder<Int, Oops>(.nothing))
        buffer(probe, 5, .byRequest, .dropNewest, recorder)
        expectEqual(probe.requests, [.unlimited])
        for value in 1...3 { probe.send(value) }
        probe.send(completion: .finished)
        expectEqual(recorder.values, [])
        expectEqual(recorder.completions, [])
        recorder.request(.max(2))
        expectEqual(recorder.values, [1, 2])
        expectEqual(recorder.completions, [])
        recorder.request(.max(1))
        expectEqual(recorder.values, [1, 2, 3])
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    @Test("An empty buffer finishes without demand")
    func finishes() {
        let (probe, recorder) = (Probe<Int, Oops>(), Recorder<Int, Oops>(.nothing))
        buffer(probe, 5, .keepFull, .dropNewest, recorder)
        probe.send(completion: .finished)
        expect(recorder.isFinished)
    }

    @Test("A failure of the upstream overtakes buffered values")
    func fails() {
        let (probe, recorder) = (Probe<Int, Oops>(), Recorder<Int, Oops>(.nothing))
        buffer(probe, 5, .byRequest, .dropNewest, recorder)
        probe.send(1)
        probe.send(completion: .failure(.first))
        expectEqual(recorder.values, [])
        expectEqual(recorder.failure, .first)
    }

    @Test("A failure that is sent during a delivery arrives after it, and drops the buffered values")
    func failsInside() {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>(Appetite(description: "", returned: [.max(1)], later: [.max(3)])) { _, _ in
            probe.send(completion: .failure(.second))
        }
        buffer(probe, 5, .byRequest, .dropNewest, recorder)
        for value in 1...4 { probe.send(value) }
        recorder.requestLater()
        expectEqual(recorder.values, [1])
        expectEqual(recorder.failure, .second)
        expectEqual(recorder.violations, [])
    }

    @Test("A full buffer drops the newest or the oldest values, according to its strategy")
    func full() {
        for (whenFull, kept) in [
            (.dropNewest, [1, 2, 3]), (.dropOldest, [3, 4, 5]),
        ] as [(Publishers.BufferingStrategy<Oops>, [Int])] {
            let (probe, recorder) = (Probe<Int, Oops>(), Recorder<Int, Oops>(.nothing))
            buffer(probe, 3, .byRequest, whenFull, recorder)
            for value in 1...5 { probe.send(value) }
            recorder.request(.max(9))
            expectEqual(recorder.values, kept)
            probe.send(6)
            expectEqual(recorder.values, kept + [6])
            expectEqual(probe.cancellations, 0)
        }
    }

    @Test("A full buffer with a custom error cancels the upstream at once, and fails after the next request")
    func customError() {
        for asked in 1...4 {
            let (probe, recorder) = (Probe<Int, Oops>(isDeaf: true), Recorder<Int, Oops>(.nothing))
            buffer(probe, 3, .byRequest, .customError { .second }, recorder)
            for value in 1...5 { probe.send(value) }
            expectEqual(probe.cancellations, 1)
            expectEqual(recorder.completions, [])
            recorder.request(.max(asked))
            expectEqual(recorder.values, Array([1, 2, 3].prefix(asked)))
            expectEqual(recorder.failure, .second)
            probe.send(completion: .finished)
            expectEqual(recorder.completions.count, 1)
        }
    }

    @Test("A buffer of size zero with a custom error fails at the first value that was not requested")
    func customErrorWithoutRoom() {
        let (probe, recorder) = (Probe<Int, Oops>(), Recorder<Int, Oops>(.nothing))
        buffer(probe, 0, .byRequest, .customError { .second }, recorder)
        probe.send(1)
        expectEqual(recorder.values, [])
        expectEqual(recorder.failure, .second)
        expectEqual(probe.cancellations, 1)
    }

    @Test("A buffer of size zero passes on the requested values, and drops the others")
    func noRoom() {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(2)]))
        buffer(probe, 0, .byRequest, .dropOldest, recorder)
        for value in 1...4 { probe.send(value) }
        expectEqual(recorder.values, [1, 2])
        recorder.request(.unlimited)
        probe.send(5)
        expectEqual(recorder.values, [1, 2, 5])
    }

    @Test("A full buffer drops the oldest value that was not requested, also during a delivery", arguments: 0...2)
    func oldestUnrequested(size: Int) {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>(.nothing) { _, value in
            if value == 0 { for next in 1...5 { probe.send(next) } }
        }
        buffer(probe, size, .byRequest, .dropOldest, recorder)
        if size == 0 {
            recorder.request(.max(3))
            probe.send(0)
        } else {
            probe.send(0)
            recorder.request(.max(3))
        }
        expectEqual(recorder.values, [0, 1, 2])
        recorder.request(.unlimited)
        expectEqual(recorder.values, [0, 1, 2] + (0..<size).map { 6 - size + $0 })
        expectEqual(recorder.violations, [])
    }

    @Test("A buffer of negative size traps")
    func negativeSize() async {
        await #expect(processExitsWith: .failure) {
            Just(1).buffer(size: -1, prefetch: .byRequest, whenFull: .dropNewest).subscribe(Recorder<Int, Never>())
        }
    }

    @Test("A buffer that is kept full requests another value for each one that it sends")
    func keepsFull() {
        let (probe, recorder) = (Probe<Int, Oops>(), Recorder<Int, Oops>(.nothing))
        buffer(probe, 3, .keepFull, .customError { .second }, recorder)
        expectEqual(probe.requests, [.max(3)])
        probe.sendOnDemand([1, 2, 3, 4])
        expectEqual(probe.demand, .none)
        recorder.request(.max(2))
        expectEqual(recorder.values, [1, 2])
        expectEqual(probe.requests, [.max(3), .max(2)])
        probe.sendOnDemand([4, 5, 6])
        recorder.request(.unlimited)
        expectEqual(recorder.values, [1, 2, 3, 4, 5])
        expectEqual(probe.demand, .max(3))
        probe.send(6)
        expectEqual(recorder.values.last, 6)
        expectEqual(probe.demand, .max(3))
        expectEqual(recorder.violations, [])
    }

    @Test("A buffer that is kept full loses no value of an upstream with ready values", arguments: Appetite.all)
    func losesNothing(_ appetite: Appetite) {
        let list = Array(0..<20)
        let recorder = Recorder<Int, Oops>(appetite)
        OperatorCase.sequence(list).buffer(size: 2, prefetch: .keepFull, whenFull: .customError { .second })
            .subscribe(recorder)
        recorder.requestLater()
        expectEqual(recorder.values, Array(list.prefix(appetite.served(of: 20))))
        expectEqual(recorder.violations, [])
    }

    @Test("A requested value that is sent during a delivery arrives after it, and takes no space in the buffer")
    func reentrant() {
        let subject = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops> { _, value in if value < 10 { for _ in 0..<2 { subject.send(value * 10) } } }
        subject.buffer(size: 1, prefetch: .byRequest, whenFull: .customError { .second }).subscribe(recorder)
        subject.send(1)
        expectEqual(recorder.values, [1, 10, 10])
        expectEqual(recorder.completions, [])
        expectEqual(recorder.violations, [])
    }

    @Test("Values that an upstream sends during deliveries are queued in order, and take no space if they are requested")
    func overlapping() {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops> { _, value in if value < 3 { for _ in 0..<2 { probe.send(value + 1) } } }
        buffer(probe, 1, .byRequest, .customError { .second }, recorder)
        probe.send(1)
        expectEqual(recorder.values, [1, 2, 2, 3, 3, 3, 3])
        expectEqual(recorder.violations, [])
    }

    @Test("A value that another thread sends during a delivery is delivered after it on a background thread, each time")
    func handedOver() {
        let probe = Probe<Int, Oops>()
        let threads = Log<UInt>()
        let recorder = Recorder<Int, Oops> { _, value in
            threads.append(currentThread())
            if value % 2 == 1 { elsewhere { probe.send(value + 1) } }
        }
        buffer(probe, 5, .byRequest, .dropNewest, recorder)
        for value in [1, 3] {
            probe.send(value)
            // This thread is blocked here, so a handover job runs on another one.
            settle()
        }
        expectEqual(recorder.values, [1, 2, 3, 4])
        let here = currentThread()
        expectEqual(threads.items.map { $0 == here }, [true, false, true, false])
    }

    @Test("Demand that a slow delivery returns is not lost when the delivering thread yields")
    func askedBySlowValue() {
        let probe = Probe<Int, Oops>()
        let appetite = Appetite(description: "", atStart: [.max(1)], returned: [.max(1), .max(1)])
        let recorder = Recorder<Int, Oops>(appetite) { _, value in
            if value == 1 {
                // Values of another thread are handed over.
                elsewhere { for value in 2...3 { probe.send(value) } }
            } else {
                // Longer than a handover job works before it yields.
                let end = DispatchTime.now().uptimeNanoseconds + TimeSlice.length
                while DispatchTime.now().uptimeNanoseconds <= end {}
            }
        }
        buffer(probe, 5, .byRequest, .dropNewest, recorder)
        probe.send(1)
        settle()
        expectEqual(recorder.values, [1, 2, 3])
        expectEqual(recorder.violations, [])
    }

    @Test(
        "Buffered values and the error's closure are released on cancellation or failure, even if the subscription is retained",
        arguments: [false, true])
    func release(fails: Bool) {
        let subject = PassthroughSubject<Token, Oops>()
        let recorder = Recorder<Token, Oops>(.nothing)
        weak var (value, captured): (Token?, Token?)
        do {
            let (waiting, used) = (Token(), Token())
            (value, captured) = (waiting, used)
            subject.buffer(size: 3, prefetch: .byRequest, whenFull: .customError { used.pass(.first) })
                .subscribe(recorder)
            subject.send(waiting)
        }
        expect(value != nil)
        expect(captured != nil)
        if fails { subject.send(completion: .failure(.second)) } else { recorder.cancel() }
        expect(recorder.values.isEmpty)
        expect(value == nil)
        expect(captured == nil)
        withExtendedLifetime(recorder) {}
    }
}
