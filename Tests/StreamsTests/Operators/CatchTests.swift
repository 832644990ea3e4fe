import Streams
import Testing

/// Declares that it keeps the grammar, and sends a value more when it is cancelled.
private struct Talkative: GrammaticalPublisher {
    typealias Output = Int
    typealias Failure = Oops

    final class Talk: Subscription {
        let subscriber: AnySubscriber<Int, Oops>

        init(_ subscriber: AnySubscriber<Int, Oops>) { self.subscriber = subscriber }

        func request(_ demand: Subscribers.Demand) { _ = subscriber.receive(1) }
        func cancel() { _ = subscriber.receive(2) }
    }

    func receive(subscriber: some Subscriber<Int, Oops>) {
        let subscriber = AnySubscriber(subscriber)
        subscriber.receive(subscription: Talk(subscriber))
    }
}

@Suite("catch, tryCatch, replaceError, mapError, assertNoFailure")
struct CatchTests {
    @Test("catch goes on with the publisher made of the error, once")
    func goesOn() {
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Never>())
        let errors = Log<Oops>()
        let recorder = Recorder<Int, Never>()
        first.catch { error in
            errors.append(error)
            return second
        }.subscribe(recorder)
        first.sendOnDemand([1, 2])
        #expect(second.subscriptions == 0)
        first.send(completion: .failure(.second))
        #expect(errors.items == [.second])
        #expect(second.subscriptions == 1)
        second.sendOnDemand([3])
        second.send(completion: .finished)
        #expect(recorder.values == [1, 2, 3])
        #expect(recorder.isFinished)
        #expect(recorder.violations == [])
    }

    @Test("an upstream that finishes needs no other")
    func finishes() {
        let recorder = Recorder<Int, Never>()
        OperatorCase.sequence([1]).catch { _ in Just(9) }.subscribe(recorder)
        #expect(recorder.values == [1])
        #expect(recorder.isFinished)
    }

    @Test("what is asked for and not sent is asked of the next, what is asked for in between, too")
    func demand() {
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(5)], returned: [.max(2)]))
        first.catch { _ in
            recorder.request(.max(3))
            return second
        }.subscribe(recorder)
        first.sendOnDemand([1, 2])
        first.send(completion: .failure(.first))
        #expect(first.requests == [.max(5)])
        #expect(second.requests == [.max(8)])
        recorder.request(.unlimited)
        #expect(second.requests == [.max(8), .unlimited])
        second.send(completion: .failure(.second))
        #expect(recorder.failure == .second)
        #expect(recorder.violations == [])
    }

    @Test("what is sent after the cancellation, unasked, is dropped")
    func afterTheCancellation() {
        let recorder = Recorder<Int, Never>(Appetite(description: "", atStart: [.max(1)]))
        Talkative().catch { _ in Just(9) }.subscribe(recorder)
        recorder.cancel()
        #expect(recorder.values == [1])
        #expect(recorder.violations == [])
    }

    @Test("with no demand left the next is asked for nothing until the downstream asks")
    func noDemand() {
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)], later: [.max(4)]))
        first.catch { _ in second }.subscribe(recorder)
        first.sendOnDemand([1, 2])
        first.send(completion: .failure(.first))
        #expect(second.requests == [])
        recorder.requestLater()
        #expect(second.requests == [.max(4)])
        second.send(completion: .finished)
        #expect(recorder.isFinished)
    }

    @Test("unlimited demand stays unlimited, also if it is asked for beside a delivery")
    func unlimited() {
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)], inside: [0: .unlimited]))
        first.catch { _ in second }.subscribe(recorder)
        first.sendOnDemand([1, 2, 3])
        first.send(completion: .failure(.first))
        #expect(second.requests == [.unlimited])
    }

    @Test("cancelled before, during and after the change, neither is left running", arguments: 0..<3)
    func cancels(when: Int) {
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>()
        first.catch { _ in
            if when == 1 { recorder.cancel() }
            return second
        }.subscribe(recorder)
        if when == 0 { recorder.cancel() }
        first.send(completion: .failure(.first))
        if when == 2 { recorder.cancel() }
        #expect(first.cancellations == (when == 0 ? 1 : 0))
        #expect(second.subscriptions == (when == 2 ? 1 : 0))
        #expect(second.cancellations == (when == 2 ? 1 : 0))
        second.send(5)
        #expect(recorder.values == [])
        #expect(recorder.completions == [])
    }

    @Test("cancelled while the next is subscribed to, it is cancelled")
    func cancelledOnTheWay() {
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>()
        first.catch { _ in
            Deferred {
                recorder.cancel()
                return second
            }
        }.subscribe(recorder)
        first.send(completion: .failure(.first))
        #expect(second.cancellations == 1)
        #expect(second.requests == [])
    }

    @Test("what the first sends after its failure is dropped")
    func deafUpstream() {
        let (first, second) = (Probe<Int, Oops>(isDeaf: true), Probe<Int, Oops>(isDeaf: true))
        let recorder = Recorder<Int, Oops>()
        first.catch { _ in second }.subscribe(recorder)
        first.send(completion: .failure(.first))
        first.send(1)
        first.send(completion: .failure(.first))
        #expect(second.subscriptions == 1)
        second.send(2)
        second.send(completion: .finished)
        second.send(3)
        first.send(4)
        second.send(completion: .failure(.second))
        #expect(recorder.values == [2])
        #expect(recorder.isFinished)
        #expect(recorder.violations == [])
    }

    @Test("once it has gone on, what the first was is let go, closures included", arguments: [false, true])
    func release(cancels: Bool) {
        let recorder = Recorder<Int, Oops>()
        let second = PassthroughSubject<Int, Oops>()
        weak var (token, upstream): (Token?, PassthroughSubject<Int, Oops>?)
        do {
            let captured = Token()
            let first = PassthroughSubject<Int, Oops>()
            (token, upstream) = (captured, first)
            first.catch { _ in captured.pass(second) }.subscribe(recorder)
            first.send(completion: .failure(.first))
        }
        #expect(upstream == nil)
        #expect(token == nil)
        second.send(1)
        #expect(recorder.values == [1])
        if cancels { recorder.cancel() } else { second.send(completion: .finished) }
    }

    @Test("a million failures caught one in another are not expected, but ten thousand in a row are")
    func inARow() {
        var publisher: Ints = Fail(error: .first).eraseToAnyPublisher()
        for _ in 0..<50 { publisher = publisher.catch { Fail(error: $0) }.eraseToAnyPublisher() }
        let recorder = Recorder<Int, Oops>()
        publisher.subscribe(recorder)
        #expect(recorder.failure == .first)
    }

    @Test("tryCatch fails with what its closure throws, of the kind that it throws")
    func throwing() {
        let untyped = Recorder<Int, any Error>()
        OperatorCase.sequence([1]).append(Fail(error: .first)).tryCatch { _ -> Just<Int> in throw Plain.Trouble() }
            .subscribe(untyped)
        #expect(untyped.values == [1])
        #expect(untyped.failure is Plain.Trouble)
        let typed = Recorder<Int, Plain.Trouble>()
        Fail<Int, Oops>(error: .first).tryCatch { (_) throws(Plain.Trouble) -> Just<Int> in throw Plain.Trouble() }
            .subscribe(typed)
        #expect(typed.failure == Plain.Trouble())
        let same = Recorder<Int, Oops>()
        Fail<Int, Oops>(error: .first).tryCatch { (_) throws(Oops) -> Fail<Int, Oops> in throw .second }.subscribe(same)
        #expect(same.failure == .second)
    }

    @Test("tryCatch goes on with what is made, whose failure it passes on as any error")
    func tryGoesOn() {
        let recorder = Recorder<Int, any Error>()
        let publisher: Publishers.TryCatch<Fail<Int, Oops>, Ints> = Fail(error: .first).tryCatch { error in
            if error == .second { throw error }
            return OperatorCase.sequence([4]).append(Fail(error: .second)).eraseToAnyPublisher()
        }
        publisher.subscribe(recorder)
        #expect(recorder.values == [4])
        #expect(recorder.failure as? Oops == .second)
    }

    @Test("a value that nobody asked for stops the program with a word on how to mend it")
    func unwantedValue() async {
        await #expect(processExitsWith: .failure) {
            let probe = Probe<Int, Oops>()
            probe.catch { _ in Just(1) }.subscribe(Recorder<Int, Never>(.nothing))
            probe.send(1)
        }
        await #expect(processExitsWith: .failure) {
            let probe = Probe<Int, Oops>()
            probe.retry(1).subscribe(Recorder<Int, Oops>(.nothing))
            probe.send(1)
        }
    }

    @Test("replaceError sends its value as soon as one is asked for")
    func replaces() {
        for demand in [Subscribers.Demand.none, .max(1), .max(2), .unlimited] {
            let probe = Probe<Int, Oops>()
            let recorder = Recorder<Int, Never>(Appetite(description: "", atStart: demand == .none ? [] : [demand]))
            probe.replaceError(with: 7).subscribe(recorder)
            probe.sendOnDemand([1])
            probe.send(completion: .failure(.first))
            let sent = demand == .none ? [] : [1]
            #expect(recorder.values == sent + (demand >= .max(2) ? [7] : []))
            #expect(recorder.isFinished == (demand >= .max(2)))
            recorder.request(.max(1))
            #expect(recorder.values == sent + [7])
            #expect(recorder.isFinished)
            #expect(recorder.violations == [])
        }
    }

    @Test("mapError makes another error, and leaves the subscription alone")
    func mapsError() {
        let recorder = Recorder<Int, Plain.Trouble>(Appetite(description: "", atStart: [.max(2)], returned: [.max(3)]))
        let probe = Probe<Int, Oops>()
        probe.mapError { _ in Plain.Trouble() }.subscribe(recorder)
        probe.send(1)
        #expect(probe.requests == [.max(2)])
        #expect(probe.demand == .max(4))
        probe.send(completion: .failure(.first))
        #expect(recorder.values == [1])
        #expect(recorder.failure == Plain.Trouble())
        let finished = Recorder<Int, Plain.Trouble>()
        OperatorCase.sequence([3]).mapError { _ in Plain.Trouble() }.subscribe(finished)
        #expect(finished.values == [3])
        #expect(finished.isFinished)
    }

    @Test("assertNoFailure passes on all but a failure, which stops the program")
    func asserts() async {
        let recorder = Recorder<Int, Never>()
        OperatorCase.sequence([1, 2]).assertNoFailure("never").subscribe(recorder)
        #expect(recorder.values == [1, 2])
        #expect(recorder.isFinished)
        let publisher = Just(1).assertNoFailure("text", file: "file", line: 3)
        #expect(publisher.prefix == "text")
        #expect(publisher.line == 3)
        #expect("\(publisher.file)" == "file")
        await #expect(processExitsWith: .failure) {
            Fail<Int, Oops>(error: .first).assertNoFailure().subscribe(Recorder<Int, Never>())
        }
    }

    @Test("they are equal if what they are made of is")
    func equality() {
        let (one, other) = (OperatorCase.sequence([1]), OperatorCase.sequence([2]))
        #expect(one.replaceError(with: 1) == one.replaceError(with: 1))
        #expect(one.replaceError(with: 1) != other.replaceError(with: 1))
        #expect(one.retry(1) == one.retry(1))
        #expect(one.retry(1) != one.retry(2))
        let waiting = one.retry(1, scheduler: ImmediateScheduler.shared) { _, _ in .seconds(1) }
        #expect(waiting != one.retry(1))
        #expect(waiting.retries == 1)
    }

    @Test("what the first upstream still sends after a cancellation that left no demand is dropped")
    func lateValue() {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let recorder = Recorder<Int, Oops>(Appetite(description: "1", atStart: [.max(1)]))
        probe.catch { _ in Ints(Empty()) }.subscribe(recorder)
        probe.send(1)
        recorder.cancel()
        probe.send(2)
        #expect(recorder.values == [1])
        #expect(recorder.violations == [])
    }
}
