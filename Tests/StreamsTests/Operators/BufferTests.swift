import Dispatch
import MoonlightTestSupport
import Testing

@testable import Streams

@Suite("buffer")
struct BufferTests {
    private func buffer(
        _ probe: Probe<Int, Oops>, _ size: Int, _ prefetch: Publishers.PrefetchStrategy = .byRequest,
        _ whenFull: Publishers.BufferingStrategy<Oops> = .dropNewest, _ recorder: Recorder<Int, Oops>
    ) { probe.buffer(size: size, prefetch: prefetch, whenFull: whenFull).subscribe(recorder) }

    @Test("who adds values to a full buffer is held up while an heir sends, unless it is the heir itself")
    func holdsUp() {
        var state = BufferState<Int, Never>(4096, .dropNewest)
        for value in 0...2048 { _ = state.take(value) }
        state.inherit()
        guard case .send(0) = state.next(adding: .unlimited) else {
            Issue.record("the first is not sent")
            return
        }
        #expect(state.isFull)
        #expect(state.step { _ in } == nil)
        let full = Lock(state)
        elsewhere { if case .holdUp = full.withLock({ $0.step { _ in } }) { full.withLock { $0.isBroken = true } } }
        #expect(full.withLock { $0.isBroken })
    }

    @Test("it keeps values until they are asked for, then finishes")
    func keeps() {
        let (probe, recorder) = (Probe<Int, Oops>(), Recorder<Int, Oops>(.nothing))
        buffer(probe, 5, .byRequest, .dropNewest, recorder)
        #expect(probe.requests == [.unlimited])
        for value in 1...3 { probe.send(value) }
        probe.send(completion: .finished)
        #expect(recorder.values == [])
        #expect(recorder.completions == [])
        recorder.request(.max(2))
        #expect(recorder.values == [1, 2])
        #expect(recorder.completions == [])
        recorder.request(.max(1))
        #expect(recorder.values == [1, 2, 3])
        #expect(recorder.isFinished)
        #expect(recorder.violations == [])
    }

    @Test("empty, it finishes without being asked")
    func finishes() {
        let (probe, recorder) = (Probe<Int, Oops>(), Recorder<Int, Oops>(.nothing))
        buffer(probe, 5, .keepFull, .dropNewest, recorder)
        probe.send(completion: .finished)
        #expect(recorder.isFinished)
    }

    @Test("a failure does not wait")
    func fails() {
        let (probe, recorder) = (Probe<Int, Oops>(), Recorder<Int, Oops>(.nothing))
        buffer(probe, 5, .byRequest, .dropNewest, recorder)
        probe.send(1)
        probe.send(completion: .failure(.first))
        #expect(recorder.values == [])
        #expect(recorder.failure == .first)
    }

    @Test("a failure from inside a delivery comes after it, and drops what waits")
    func failsInside() {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>(Appetite(description: "", returned: [.max(1)], later: [.max(3)])) { _, _ in
            probe.send(completion: .failure(.second))
        }
        buffer(probe, 5, .byRequest, .dropNewest, recorder)
        for value in 1...4 { probe.send(value) }
        recorder.requestLater()
        #expect(recorder.values == [1])
        #expect(recorder.failure == .second)
        #expect(recorder.violations == [])
    }

    @Test("full, it drops what it is told to drop")
    func full() {
        for (whenFull, kept) in [
            (.dropNewest, [1, 2, 3]), (.dropOldest, [3, 4, 5]),
        ] as [(Publishers.BufferingStrategy<Oops>, [Int])] {
            let (probe, recorder) = (Probe<Int, Oops>(), Recorder<Int, Oops>(.nothing))
            buffer(probe, 3, .byRequest, whenFull, recorder)
            for value in 1...5 { probe.send(value) }
            recorder.request(.max(9))
            #expect(recorder.values == kept)
            probe.send(6)
            #expect(recorder.values == kept + [6])
            #expect(probe.cancellations == 0)
        }
    }

    @Test("or fails, when what is asked for next has been sent, and cancels the upstream at once")
    func customError() {
        for asked in 1...4 {
            let (probe, recorder) = (Probe<Int, Oops>(isDeaf: true), Recorder<Int, Oops>(.nothing))
            buffer(probe, 3, .byRequest, .customError { .second }, recorder)
            for value in 1...5 { probe.send(value) }
            #expect(probe.cancellations == 1)
            #expect(recorder.completions == [])
            recorder.request(.max(asked))
            #expect(recorder.values == Array([1, 2, 3].prefix(asked)))
            #expect(recorder.failure == .second)
            probe.send(completion: .finished)
            #expect(recorder.completions.count == 1)
        }
    }

    @Test("and at once, if nothing waits")
    func customErrorWithoutRoom() {
        let (probe, recorder) = (Probe<Int, Oops>(), Recorder<Int, Oops>(.nothing))
        buffer(probe, 0, .byRequest, .customError { .second }, recorder)
        probe.send(1)
        #expect(recorder.values == [])
        #expect(recorder.failure == .second)
        #expect(probe.cancellations == 1)
    }

    @Test("without room it passes on what is asked for")
    func noRoom() {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(2)]))
        buffer(probe, 0, .byRequest, .dropOldest, recorder)
        for value in 1...4 { probe.send(value) }
        #expect(recorder.values == [1, 2])
        recorder.request(.unlimited)
        probe.send(5)
        #expect(recorder.values == [1, 2, 5])
    }

    @Test("a negative size stops the program")
    func negativeSize() async {
        await #expect(processExitsWith: .failure) {
            Just(1).buffer(size: -1, prefetch: .byRequest, whenFull: .dropNewest).subscribe(Recorder<Int, Never>())
        }
    }

    @Test("kept full, it asks for one more for each that has left it")
    func keepsFull() {
        let (probe, recorder) = (Probe<Int, Oops>(), Recorder<Int, Oops>(.nothing))
        buffer(probe, 3, .keepFull, .customError { .second }, recorder)
        #expect(probe.requests == [.max(3)])
        probe.sendOnDemand([1, 2, 3, 4])
        #expect(probe.demand == .none)
        recorder.request(.max(2))
        #expect(recorder.values == [1, 2])
        #expect(probe.requests == [.max(3), .max(2)])
        probe.sendOnDemand([4, 5, 6])
        recorder.request(.unlimited)
        #expect(recorder.values == [1, 2, 3, 4, 5])
        #expect(probe.demand == .max(3))
        probe.send(6)
        #expect(recorder.values.last == 6)
        #expect(probe.demand == .max(3))
        #expect(recorder.violations == [])
    }

    @Test("kept full, it loses nothing of an upstream that sends at once", arguments: Appetite.all)
    func losesNothing(_ appetite: Appetite) {
        let list = Array(0..<20)
        let recorder = Recorder<Int, Oops>(appetite)
        OperatorCase.sequence(list).buffer(size: 2, prefetch: .keepFull, whenFull: .customError { .second })
            .subscribe(recorder)
        recorder.requestLater()
        #expect(recorder.values == Array(list.prefix(appetite.served(of: 20))))
        #expect(recorder.violations == [])
    }

    @Test("a value sent from inside a delivery comes after it, and needs no room if it is asked for")
    func reentrant() {
        let subject = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops> { _, value in if value < 10 { for _ in 0..<2 { subject.send(value * 10) } } }
        subject.buffer(size: 1, prefetch: .byRequest, whenFull: .customError { .second }).subscribe(recorder)
        subject.send(1)
        #expect(recorder.values == [1, 10, 10])
        #expect(recorder.completions == [])
        #expect(recorder.violations == [])
    }

    @Test("an overlapping upstream is put in order, and what is asked for needs no room")
    func overlapping() {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops> { _, value in if value < 3 { for _ in 0..<2 { probe.send(value + 1) } } }
        buffer(probe, 1, .byRequest, .customError { .second }, recorder)
        probe.send(1)
        #expect(recorder.values == [1, 2, 2, 3, 3, 3, 3])
        #expect(recorder.violations == [])
    }

    @Test("what another thread sends during a delivery is delivered by an heir, each time")
    func heirs() {
        let probe = Probe<Int, Oops>()
        let threads = Log<UInt>()
        let recorder = Recorder<Int, Oops> { _, value in
            threads.append(currentThread())
            if value % 2 == 1 { elsewhere { probe.send(value + 1) } }
        }
        buffer(probe, 5, .byRequest, .dropNewest, recorder)
        for value in [1, 3] {
            probe.send(value)
            // It waits here, so an heir runs on another thread.
            settle()
        }
        #expect(recorder.values == [1, 2, 3, 4])
        let here = currentThread()
        #expect(threads.items.map { $0 == here } == [true, false, true, false])
    }

    @Test("what an heir is asked for by a value that takes long is not lost when it lets others run")
    func askedBySlowValue() {
        let probe = Probe<Int, Oops>()
        let appetite = Appetite(description: "", atStart: [.max(1)], returned: [.max(1), .max(1)])
        let recorder = Recorder<Int, Oops>(appetite) { _, value in
            if value == 1 {
                // Values of another thread are left to an heir.
                elsewhere { for value in 2...3 { probe.send(value) } }
            } else {
                // Longer than the heir works before it lets others run.
                let end = DispatchTime.now().uptimeNanoseconds + TimeSlice.length
                while DispatchTime.now().uptimeNanoseconds <= end {}
            }
        }
        buffer(probe, 5, .byRequest, .dropNewest, recorder)
        probe.send(1)
        settle()
        #expect(recorder.values == [1, 2, 3])
        #expect(recorder.violations == [])
    }

    @Test(
        "values that wait are let go on cancellation or a failure, and the closure with them, though the subscription is kept",
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
        #expect(value != nil)
        #expect(captured != nil)
        if fails { subject.send(completion: .failure(.second)) } else { recorder.cancel() }
        #expect(recorder.values.isEmpty)
        #expect(value == nil)
        #expect(captured == nil)
        withExtendedLifetime(recorder) {}
    }
}
