import MoonlightTestSupport
import Streams
import Testing

/// A publisher that declares to follow the grammar, but sends a value when it is cancelled.
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

/// A publisher that stores its subscribers, for a test to call them.
private struct Storing: GrammaticalPublisher {
    typealias Output = Int
    typealias Failure = Oops
    let subscribers: Log<AnySubscriber<Int, Oops>>

    func receive(subscriber: some Subscriber<Int, Oops>) { subscribers.append(AnySubscriber(subscriber)) }
}

@Suite("Operators `catch`, `tryCatch`, `replaceError`, `mapError` and `assertNoFailure`")
struct CatchTests {
    @Test("`catch` continues once, with the publisher that its closure creates from the error")
    func goesOn() {
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Never>())
        let errors = Log<Oops>()
        let recorder = Recorder<Int, Never>()
        first.catch { error in
            errors.append(error)
            return second
        }.subscribe(recorder)
        first.sendOnDemand([1, 2])
        expectEqual(second.subscriptions, 0)
        first.send(completion: .failure(.second))
        expectEqual(errors.items, [.second])
        expectEqual(second.subscriptions, 1)
        second.sendOnDemand([3])
        second.send(completion: .finished)
        expectEqual(recorder.values, [1, 2, 3])
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    @Test("`catch` completes without a replacement if the upstream finishes")
    func finishes() {
        let recorder = Recorder<Int, Never>()
        OperatorCase.sequence([1]).catch { _ in Just(9) }.subscribe(recorder)
        expectEqual(recorder.values, [1])
        expect(recorder.isFinished)
    }

    @Test("`catch` requests the remaining demand of the replacement, including requests made while it is created")
    func demand() {
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(5)], returned: [.max(2)]))
        first.catch { _ in
            recorder.request(.max(3))
            return second
        }.subscribe(recorder)
        first.sendOnDemand([1, 2])
        first.send(completion: .failure(.first))
        expectEqual(first.requests, [.max(5)])
        expectEqual(second.requests, [.max(8)])
        recorder.request(.unlimited)
        expectEqual(second.requests, [.max(8), .unlimited])
        second.send(completion: .failure(.second))
        expectEqual(recorder.failure, .second)
        expectEqual(recorder.violations, [])
    }

    @Test("`catch` drops a value that is sent without demand after the cancellation")
    func afterTheCancellation() {
        let recorder = Recorder<Int, Never>(Appetite(description: "", atStart: [.max(1)]))
        Talkative().catch { _ in Just(9) }.subscribe(recorder)
        recorder.cancel()
        expectEqual(recorder.values, [1])
        expectEqual(recorder.violations, [])
    }

    @Test("`catch` requests nothing of the replacement while no demand remains")
    func noDemand() {
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)], later: [.max(4)]))
        first.catch { _ in second }.subscribe(recorder)
        first.sendOnDemand([1, 2])
        first.send(completion: .failure(.first))
        expectEqual(second.requests, [])
        recorder.requestLater()
        expectEqual(second.requests, [.max(4)])
        second.send(completion: .finished)
        expect(recorder.isFinished)
    }

    @Test("`catch` passes unlimited demand that is requested during a delivery on to the replacement")
    func unlimited() {
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)], inside: [0: .unlimited]))
        first.catch { _ in second }.subscribe(recorder)
        first.sendOnDemand([1, 2, 3])
        first.send(completion: .failure(.first))
        expectEqual(second.requests, [.unlimited])
    }

    @Test("Cancelling `catch` before, during or after the failure cancels both upstreams", arguments: 0..<3)
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
        expect(first.cancellations == (when == 0 ? 1 : 0))
        expect(second.subscriptions == (when == 2 ? 1 : 0))
        expect(second.cancellations == (when == 2 ? 1 : 0))
        second.send(5)
        expectEqual(recorder.values, [])
        expectEqual(recorder.completions, [])
    }

    @Test("An upstream that has ended is released, and receives no more requests, before the next one arrives")
    func betweenTwo() {
        let (log, recorder, subscribers) = (Log<String>(), Recorder<Int, Oops>(), Log<AnySubscriber<Int, Oops>>())
        Storing(subscribers: subscribers).catch { _ in Storing(subscribers: subscribers) }.subscribe(recorder)
        weak var first: NotingSubscription?
        do {
            let subscription = NotingSubscription("first", in: log)
            first = subscription
            subscribers.items[0].receive(subscription: subscription)
        }
        expect(first != nil)
        subscribers.items[0].receive(completion: .failure(.first))
        expect(first == nil)
        recorder.request(.max(1))
        subscribers.items[1].receive(subscription: NotingSubscription("second", in: log))
        expectEqual(log.items, ["first unlimited", "second unlimited"])
    }

    @Test("A failure during a delivery in which the subscriber then cancels has no effect")
    func cancelsAfterTheFailure() {
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Never>())
        let recorder = Recorder<Int, Never> { recorder, _ in
            first.send(completion: .failure(.first))
            recorder.cancel()
        }
        first.catch { _ in second }.subscribe(recorder)
        first.send(1)
        expectEqual(recorder.values, [1])
        expectEqual(recorder.completions, [])
        expectEqual(second.subscriptions, 0)
    }

    @Test("A subscriber of `catch` that cancels during the subscription to the replacement cancels the replacement")
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
        expectEqual(second.cancellations, 1)
        expectEqual(second.requests, [])
    }

    @Test("`catch` drops events of the first upstream after its failure")
    func deafUpstream() {
        let (first, second) = (Probe<Int, Oops>(isDeaf: true), Probe<Int, Oops>(isDeaf: true))
        let recorder = Recorder<Int, Oops>()
        first.catch { _ in second }.subscribe(recorder)
        first.send(completion: .failure(.first))
        first.send(1)
        first.send(completion: .failure(.first))
        expectEqual(second.subscriptions, 1)
        second.send(2)
        second.send(completion: .finished)
        second.send(3)
        first.send(4)
        second.send(completion: .failure(.second))
        expectEqual(recorder.values, [2])
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    @Test(
        "`catch` releases its first upstream and its closure when the replacement takes over",
        arguments: [false, true])
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
        expect(upstream == nil)
        expect(token == nil)
        second.send(1)
        expectEqual(recorder.values, [1])
        if cancels { recorder.cancel() } else { second.send(completion: .finished) }
    }

    @Test("A failure passes unchanged through fifty nested catches")
    func inARow() {
        var publisher: Ints = Fail(error: .first).eraseToAnyPublisher()
        for _ in 0..<50 { publisher = publisher.catch { Fail(error: $0) }.eraseToAnyPublisher() }
        let recorder = Recorder<Int, Oops>()
        publisher.subscribe(recorder)
        expectEqual(recorder.failure, .first)
    }

    @Test("`tryCatch` fails with the error that its closure throws, typed or not")
    func throwing() {
        let untyped = Recorder<Int, any Error>()
        OperatorCase.sequence([1]).append(Fail(error: .first)).tryCatch { _ -> Just<Int> in throw Plain.Trouble() }
            .subscribe(untyped)
        expectEqual(untyped.values, [1])
        expect(untyped.failure is Plain.Trouble)
        let typed = Recorder<Int, Plain.Trouble>()
        Fail<Int, Oops>(error: .first).tryCatch { (_) throws(Plain.Trouble) -> Just<Int> in throw Plain.Trouble() }
            .subscribe(typed)
        expectEqual(typed.failure, Plain.Trouble())
        let same = Recorder<Int, Oops>()
        Fail<Int, Oops>(error: .first).tryCatch { (_) throws(Oops) -> Fail<Int, Oops> in throw .second }.subscribe(same)
        expectEqual(same.failure, .second)
    }

    @Test("`tryCatch` continues with the publisher that its closure returns, whose failure it passes on as any error")
    func tryGoesOn() {
        let recorder = Recorder<Int, any Error>()
        let publisher: Publishers.TryCatch<Fail<Int, Oops>, Ints> = Fail(error: .first).tryCatch { error in
            if error == .second { throw error }
            return OperatorCase.sequence([4]).append(Fail(error: .second)).eraseToAnyPublisher()
        }
        publisher.subscribe(recorder)
        expectEqual(recorder.values, [4])
        expect(recorder.failure as? Oops == .second)
    }

    @Test("`catch` and `retry` trap if an upstream sends a value that was not requested")
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

    @Test("`replaceError` sends its value as soon as one is requested")
    func replaces() {
        for demand in [Subscribers.Demand.none, .max(1), .max(2), .unlimited] {
            let probe = Probe<Int, Oops>()
            let recorder = Recorder<Int, Never>(Appetite(description: "", atStart: demand == .none ? [] : [demand]))
            probe.replaceError(with: 7).subscribe(recorder)
            probe.sendOnDemand([1])
            probe.send(completion: .failure(.first))
            let sent = demand == .none ? [] : [1]
            expectEqual(recorder.values, sent + (demand >= .max(2) ? [7] : []))
            expect(recorder.isFinished == (demand >= .max(2)))
            recorder.request(.max(1))
            expectEqual(recorder.values, sent + [7])
            expect(recorder.isFinished)
            expectEqual(recorder.violations, [])
        }
    }

    @Test("`mapError` replaces the error, and passes on requests and values unchanged")
    func mapsError() {
        let recorder = Recorder<Int, Plain.Trouble>(Appetite(description: "", atStart: [.max(2)], returned: [.max(3)]))
        let probe = Probe<Int, Oops>()
        probe.mapError { _ in Plain.Trouble() }.subscribe(recorder)
        probe.send(1)
        expectEqual(probe.requests, [.max(2)])
        expectEqual(probe.demand, .max(4))
        probe.send(completion: .failure(.first))
        expectEqual(recorder.values, [1])
        expectEqual(recorder.failure, Plain.Trouble())
        let finished = Recorder<Int, Plain.Trouble>()
        OperatorCase.sequence([3]).mapError { _ in Plain.Trouble() }.subscribe(finished)
        expectEqual(finished.values, [3])
        expect(finished.isFinished)
    }

    @Test("`assertNoFailure` passes on values and the end, and traps at a failure")
    func asserts() async {
        let recorder = Recorder<Int, Never>()
        OperatorCase.sequence([1, 2]).assertNoFailure("never").subscribe(recorder)
        expectEqual(recorder.values, [1, 2])
        expect(recorder.isFinished)
        await #expect(processExitsWith: .failure) {
            Fail<Int, Oops>(error: .first).assertNoFailure().subscribe(Recorder<Int, Never>())
        }
    }

    @Test("`catch` drops a value that the first upstream sends after a cancellation, with no demand left")
    func lateValue() {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let recorder = Recorder<Int, Oops>(Appetite(description: "1", atStart: [.max(1)]))
        probe.catch { _ in Ints(Empty()) }.subscribe(recorder)
        probe.send(1)
        recorder.cancel()
        probe.send(2)
        expectEqual(recorder.values, [1])
        expectEqual(recorder.violations, [])
    }
}
