import MoonlightTestSupport
import Streams
import Testing

@Suite("Publishers of known values, and `Future`")
struct SourceTests {
    @Test("`Just` sends its value and finishes")
    func just() {
        expectEqual(recorded(Just("a")).values, ["a"])
        expect(recorded(Just("a")).isFinished)
        expectEqual(Just(1), Just(1))
        expect(Just(1) != Just(2))
    }

    @Test("`Just` keeps its value until it is requested")
    func justWaits() {
        let recorder = Recorder<Int, Never>(.nothing)
        Just(1).subscribe(recorder)
        expectEqual(recorder.values, [])
        expectEqual(recorder.completions, [])
        recorder.request(.max(1))
        expectEqual(recorder.values, [1])
        expect(recorder.isFinished)
    }

    @Test("`Empty` finishes at once, or never")
    func empty() {
        expect(recorded(Empty<Int, Oops>()).isFinished)
        let never = recorded(Empty<Int, Oops>(completeImmediately: false))
        expect(never.isSubscribed)
        expectEqual(never.completions, [])
        expect(recorded(Empty(outputType: Int.self, failureType: Oops.self)).isFinished)
        expect(Empty<Int, Oops>() != Empty<Int, Oops>(completeImmediately: false))
    }

    @Test("`Fail` fails at once")
    func fail() {
        expectEqual(recorded(Fail<Int, Oops>(error: .second)).failure, .second)
        expectEqual(recorded(Fail(outputType: Int.self, failure: Oops.first)).failure, .first)
        expect(Fail<Int, Oops>(error: .first) != Fail(error: .second))
    }

    @Test("`Deferred` creates a publisher for each subscriber, when it subscribes")
    func deferred() {
        let made = Log<Int>()
        let deferred = Deferred {
            made.append(0)
            return Just(made.items.count)
        }
        expect(made.items.isEmpty)
        expectEqual(recorded(deferred).values, [1])
        expectEqual(recorded(deferred).values, [2])
    }

    @Test("A sequence is iterated again for each subscriber")
    func sequence() {
        let publisher = stride(from: 0, to: 6, by: 2).publisher
        expectEqual(recorded(publisher).values, [0, 2, 4])
        expectEqual(recorded(publisher).values, [0, 2, 4])
        expectEqual([1].publisher, [1].publisher)
    }

    @Test("An endless sequence sends as many values as are requested")
    func endless() {
        let recorder = Recorder<Int, Never>(Appetite(description: "", atStart: [.max(3)]))
        (10...).publisher.subscribe(recorder)
        expectEqual(recorder.values, [10, 11, 12])
        recorder.cancel()
    }

    @Test("A future starts its work when it is created, not when it is subscribed to")
    func futureStarts() {
        var starts = 0
        let future = Future<Int, Oops> { promise in
            starts += 1
            promise(.success(starts))
        }
        expectEqual(starts, 1)
        expectEqual(recorded(future).values, [1])
        expectEqual(recorded(future).values, [1])
        expectEqual(starts, 1)
    }

    @Test("A future sends its result to subscribers that arrive before and after it")
    func futureServes() {
        let promises = Log<Future<Int, Oops>.Promise>()
        let future = Future<Int, Oops> { promises.append($0) }
        let (early, second) = (recorded(future), recorded(future))
        expectEqual(early.completions, [])
        promises.items[0](.success(5))
        promises.items[0](.success(6))
        promises.items[0](.failure(.first))
        for recorder in [early, second, recorded(future)] {
            expectEqual(recorder.values, [5])
            expect(recorder.isFinished)
            expectEqual(recorder.violations, [])
        }
    }

    @Test("The subscription of a future reflects the future until the end")
    func futureReflection() {
        let promises = Log<Future<Int, Oops>.Promise>()
        let future = Future<Int, Oops> { promises.append($0) }
        var subscription: (any Subscription)?
        func parent() -> Any? { subscription.flatMap { Mirror(reflecting: $0).descendant("parent") } }
        var parentInside: Future<Int, Oops>?
        future.subscribe(
            AnySubscriber(
                receiveSubscription: {
                    subscription = $0
                    $0.request(.unlimited)
                },
                receiveValue: { _ in
                    parentInside = parent() as? Future<Int, Oops>
                    return .none
                }))
        expect(parent() as? Future<Int, Oops> === future)
        promises.items[0](.success(1))
        expect(parentInside === future)
        expect(parent() != nil)
        expect(parent() as? Future<Int, Oops> == nil)
    }

    @Test("A future sends its result once, even if more is requested during the delivery, and then retains no subscription")
    func futureSendsOnce() {
        let promises = Log<Future<Int, Oops>.Promise>()
        let future = Future<Int, Oops> { promises.append($0) }
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)], inside: [0: .max(1)]))
        future.subscribe(recorder)
        weak var held: AnyObject?
        future.subscribe(
            AnySubscriber<Int, Oops>(
                receiveSubscription: {
                    held = $0 as AnyObject
                    $0.request(.max(1))
                }))
        expect(held != nil)
        promises.items[0](.success(5))
        expectEqual(recorder.values, [5])
        expectEqual(recorder.violations, [])
        expect(held == nil)
        withExtendedLifetime(future) {}
    }

    @Test("A future that fails fails for every subscriber")
    func futureFails() {
        let promises = Log<Future<Int, Oops>.Promise>()
        let future = Future<Int, Oops> { promises.append($0) }
        let early = recorded(future)
        promises.items[0](.failure(.second))
        expectEqual(early.failure, .second)
        expectEqual(recorded(future).failure, .second)
    }

    @Test("A future that is subscribed to during a delivery serves both subscribers completely")
    func futureReentrant() {
        let future = Future<Int, Oops> { $0(.success(3)) }
        let inner = Recorder<Int, Oops>()
        let outer = Recorder<Int, Oops> { _, _ in future.subscribe(inner) }
        future.subscribe(outer)
        expectEqual(outer.values, [3])
        expect(outer.isFinished)
        expectEqual(inner.values, [3])
        expect(inner.isFinished)
    }

    @Test("A thread that requests values during a delivery delivers them itself")
    func askedFromInside() {
        let here = currentThread()
        let others = Log<Int>()
        let recorder = Recorder<Int, Never>(.nothing) { recorder, value in
            if currentThread() != here { others.append(value) }
            recorder.request(.max(1))
        }
        (1...6).publisher.subscribe(recorder)
        recorder.request(.max(1))
        settle()
        expectEqual(recorder.values, [1, 2, 3, 4, 5, 6])
        expect(recorder.isFinished)
        expectEqual(others.items, [])
    }

    @Test("A thread delivers the values that it requests, even if another thread has requested during an earlier delivery")
    func askedByTwoThreads() {
        let (isInside, hasAsked) = (Latch(), Latch())
        let senders = Log<Int>()
        let here = currentThread()
        let recorder = Recorder<Int, Never>(.nothing) { _, value in
            if value == 1 {
                isInside.open()
                hasAsked.wait()
            }
            if value > 2, currentThread() == here { senders.append(value) }
        }
        (1...6).publisher.subscribe(recorder)
        let first = Worker { recorder.request(.max(1)) }
        isInside.wait()
        recorder.request(.max(1))
        hasAsked.open()
        first.join()
        expectEqual(recorder.values, [1, 2])
        recorder.request(.max(2))
        settle()
        expectEqual(recorder.values, [1, 2, 3, 4])
        expectEqual(senders.items, [3, 4])
    }

    private func recorded<P: Publisher>(_ publisher: P) -> Recorder<P.Output, P.Failure> where P.Output: Sendable {
        let recorder = Recorder<P.Output, P.Failure>()
        publisher.subscribe(recorder)
        expectEqual(recorder.violations, [])
        return recorder
    }
}
